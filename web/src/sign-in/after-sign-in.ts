// Where to go once somebody is signed in.
import { latchkey } from '../api/latchkey.ts';
import { toLocalPath } from '../ui/local-path.ts';

/** The page that was asked for; a password that must be changed first is. */
export function goOn(): void {
  location.replace(toLocalPath(new URLSearchParams(location.search).get('to')));
}

/** Keeps the page that was asked for through the other pages on the way in. */
export const keepTarget = (path: string) => path + location.search;

/** Whether the account behind the token must change its password before anything else. */
export async function mustChangePassword(): Promise<boolean> {
  const { user } = await latchkey.call('Session/GetCurrentLoginInfo');
  return user?.requireChangePassword ?? false;
}
