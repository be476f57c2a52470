// After the sign-in: the sign-in pages keep the requested page, or the request of an application, in their query, and go on to
// it at the end.

import { toLocalUrl } from 'latchkey-sdk/local-path';
import { at } from '../api/base-path.ts';
import { carriedQuery } from '../api/front-end.ts';
import { isHeard } from '../api/in-time.ts';
import { latchkey } from '../api/latchkey.ts';
import type { words } from '../words/index.ts';
import { fragment } from './fragment.ts';

/** The reasons for which the sign-in page can show a notice. */
export type End = keyof typeof words.signIn.ended;

/** Returns the id of the request of an application that the person came with. `null` without one. */
export const readAuthorization = () => new URLSearchParams(location.search).get('authorization');

const readTarget = () => new URLSearchParams(location.search).get('to');

/** Opens an address in place of this page. Never resolves: what was pressed stays busy until the page is gone. */
export function leaveTo(address: string | URL): Promise<never> {
  location.replace(address);
  return new Promise(() => {});
}

/** Opens the requested page, if it is on this site, else the first page. */
export const openTarget = () => leaveTo(toLocalUrl(readTarget() ?? '', location.origin) ?? at('/app'));

/** Returns the path of a sign-in page with the requested page or application in its query. @param target replaces the requested page. */
export function withTarget(path: string, target = readTarget(), end?: End | 'unheard'): string {
  const authorization = readAuthorization();
  const query = new URLSearchParams({
    ...(end && { end }),
    ...(authorization !== null && { authorization }),
    ...carriedQuery,
    ...(target !== null && { to: target }),
  });
  return at(query.size > 0 ? `${path}?${query}` : path);
}

/** Returns what carries a name that was typed to another page. It is behind `#`: no server and no log sees it. */
const toFragment = (name: string) => (name === '' ? '' : `#${new URLSearchParams({ name })}`);

/** The name that another page has carried to this one. */
export const carriedName = fragment.get('name') ?? '';

/** Returns the path of a sign-in page as {@link withTarget} does, with the name that was typed. */
export const withName = (path: string, name: string): string => withTarget(path) + toFragment(name);

let isSigningOff = false;

/** Whether this page signs off itself, and leaves when the service has answered. */
export const isLeaving = () => isSigningOff;

/**
 * Signs off and opens the sign-in page, after a new password or account. The browser may still be signed in to another
 * account, or to a session that ended with the old password.
 * @param end `signedOff` if the person has asked for the sign-off, and is told where the service has not confirmed it.
 * @param to the requested page, and the name for the field.
 */
export async function goToSignIn(end: End, to: { target?: string | undefined; name?: string } = {}): Promise<void> {
  // A second sign-off has no token left, and would succeed at once: the page leaves with the answer to the first one.
  if (isSigningOff) await new Promise(() => {});
  isSigningOff = true;
  const hasEnded = await isHeard(latchkey.signOff());
  if (!hasEnded && end === 'signedOff') await leaveTo(withTarget('/signed-out', to.target, 'unheard'));
  await leaveTo(withTarget('/login', to.target, end) + toFragment(to.name ?? ''));
}
