// The second factors of an imported account: an authenticator app, and passkeys with the domain that they are bound to.
import { makesUsualCodes } from 'latchkey-user-files/factors';
import { type Static, Type } from 'typebox';
import { Base64Url, Nullable, Text } from '../contract/schemas.ts';
import { type AdoptedPasskey, MAX_PASSKEYS, readTotpSecret, secretEncodings } from '../factors/index.ts';
import type { Instant } from '../foundation/clock.ts';
import { invalidMember } from '../foundation/errors.ts';
import { readTime, Time } from './times.ts';

/** Returns the schema of a member that a line may leave out, or have as null. */
export const optional = <Schema extends Parameters<typeof Nullable>[0]>(schema: Schema) =>
  Type.Optional(Nullable(schema));

/** The members of a line. What a member of `totp` leaves out is as in all apps: by the time, SHA-1, six digits, 30 seconds. */
export const factorMembers = {
  totp: optional(
    Type.Object({
      secret: Type.String({ minLength: 1, maxLength: 512, 'x-secret': true }),
      encoding: optional(Type.Enum([...secretEncodings])),
      type: optional(Text({ maxLength: 20 })),
      algorithm: optional(Text({ maxLength: 20 })),
      digits: optional(Type.Integer()),
      period: optional(Type.Integer()),
      creationTime: optional(Time),
    }),
  ),
  passkeys: optional(
    Type.Array(
      Type.Object({
        credentialId: Base64Url({ maxLength: 1364 }),
        publicKey: Base64Url({ maxLength: 2048 }),
        signCount: optional(Type.Integer({ minimum: 0, maximum: 0xffff_ffff })),
        transports: optional(Type.Array(Type.String({ pattern: '^[a-z-]{1,20}$' }), { maxItems: 10 })),
        rpId: Text({ minLength: 1, maxLength: 253 }),
        userHandle: optional(Base64Url({ maxLength: 86 })),
        name: optional(Text({ maxLength: 100 })),
        isBackedUp: optional(Type.Boolean()),
        creationTime: optional(Time),
        lastUsedTime: optional(Time),
      }),
      { maxItems: MAX_PASSKEYS },
    ),
  ),
};

type FactorMembers = Static<ReturnType<typeof Type.Object<typeof factorMembers>>>;

export type ImportedFactors = {
  /** `secret` is base32. */
  readonly authenticator: { readonly secret: string; readonly enrolledAt: Instant } | null;
  readonly passkeys: readonly AdoptedPasskey[];
};

/** Returns the factors of a line. @throws AuthError `request.invalid`. */
export const toFactors = ({ totp, passkeys }: FactorMembers, now: Instant): ImportedFactors => ({
  authenticator: totp == null ? null : toAuthenticator(totp, now),
  passkeys: (passkeys ?? []).map((passkey) => ({
    credentialId: passkey.credentialId,
    publicKey: passkey.publicKey,
    signCount: passkey.signCount ?? 0,
    transports: passkey.transports ?? [],
    rpId: passkey.rpId.toLowerCase(),
    userHandle: passkey.userHandle ?? undefined,
    name: passkey.name || passkey.rpId,
    isBackedUp: passkey.isBackedUp ?? false,
    createdAt: readTime(passkey.creationTime, 'passkeys') ?? now,
    lastUsedAt: readTime(passkey.lastUsedTime, 'passkeys'),
  })),
});

function toAuthenticator(totp: NonNullable<FactorMembers['totp']>, now: Instant) {
  const secret = readTotpSecret(totp.secret, totp.encoding ?? 'base32');
  if (!makesUsualCodes(totp))
    throw invalidMember('totp', 'totp: The app makes other codes than those of SHA-1 with six digits each 30 seconds.');
  if (secret === undefined) throw invalidMember('totp', 'totp: The secret is none of 10 to 64 bytes in its encoding.');
  return { secret, enrolledAt: readTime(totp.creationTime, 'totp') ?? now };
}
