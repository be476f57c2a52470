// Refresh tokens: opaque to clients. Each names its grant, and leads to the next one by a keyed function.
import { timingSafeEqual } from 'node:crypto';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';

const SECRET_BYTES = 32;

/** `GRANT.SECRET.TAG`: a grant's id, 256 bits, and a tag that this service alone can make. */
const FORM = /^(?<body>(?<grantId>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{43})\.(?<tag>[\w-]{43})$/;

/** A refresh token that this service has issued: its tag is right. It need not be the current one of its grant. */
export type ReadRefreshToken = { readonly grantId: string; readonly text: string };

export interface RefreshTokens {
  /** Makes the first refresh token of a grant. */
  first(grantId: string): string;
  /** Returns the one that follows. Each has one, so that a lost answer can be given again, and nothing is stored in plain text. */
  next(former: ReadRefreshToken): string;
  /** Returns the keyed hash that is stored. */
  macOf(token: string): string;
  /** Returns a token that this service has issued, or `undefined`. It needs no statement: guesses cost the database nothing. */
  read(token: string): ReadRefreshToken | undefined;
}

export function createRefreshTokens({ secrets, random }: { secrets: Secrets; random: Random }): RefreshTokens {
  const sign = (body: string) => `${body}.${secrets.mac('refresh-token-tag', body)}`;
  return {
    first: (grantId) => sign(`${grantId}.${random.bytes(SECRET_BYTES).toString('base64url')}`),
    next: ({ grantId, text }) => sign(`${grantId}.${secrets.mac('refresh-token-next', text)}`),
    macOf: (token) => secrets.mac('refresh-token', token),
    read(token) {
      const { body, grantId, tag } = FORM.exec(token)?.groups ?? {};
      // Mutation: `||` becomes `&&`. A token of this form has all three.
      if (body === undefined || grantId === undefined || tag === undefined) return undefined;
      const isOurs = timingSafeEqual(Buffer.from(tag), Buffer.from(secrets.mac('refresh-token-tag', body)));
      return isOurs ? { grantId, text: token } : undefined;
    },
  };
}
