// The tokens of a session, as a cookie holds them, and what the service does with them. There are two kinds: tokens of the
// service itself, and tokens of an application.
import { decodeJwt } from 'jose';
import type { User } from './interface.ts';

/** The service must answer a call within this time. */
export const CALL_MS = 4000;

/**
 * The service must answer an exchange within this time. It makes each one once: without the answer, the session is lost. A code is
 * valid for 60 s, and the service repeats the answer of a refresh for 30 s. This is less, so that another attempt is still in time.
 */
export const EXCHANGE_MS = 20_000;

/** What a cookie holds, sealed. Tokens of an application have the second and the third one. */
export type Held = {
  readonly token: string;
  readonly refreshToken?: string;
  readonly idToken?: string;
  /** When this application received them, in milliseconds since 1970, by its own clock. Former versions did not keep it. */
  readonly receivedAt?: number;
};

/** Headers that the service gets with each call: the browser's name, and its address. */
export type Origin = Readonly<Record<string, string>>;

export interface Tokens {
  /** Whether the tokens can be exchanged when the access token has expired. */
  readonly outliveToken: boolean;
  /** Exchanges the tokens. Undefined: the session has ended. @throws LatchkeyError when the service cannot tell. */
  refresh(held: Held, origin: Origin): Promise<Held | undefined>;
  /** Asks the service whether the session is open. */
  isOpen(held: Held, origin: Origin): Promise<boolean>;
  /** Ends the session at the service, also if the tokens were exchanged meanwhile. */
  end(held: Held, origin: Origin): Promise<void>;
}

/** Returns what a sealed content holds, if it holds tokens. */
export function toHeld(content: Record<string, unknown> | undefined): Held | undefined {
  const { token, refreshToken, idToken, receivedAt } = content ?? {};
  if (typeof token !== 'string') return undefined;
  return {
    token,
    ...(typeof refreshToken === 'string' && { refreshToken }),
    ...(typeof idToken === 'string' && { idToken }),
    ...(typeof receivedAt === 'number' && { receivedAt }),
  };
}

/** Returns when a token was issued and when it expires, in milliseconds since 1970, by the clock of this application. */
export function readTimes({ token, receivedAt }: Held): { issuedAt: number; expiresAt: number } {
  const { iat = 0, exp = 0 } = decodeJwt(token);
  const issuedAt = receivedAt ?? iat * 1000;
  return { issuedAt, expiresAt: issuedAt + (exp - iat) * 1000 };
}

/** Returns the client that the tokens were issued to. */
export const readClientId = ({ token }: Held): unknown => decodeJwt(token).client_id;

/** Returns who the tokens are of. Only the service and the seal have written them. */
export function readUser({ token, idToken = token }: Held): User {
  // With `claimsInIdToken: false`, only the access token has more than the id.
  const claims = { ...decodeJwt(token), ...decodeJwt(idToken) };
  const { sub = '', preferred_username: userName, name, email, roles, acr, auth_time: authenticatedAt } = claims;
  const toText = (claim: unknown) => (typeof claim === 'string' ? claim : '');
  return {
    id: sub,
    userName: toText(userName),
    name: toText(name),
    emailAddress: toText(email) || null,
    roles: Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [],
    acr: acr === 'aal2' ? 'aal2' : 'aal1',
    authenticatedAt: typeof authenticatedAt === 'number' ? authenticatedAt * 1000 : 0,
  };
}
