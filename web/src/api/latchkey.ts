// The client of these pages, one for each open page.
import { createLatchkey } from 'latchkey-sdk';
import { basePath } from './base-path.ts';
import { frontEnd } from './front-end.ts';

export const latchkey = createLatchkey({
  baseUrl: basePath,
  storage: 'session',
  ...(frontEnd !== undefined && { frontEnd }),
});

/** Sets whether the next sign-in outlives the browser. */
export const keepSignedIn = (isPersistent: boolean) => latchkey.keepTokenIn(isPersistent ? 'local' : 'session');

/** Reads a compound setting. A value of another kind has no members. */
export async function readSetting(name: string): Promise<Readonly<Record<string, unknown>>> {
  const value: unknown = await latchkey.call('Settings/GetValue', { name });
  return typeof value === 'object' ? { ...value } : {};
}
