// The shape in which owners and administrators see the factors of an account.
import { type Static, Type } from 'typebox';
import { NamedObject, Nullable } from '../contract/schemas.ts';
import { type Instant, toIsoString } from '../foundation/clock.ts';
import type { FactorState } from './account-factors.ts';

const DateTime = Type.String({ format: 'date-time' });

export const AccountFactorsDto = NamedObject('AccountFactorsDto', {
  authenticator: NamedObject('EnrolledAuthenticatorDto', {
    enrolled: Type.Boolean(),
    since: Nullable(DateTime),
    lastUsedAt: Nullable(DateTime),
  }),
  passkeys: Type.Array(
    NamedObject('PasskeyDto', {
      id: Type.String(),
      name: Type.String(),
      createdAt: DateTime,
      lastUsedAt: Nullable(DateTime),
      backedUp: Type.Boolean({ description: 'Whether the passkey is synchronized between devices.' }),
    }),
  ),
  recoveryCodesLeft: Type.Integer(),
  trustedDevices: Type.Array(
    NamedObject('TrustedDeviceDto', {
      id: Type.String(),
      name: Type.String({ description: 'The User-Agent of the browser.' }),
      lastUsedAt: DateTime,
    }),
  ),
  mustEnroll: Type.Boolean({ description: 'Whether a front end requires a second factor that the account lacks.' }),
  onlyFormerPasskeys: Type.Boolean({
    description: 'Whether a sign-in asks for a passkey, and all of them belong to a former domain of the service.',
  }),
});

const toTime = (instant: Instant | null | undefined) => (instant == null ? null : toIsoString(instant));

export function toAccountFactorsDto(state: FactorState): Static<typeof AccountFactorsDto> {
  const { authenticator, passkeys, recoveryCodesLeft, trustedDevices, mustEnroll, onlyFormerPasskeys } = state;
  return {
    authenticator: {
      enrolled: authenticator !== undefined,
      since: toTime(authenticator?.enrolledAt),
      lastUsedAt: toTime(authenticator?.lastUsedAt),
    },
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt, isBackedUp }) => ({
      id,
      name,
      createdAt: toIsoString(createdAt),
      lastUsedAt: toTime(lastUsedAt),
      backedUp: isBackedUp,
    })),
    recoveryCodesLeft,
    trustedDevices: trustedDevices.map(({ id, name, lastUsedAt }) => ({
      id,
      name,
      lastUsedAt: toIsoString(lastUsedAt),
    })),
    mustEnroll,
    onlyFormerPasskeys,
  };
}
