// The shapes of a registration: what a browser needs to make a passkey, and what the passkey answers (WebAuthn Level 3, 5.1).
import { Type } from 'typebox';
import { Base64Url, NamedObject, Nullable } from '../contract/schemas.ts';
import { ClientData, CredentialId, type Passkey, PasskeyDescriptor } from '../factors/index.ts';
import { toIsoString } from '../foundation/clock.ts';

const timestamp = () => Type.String({ format: 'date-time' });

const passkey = {
  id: Type.String(),
  name: Type.String(),
  createdAt: timestamp(),
  lastUsedAt: Nullable(timestamp()),
  backedUp: Type.Boolean({ description: 'Whether its provider has copied it to other devices of the user.' }),
};

export const RegisteredPasskey = NamedObject('RegisteredPasskey', {
  ...passkey,
  recoveryCodes: Type.Optional(Type.Array(Type.String(), { description: 'With the first second factor: shown once.' })),
});

export function toPasskeyDto({ id, name, createdAt, lastUsedAt, isBackedUp }: Passkey) {
  return {
    id,
    name,
    createdAt: toIsoString(createdAt),
    lastUsedAt: lastUsedAt && toIsoString(lastUsedAt),
    backedUp: isBackedUp,
  };
}

export const RegistrationOptions = NamedObject('PasskeyRegistrationOptions', {
  operationId: Type.String(),
  options: NamedObject('PublicKeyCredentialCreationOptionsJSON', {
    rp: NamedObject('PasskeyRelyingParty', { id: Type.Optional(Type.String()), name: Type.String() }),
    user: NamedObject('PasskeyUser', { id: Type.String(), name: Type.String(), displayName: Type.String() }),
    challenge: Type.String(),
    pubKeyCredParams: Type.Array(NamedObject('PasskeyAlgorithm', { type: Type.String(), alg: Type.Integer() })),
    timeout: Type.Optional(Type.Integer({ description: 'In milliseconds.' })),
    excludeCredentials: Type.Optional(Type.Array(PasskeyDescriptor)),
    authenticatorSelection: Type.Optional(
      NamedObject('PasskeyRequirements', {
        residentKey: Type.Optional(Type.String()),
        requireResidentKey: Type.Optional(Type.Boolean()),
        userVerification: Type.Optional(Type.String()),
      }),
    ),
    attestation: Type.Optional(Type.String()),
    extensions: Type.Optional(NamedObject('PasskeyExtensions', { credProps: Type.Optional(Type.Boolean()) })),
  }),
});

/** What `toJSON()` of the browser's `PublicKeyCredential` returns. Other members are ignored. */
export const RegistrationCredential = NamedObject('RegistrationResponseJSON', {
  id: CredentialId,
  rawId: CredentialId,
  response: NamedObject('AuthenticatorAttestationResponseJSON', {
    clientDataJSON: ClientData,
    attestationObject: Base64Url({ maxLength: 16_384 }),
    transports: Type.Optional(Nullable(Type.Array(Type.String({ pattern: '^[a-z-]{1,32}$' }), { maxItems: 10 }))),
  }),
});
