// Signing off by this page, and the receipt with which the person sees afterwards what applications were told.
import type { Calls } from 'latchkey-sdk';
import { at } from './base-path.ts';
import { carriedQuery } from './front-end.ts';
import { inTime, isHeard } from './in-time.ts';
import { latchkey } from './latchkey.ts';

/** How long in milliseconds a sign-off waits for what it only shows. */
const PATIENCE_MS = 2000;

/** Signs off. @returns the path of the page that has more to say about it, if there is more. */
export async function signOff(): Promise<string | undefined> {
  let sent: Promise<void> | undefined;
  const send = () => {
    sent ??= latchkey.signOff();
    return sent;
  };
  // The person may close the page meanwhile.
  addEventListener('pagehide', send);
  const made = await inTime(latchkey.call('Session/GetSignOutReceipt'), PATIENCE_MS);
  if (!(await isHeard(send()))) return signedOutPath({ end: 'unheard' });
  if (!made) return undefined;
  const told = await inTime(latchkey.call('Session/GetSignOut', made), PATIENCE_MS);
  return told && told.items.length > 0 ? signedOutPath(made) : undefined;
}

/** The page shows what applications were told, or that the service has not confirmed the sign-off. */
const signedOutPath = (query: Readonly<Record<string, string>>) =>
  at(`/signed-out?${new URLSearchParams({ ...query, ...carriedQuery })}`);

/** The end of a session, and what each of its applications was told. */
export type EndedSession = Calls['Session/GetSignOuts']['result']['items'][number];
