// The two pages that the endpoints answer themselves: a form that the browser posts to an application, and a request that nobody may answer.
import type { PostedAnswer } from './answers.ts';

/** A page, with the policy that its one style sheet and script need. */
export type Page = { readonly html: string; readonly policy: string };

const words = {
  en: {
    wait: 'Back to the application',
    press: 'Continue',
    failed: 'This sign-in cannot go on',
    failedSignOut: 'This sign-out cannot go on',
    advice:
      'Go back to the application and try again. If this page comes again, tell the people who run the application:',
  },
  de: {
    wait: 'Zurück zur Anwendung',
    press: 'Weiter',
    failed: 'Diese Anmeldung kann nicht fortgesetzt werden',
    failedSignOut: 'Diese Abmeldung kann nicht fortgesetzt werden',
    advice:
      'Gehen Sie zur Anwendung zurück und versuchen Sie es noch einmal. Kommt diese Seite wieder, sagen Sie den Betreibern der Anwendung:',
  },
  fr: {
    wait: 'Retour à l’application',
    press: 'Continuer',
    failed: 'Cette connexion ne peut pas continuer',
    failedSignOut: 'Cette déconnexion ne peut pas continuer',
    advice:
      'Revenez à l’application et réessayez. Si cette page réapparaît, dites aux responsables de l’application\u00a0:',
  },
} as const;

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;color:CanvasText;background:Canvas}' +
  'h1{font-size:1.375rem}button{font:inherit;padding:.5rem 1rem}:root{color-scheme:light dark}';

const toHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/** What the reader prefers: the languages that an application asks for (BCP 47), and the header `Accept-Language`. */
export type Reader = { readonly uiLocales: readonly string[]; readonly acceptLanguage: string | undefined };

/** Returns the first language that an application asks for and the words have, else that of the browser. */
function languageOf({ uiLocales, acceptLanguage = '' }: Reader): keyof typeof words {
  const wanted = [...uiLocales, acceptLanguage].map((text) => /^\s*([a-z]+)\b/i.exec(text)?.[1]?.toLowerCase() ?? '');
  return wanted.find((tag): tag is keyof typeof words => Object.hasOwn(words, tag)) ?? 'en';
}

function toPage(language: string, title: string, body: string, nonce: string, script = ''): Page {
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${toHtml(title)}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>${toHtml(title)}</h1>
${body}
</main>
${script}</body>
</html>
`;
  // No `form-action`: browsers would also apply it to where the application redirects next.
  const scripts = script === '' ? '' : `; script-src 'nonce-${nonce}'`;
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'${scripts}; base-uri 'none'; frame-ancestors 'none'`;
  return { html, policy };
}

/** Returns the page that posts an answer at once, or without scripts at a press (OAuth 2.0 Form Post Response Mode, 2). */
export function formPostPage({ redirectUri, members }: PostedAnswer, nonce: string, reader: Reader): Page {
  const language = languageOf(reader);
  const { wait, press } = words[language];
  const fields = Object.entries(members).map(
    ([name, value]) => `<input type="hidden" name="${toHtml(name)}" value="${toHtml(value)}">`,
  );
  const form = `<form method="post" action="${toHtml(redirectUri)}">\n${fields.join('\n')}\n<button>${press}</button>\n</form>`;
  const script = `<script nonce="${nonce}">document.forms[0].submit()</script>\n`;
  return toPage(language, wait, form, nonce, script);
}

/**
 * Returns the page about a request that no application may get an answer to.
 * @param asked what the request is for.
 * @param reason for its developers, in English.
 */
export function refusalPage(asked: 'signIn' | 'signOut', reason: string, nonce: string, reader: Reader): Page {
  const language = languageOf(reader);
  const { failed, failedSignOut, advice } = words[language];
  return toPage(
    language,
    asked === 'signIn' ? failed : failedSignOut,
    `<p>${advice}</p>\n<p lang="en">${toHtml(reason)}</p>`,
    nonce,
  );
}
