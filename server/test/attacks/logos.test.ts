// Attacks by uploaded logos: scripts, references, entities, bombs and disguised files.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import { assertRefused } from '../support/answers.ts';
import { engines } from '../support/databases.ts';
import { chunk, PNG_SIGNATURE, png, pngHeader, svg } from '../support/pictures.ts';
import { startTestService, type TestService } from '../support/service.ts';

const UPLOAD = '/api/services/app/FrontEndApp/UploadLogo';
const UPDATE = '/api/services/app/Settings/UpdateValue';
const RECT = '<rect width="9" height="9" fill="#123456"/>';

for (const engine of engines) {
  describe(`attacks by logos, on ${engine}`, () => {
    let test: TestService;
    let token: string;
    before(async () => {
      test = await startTestService(engine);
      token = await test.admin();
    });
    after(() => test.close());

    const upload = (bytes: Buffer, as: string | null = token) =>
      test.post(UPLOAD, { token: as, body: { content: bytes.toString('base64') } });
    async function served(bytes: Buffer): Promise<string> {
      const answer = await upload(bytes);
      assert.equal(answer.status, 200, answer.text);
      return (await test.get(answer.result.path)).text;
    }

    it('serves a logo so that nothing in it runs or loads, at an address that never changes its content', async () => {
      const { result } = await upload(svg(RECT));
      assert.match(result.path, /^\/brand\/logos\/[0-9a-f]{64}\.svg$/);
      const answer = await test.get(result.path);
      assert.equal(answer.headers['content-type'], 'image/svg+xml');
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
      assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(answer.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'; sandbox");
      assert.equal((await upload(svg(RECT))).result.path, result.path);
    });

    it('keeps the shapes of an SVG file, and nothing that could act', async () => {
      const given = `<?xml version="1.0"?><?xml-stylesheet href="https://evil.example/x.css"?><!-- c -->
        <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "https://evil.example/svg.dtd">
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10"
          onload="alert(1)" style="background:url(https://evil.example)">
        <metadata><script>alert(1)</script></metadata><i:pgf>x</i:pgf>
        <linearGradient id="a" xlink:href="https://evil.example#a" href="#b"><stop offset="0" stop-color="#fff"/></linearGradient>
        <g fill="url(#a)" stroke="url(https://evil.example#x)" onclick="alert(1)" class="x" data-x="y">
          <path d="M0 0L9 9" style="fill:#00ff00; stroke:url('https://evil.example'); -x: y; behavior:url(x)" onfocus="x" tabindex="1"/>
          <rect width="9" height="expression(alert(1))" fill="javascript:alert(1)" filter="url(https://evil.example#f)"/>
        </g></svg>`;
      const text = await served(Buffer.from(given));
      assert.equal(
        text,
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><linearGradient id="a"><stop offset="0" stop-color="#fff"></stop></linearGradient>' +
          '<g fill="url(#a)"><path d="M0 0L9 9" fill="#00ff00"></path><rect width="9"></rect></g></svg>',
      );
    });

    it('refuses elements that run, load, style or repeat', async () => {
      const refused = [
        '<script>alert(1)</script>',
        '<style>*{fill:url(https://evil.example)}</style>',
        '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>',
        '<image href="https://evil.example/x.png"/>',
        '<use href="#a"/>',
        '<a href="javascript:alert(1)"><path d="M0 0"/></a>',
        '<animate attributeName="href" values="javascript:alert(1)"/>',
        '<set attributeName="onclick" to="alert(1)"/>',
        '<iframe src="https://evil.example"/>',
        '<filter id="f"><feImage href="https://evil.example"/></filter>',
        '<pattern id="p"><rect fill="url(#p)"/></pattern>',
        '<SCRIPT>alert(1)</SCRIPT>',
        '<handler/>',
        '<text>no font</text>',
      ];
      for (const inside of refused) {
        const answer = await upload(svg(RECT + inside));
        assertRefused(answer, 400, 'request.invalid');
        assert.match(answer.error.details ?? '', /which is not accepted/, inside);
      }
    });

    it('gives clips and masks no references of their own, so that no chain of them grows', async () => {
      const mask = (id: string, to: string) =>
        `<mask id="${id}"><g mask="url(#${to})" clip-path="url(#${to})"><rect width="1"/></g></mask>`;
      const text = await served(svg(`${mask('a', 'b')}${mask('b', 'a')}<rect mask="url(#a)" width="9"/>`));
      assert.equal(text.match(/url\(/g)?.length, 1);
    });

    it('knows no entities, and refuses text that is not well-formed', async () => {
      const bomb =
        '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><g id="&b;"/></svg>';
      const outside =
        '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg viewBox="0 0 1 1"><title>&a;</title><path d="M0 0"/></svg>';
      const broken = [
        '<svg><path></svg>',
        '<svg',
        '<svg viewBox="0 0 1 1"/>',
        '<html><svg/></html>',
        '<svg a="1" a="2"/>',
      ];
      for (const text of [bomb, outside, ...broken])
        assertRefused(await upload(Buffer.from(text)), 400, 'request.invalid');
      const inUtf16 = Buffer.from(`\uFEFF${svg(RECT)}`, 'utf16le');
      assertRefused(await upload(inUtf16), 400, 'request.invalid');
    });

    it('refuses deep, large and numerous elements, and stays quick', async () => {
      const deep = svg('<g>'.repeat(20_000) + RECT + '</g>'.repeat(20_000));
      const many = svg('<g/>'.repeat(6000) + RECT);
      for (const bytes of [deep, many, svg(`${RECT}${' '.repeat(200_000)}`)]) {
        assertRefused(await upload(bytes), 400, 'request.invalid');
      }
      assert.equal((await upload(Buffer.alloc(400_000))).status, 413);
    });

    it('keeps the picture of a PNG file, and nothing else of it', async () => {
      const text = chunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>'));
      const given = Buffer.concat([png(8, 8, [text, chunk('eXIf', Buffer.from('a place'))]), Buffer.from('<script>')]);
      const { result } = await upload(given);
      const answer = await test.app.inject({ url: result.path });
      assert.equal(answer.headers['content-type'], 'image/png');
      assert.deepEqual(answer.rawPayload, png(8, 8));
      const kept = ['gAMA', 'sRGB', 'tRNS'].map((type, at) => chunk(type, Buffer.alloc([4, 1, 6][at] ?? 0)));
      const colours = await test.app.inject({ url: (await upload(png(8, 8, kept))).result.path });
      assert.deepEqual(colours.rawPayload, png(8, 8, kept));
    });

    it('refuses PNG files that are too large, damaged, or a bomb', async () => {
      const end = chunk('IEND', Buffer.alloc(0));
      const idat = (size: number) => chunk('IDAT', deflateSync(Buffer.alloc(size)));
      const [palette, picture] = [chunk('PLTE', Buffer.alloc(3)), idat(8 * 33)];
      const made = (...chunks: Buffer[]) => Buffer.concat([PNG_SIGNATURE, ...chunks, end]);
      const damaged = Buffer.from(png(8, 8));
      damaged[45] = (damaged[45] ?? 0) ^ 1;
      const refused = {
        'too wide': Buffer.concat([PNG_SIGNATURE, pngHeader(1025, 1), idat(4101), end]),
        'huge in its header alone': Buffer.concat([PNG_SIGNATURE, pngHeader(2 ** 31, 2 ** 31), idat(10), end]),
        'a bomb': Buffer.concat([PNG_SIGNATURE, pngHeader(4, 4), idat(50_000_000), end]),
        'too short': Buffer.concat([PNG_SIGNATURE, pngHeader(40, 40), idat(100), end]),
        'without an end': png(8, 8).subarray(0, -12),
        'without a picture': Buffer.concat([PNG_SIGNATURE, pngHeader(4, 4), end]),
        'two headers': made(pngHeader(8, 8), pngHeader(4000, 4000), picture),
        'the same header twice': png(8, 8, [pngHeader(8, 8)]),
        'a header after the picture': made(pngHeader(8, 8), picture, pngHeader(4000, 4000)),
        'no header first': made(palette, pngHeader(8, 8), picture),
        'two palettes': png(8, 8, [palette, palette]),
        'a palette within the picture': made(pngHeader(8, 8), picture, palette, picture),
        'a palette of other data': png(8, 8, [chunk('PLTE', Buffer.alloc(50_000))]),
        'other data for a gamma': png(8, 8, [chunk('gAMA', Buffer.from('<script>alert(1)</script>'))]),
        'an end with data': Buffer.concat([png(8, 8).subarray(0, -12), chunk('IEND', Buffer.from('<script>'))]),
        damaged,
        'a length beyond the file': Buffer.concat([PNG_SIGNATURE, Buffer.from('ffffffff49484452', 'hex')]),
        'a JPEG file': Buffer.from('ffd8ffe000104a46494600', 'hex'),
        'a page': Buffer.from('<!doctype html><script>alert(1)</script>'),
        nothing: Buffer.from(' '),
      };
      for (const [what, bytes] of Object.entries(refused)) {
        assert.equal((await upload(bytes)).status, 400, what);
      }
    });

    it('takes uploads of administrators only, and serves no other file', async () => {
      await test.createUser('manager', { roleNames: ['UserManager'] });
      assert.equal((await upload(svg(RECT), null)).status, 401);
      assert.equal((await upload(svg(RECT), await test.signIn('manager'))).status, 403);
      for (const name of ['x', `${'0'.repeat(64)}.png`, '..%2f..%2fetc%2fpasswd', `${'0'.repeat(64)}.html`]) {
        assert.equal((await test.get(`/brand/logos/${name}`)).status, 404, name);
      }
    });

    it('shows only stored logos, and links that open nothing but pages and mail', async () => {
      const change = (value: object) => test.post(UPDATE, { token, body: { name: 'Latchkey.Brand', value } });
      const refused: Record<string, string[]> = {
        logo: [`${'0'.repeat(64)}.svg`, 'https://evil.example/x.svg', '../x.png'],
        name: ['a\u202eb', 'a\nb', '\u2066a'],
        terms: [
          'https:example.com',
          ' https://example.com',
          'https://example.com@evil.example',
          'javascript:alert(1)',
          'data:text/html,x',
          'http://example.com',
          '/relative',
          'mailto:a@example.com',
        ],
        support: [
          'javascript:alert(1)',
          'mailto:',
          'mailto:a@example.com?bcc=b@example.com',
          'mailto:a@example.com%0d%0abcc:b',
          'tel:1',
        ],
        accent: ['red', '#12', '#123456;background:url(x)', 'url(x)'],
      };
      for (const [member, values] of Object.entries(refused)) {
        for (const one of values) assertRefused(await change({ [member]: one }), 400, 'request.invalid');
      }
      const text = { language: 'en', title: 'Hello', note: '' };
      assertRefused(await change({ texts: [text, { ...text, language: 'EN' }] }), 400, 'request.invalid');
    });
  });
}
