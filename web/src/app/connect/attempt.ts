// A sign-in as an application asks for it, to see whether the service takes the request.
import { at } from '../../api/base-path.ts';
import { makeSecret } from '../../api/secret.ts';
import type { Application } from '../applications/application.ts';

/** Returns the path of the request. Its answer is for nobody: what proves the exchange of a code is not kept. */
export function toRequest({ clientId, scopes }: Application, redirectUri: string, more: Record<string, string> = {}) {
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.filter((scope) => scope !== 'offline_access').join(' '),
    state: `trial-${makeSecret()}`,
    nonce: makeSecret(),
    code_challenge: makeSecret(),
    code_challenge_method: 'S256',
    ...more,
  });
  return at(`/oauth/authorize?${parameters}`);
}

/** The answer to a request that is right, of a browser in which nobody is signed in. */
const SIGN_IN_NEEDED = 'login_required';

/**
 * Sends the request without cookies and without a page for a person.
 * @returns why the service refuses it. Undefined if it would ask the person to sign in.
 * @throws TypeError if the service is out of reach, or the page has another origin than its public URL.
 */
export async function findRefusal(application: Application, redirectUri: string): Promise<string | undefined> {
  const request = toRequest(application, redirectUri, { prompt: 'none', response_mode: 'form_post' });
  const answer = await fetch(request, { credentials: 'omit', cache: 'no-store' });
  const html = await answer.text();
  // Without its head, whose style has another nonce.
  const page = new DOMParser().parseFromString(html.slice(html.indexOf('<main>')), 'text/html');
  const read = (name: string) => page.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.value;
  const error = read('error');
  if (error === SIGN_IN_NEEDED) return undefined;
  if (error !== undefined) return read('error_description') ?? error;
  return page.querySelector('p[lang="en"]')?.textContent ?? `HTTP ${answer.status}`;
}
