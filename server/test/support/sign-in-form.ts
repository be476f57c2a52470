// The page of a provider on which people sign in or cancel in a browser.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';

/** Shows the form, which posts to its own address. */
export function sendForm(response: ServerResponse, provider: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(
    `<!doctype html><html lang="en"><title>${provider}</title><h1>${provider}</h1>
    <form method="post"><label>Login <input name="login" autofocus></label>
    <button>Continue</button> <button name="refused" value="yes">Cancel</button></form>`,
  );
}

/** @returns the login that was entered, or nothing when the person cancels. */
export async function readForm(request: IncomingMessage): Promise<string | undefined> {
  const form = new URLSearchParams(await readText(request));
  return form.has('refused') ? undefined : (form.get('login') ?? '');
}
