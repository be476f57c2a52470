// Trusted devices: the token that replaces the second factor in this browser, kept for each name that signs in here. Each front end
// has its own, because the service accepts it there alone.
import { frontEnd } from '../api/front-end.ts';

/** Whether this page can keep such a token. The name is hashed, and browsers hash in secure contexts only. */
export const canTrustDevice = isSecureContext;

/** The key does not show the name to other users of the browser. */
async function keyOf(name: string): Promise<string> {
  const bytes = new TextEncoder().encode([name.trim(), frontEnd].join('\n').trim().toLowerCase());
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `latchkey:trusted-device:${btoa(String.fromCharCode(...digest))}`;
}

/** Returns the token of this name. `undefined` without one, and where the browser allows no storage. */
export async function readTrustedDevice(name: string): Promise<string | undefined> {
  if (!canTrustDevice) return undefined;
  try {
    return localStorage.getItem(await keyOf(name)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the token of this name. `undefined` removes it. */
export async function keepTrustedDevice(name: string, token: string | undefined): Promise<void> {
  if (!canTrustDevice) return;
  try {
    if (token === undefined) localStorage.removeItem(await keyOf(name));
    else localStorage.setItem(await keyOf(name), token);
  } catch {
    // Without storage, the next sign-in asks for the second factor.
  }
}
