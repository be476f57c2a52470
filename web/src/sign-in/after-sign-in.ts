// Where the pages on the way in lead to, and what they keep on the way: the page that was asked for.
import { latchkey } from '../api/latchkey.ts';
import { toLocalPath } from '../ui/local-path.ts';
import type { words } from '../words/index.ts';

/** What the sign-in page can say of how somebody came there. */
export type End = keyof typeof words.signIn.ended;

const readTarget = () => new URLSearchParams(location.search).get('to');

/** To the page that was asked for. */
export function goOn(): void {
  location.replace(toLocalPath(readTarget()));
}

/** A page on the way in, which knows the page that was asked for as well. @param target in place of that one. */
export function keepTarget(path: string, target = readTarget(), end?: End): string {
  const query = new URLSearchParams({ ...(end && { end }), ...(target !== null && { to: target }) });
  return query.size > 0 ? `${path}?${query}` : path;
}

/**
 * To the sign-in page, to sign in with a password that was just set; there is no way back. Whoever is signed in here is
 * signed off: another account, or a session that ended with the old password.
 */
export async function goToSignIn(end: End, target?: string | null): Promise<void> {
  await latchkey.signOff().catch(() => {});
  location.replace(keepTarget('/login', target, end));
}

/** Whether the account behind the token must change its password before anything else. */
export async function mustChangePassword(): Promise<boolean> {
  const { user } = await latchkey.call('Session/GetCurrentLoginInfo');
  return user?.requireChangePassword ?? false;
}
