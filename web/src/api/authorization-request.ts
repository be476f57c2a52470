// The trip to an external provider and back: what it is asked, what this tab keeps meanwhile, and what the answer proves.
import { latchkey } from './latchkey.ts';

/**
 * Where a provider sends people back to: each to an address of its own, so that no other can have what it answers brought
 * back as the answer to its own question (RFC 9700, 4.4).
 */
const returnPath = (provider: string) => `/login/external/${encodeURIComponent(provider)}`;

/** Whether this page may leave for a provider: browsers make hashes only for pages that nobody could have changed. */
export const mayLeave = isSecureContext;

/** What somebody goes there for: to sign in, or to link the provider to the account that they are signed in to. */
type Purpose = 'signIn' | 'link';

export type Trip = {
  readonly provider: string;
  readonly purpose: Purpose;
  /** Whether the sign-in outlives the browser. */
  readonly isStaying: boolean;
  /** The query of the page that was left, which says where to go on afterwards. */
  readonly search: string;
  /** Keeps out answers to questions that others have asked. */
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
};

/** What the service wants to know of somebody who comes back. */
export type Proof = {
  readonly authProvider: string;
  readonly providerKey: string;
  readonly providerAccessCode: string;
};

const KEY = 'latchkey:provider-trip';

const redirectUri = (provider: string) => location.origin + returnPath(provider);

/** Leaves for the provider's page. Ends in the errors of the call that finds it. */
export async function leaveFor(provider: string, purpose: Purpose, isStaying = false): Promise<void> {
  const { address, clientId } = await latchkey.call('ExternalLogin/GetSignInPage', { name: provider });
  const [state, nonce, verifier] = [makeSecret(), makeSecret(), makeSecret()];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const trip: Trip = { provider, purpose, isStaying, search: location.search, state, nonce, verifier };
  sessionStorage.setItem(KEY, JSON.stringify(trip));
  const question = {
    response_type: 'code id_token',
    client_id: clientId,
    redirect_uri: redirectUri(provider),
    scope: 'openid profile email',
    code_challenge: toBase64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    nonce,
    state,
  };
  const url = new URL(address);
  for (const [name, value] of Object.entries(question)) url.searchParams.set(name, value);
  location.assign(url);
}

/** The trip that this answers, once; nothing when nobody here has asked, or another provider. */
export function endTrip(answer: URLSearchParams): Trip | undefined {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  const trip: Trip | null = JSON.parse(kept ?? 'null');
  const isAnswered = trip && location.pathname === returnPath(trip.provider) && answer.get('state') === trip.state;
  return isAnswered ? trip : undefined;
}

/** Nothing when the answer does not have all that belongs to it, such as one that says no. */
export function readProof(trip: Trip, answer: URLSearchParams): Proof | undefined {
  const [code, token, key] = ['code', 'id_token', 'provider_key'].map((name) => answer.get(name));
  if (!code) return undefined;
  const { provider: authProvider } = trip;
  if (!token) return key ? { authProvider, providerKey: key, providerAccessCode: code } : undefined;
  const { iss, sub } = readClaims(token);
  if (!iss || !sub || iss !== (answer.get('iss') ?? iss)) return undefined;
  const { nonce, verifier: code_verifier } = trip;
  const accessCode = new URLSearchParams({ code, code_verifier, redirect_uri: redirectUri(authProvider), nonce, iss });
  return { authProvider, providerKey: sub, providerAccessCode: accessCode.toString() };
}

/** Nothing of it is believed: it says which key the code is for. */
function readClaims(token: string): { iss?: string; sub?: string } {
  try {
    return JSON.parse(atob(token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '')) ?? {};
  } catch {
    return {};
  }
}

const makeSecret = () => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));

const toBase64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
