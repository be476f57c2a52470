// WebAuthn Level 3: the options for a browser, and the verification of what a passkey answers. Stores nothing.
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';

import { ALGORITHMS, isSoundKey } from './credential-key.ts';

/** The domain that passkeys are bound to, and the origins of the pages and apps that may use them. */
export type RelyingParty = { readonly id: string; readonly origins: readonly string[] };

/** The answer of a new passkey, in base64url: `RegistrationResponseJSON`. */
export type RegistrationCredential = {
  id: string;
  rawId: string;
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] | null | undefined };
};

/** The answer of a registered passkey, in base64url: `AuthenticationResponseJSON`. */
export type AssertionCredential = {
  id: string;
  rawId: string;
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle?: string | null | undefined;
  };
};

export type NewCredential = {
  credentialId: string;
  publicKey: string;
  signCount: number;
  transports: string[];
  isBackedUp: boolean;
};

/** What an assertion with a right signature says. */
export type Assertion = { signCount: number; isUserVerified: boolean; isBackedUp: boolean };

/** How a browser finds a registered passkey. */
export type Descriptor = { credentialId: string; transports: readonly string[] };

export interface WebAuthn {
  /** Returns options for a discoverable passkey that verifies its user, without attestation. */
  creationOptions(given: {
    challenge: string;
    application: string;
    /** `handle` is base64url. */
    user: { handle: string; name: string; displayName: string };
    exclude: readonly Descriptor[];
  }): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /** @param allow the passkeys to choose from. Absent: the browser offers all that it has. */
  requestOptions(given: {
    challenge: string;
    mustVerifyUser: boolean;
    allow: readonly Descriptor[] | undefined;
  }): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /**
   * Verifies all but the challenge, which the caller has compared.
   * @returns `undefined` for an answer that is wrong in any way.
   */
  verifyRegistration(credential: RegistrationCredential): Promise<NewCredential | undefined>;
  /**
   * Verifies all but the challenge, which the caller has compared, and the counter.
   * @returns `undefined` for an answer that is wrong in any way.
   */
  verifyAssertion(
    credential: AssertionCredential,
    passkey: { credentialId: string; publicKey: string },
    mustVerifyUser: boolean,
  ): Promise<Assertion | undefined>;
  /** Whether an authenticator can have made the public key: a COSE key in base64url. */
  isPublicKey(publicKey: string): Promise<boolean>;
}

/** What authenticators have, and every Node.js verifies, by preference. */
const supportedAlgorithmIDs: number[] = [ALGORITHMS.edDsa, ALGORITHMS.es256, ALGORITHMS.rs256];

/** How long the browser waits for the user: as long as an operation lives. */
const timeout = 300_000;

const PUBLIC_KEY = 'public-key';

/** The library takes 28 MB and 150 ms to load, which a service without passkeys saves. */
async function load() {
  const [webAuthn, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  return { ...webAuthn, ...helpers };
}

const toBytes = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'));
const toDescriptor = ({ credentialId, transports }: Descriptor) => ({ id: credentialId, transports: [...transports] });

export function createWebAuthn({ id: rpID, origins }: RelyingParty): WebAuthn {
  const expected = { expectedOrigin: [...origins], expectedRPID: rpID, expectedChallenge: () => true };

  return {
    async creationOptions({ challenge, application, user, exclude }) {
      const { generateRegistrationOptions } = await load();
      return generateRegistrationOptions({
        rpName: application,
        rpID,
        userID: toBytes(user.handle),
        userName: user.name,
        userDisplayName: user.displayName,
        challenge,
        timeout,
        attestationType: 'none',
        excludeCredentials: exclude.map(toDescriptor),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs,
      });
    },

    async requestOptions({ challenge, mustVerifyUser, allow }) {
      const { generateAuthenticationOptions } = await load();
      return generateAuthenticationOptions({
        rpID,
        challenge,
        timeout,
        userVerification: mustVerifyUser ? 'required' : 'preferred',
        ...(allow && { allowCredentials: allow.map(toDescriptor) }),
      });
    },

    async verifyRegistration({ id, rawId, response }) {
      const library = await load();
      const { clientDataJSON, attestationObject } = response;
      const transports = response.transports ?? [];
      try {
        if (isFramed(clientDataJSON)) return undefined;
        // The library would fetch the revocation lists that the certificates of an attestation name.
        if (!isUncertified(library.decodeAttestationObject(toBytes(attestationObject)))) return undefined;
        const { verified, registrationInfo } = await library.verifyRegistrationResponse({
          ...expected,
          response: {
            id,
            rawId,
            type: PUBLIC_KEY,
            response: { clientDataJSON, attestationObject, transports },
            clientExtensionResults: {},
          },
          requireUserVerification: true,
          supportedAlgorithmIDs,
        });
        if (!verified || registrationInfo?.credential.id !== id) return undefined;
        const { credential, credentialBackedUp: isBackedUp } = registrationInfo;
        if (!isSoundKey(library.decodeCredentialPublicKey(credential.publicKey))) return undefined;
        const publicKey = Buffer.from(credential.publicKey).toString('base64url');
        return { credentialId: id, publicKey, signCount: credential.counter, transports, isBackedUp };
      } catch {
        return undefined;
      }
    },

    async verifyAssertion({ id, rawId, response }, passkey, mustVerifyUser) {
      const library = await load();
      const { clientDataJSON, authenticatorData, signature } = response;
      try {
        if (isFramed(clientDataJSON)) return undefined;
        const { verified, authenticationInfo } = await library.verifyAuthenticationResponse({
          ...expected,
          response: {
            id,
            rawId,
            type: PUBLIC_KEY,
            response: { clientDataJSON, authenticatorData, signature },
            clientExtensionResults: {},
          },
          requireUserVerification: mustVerifyUser,
          // The statement that records the use compares counters. With 0, the library accepts any.
          credential: { id: passkey.credentialId, publicKey: toBytes(passkey.publicKey), counter: 0 },
        });
        if (!verified) return undefined;
        const { newCounter: signCount, userVerified: isUserVerified, credentialBackedUp } = authenticationInfo;
        return { signCount, isUserVerified, isBackedUp: credentialBackedUp };
      } catch {
        return undefined;
      }
    },

    async isPublicKey(publicKey) {
      const { decodeCredentialPublicKey } = await load();
      try {
        return isSoundKey(decodeCredentialPublicKey(toBytes(publicKey)));
      } catch {
        return false;
      }
    },
  };
}

/** Returns the challenge that a passkey has signed. Returns `undefined` for data that no browser sends. */
export function readChallenge(clientDataJSON: string): string | undefined {
  const { challenge } = readClientData(clientDataJSON);
  return typeof challenge === 'string' ? Buffer.from(challenge, 'base64url').toString() : undefined;
}

/** Returns whether a page in a frame of another origin has asked (WebAuthn, 5.8.1). */
function isFramed(clientDataJSON: string): boolean {
  const { crossOrigin, topOrigin } = readClientData(clientDataJSON);
  return Boolean(crossOrigin) || topOrigin !== undefined;
}

function readClientData(base64url: string): { challenge?: unknown; crossOrigin?: unknown; topOrigin?: unknown } {
  try {
    return Object(JSON.parse(Buffer.from(base64url, 'base64url').toString()));
  } catch {
    return {};
  }
}

/** Returns whether an attestation has no certificates: `none`, or a key that attests itself (WebAuthn, 6.5.4). */
function isUncertified(attestation: {
  get(key: 'fmt'): string;
  get(key: 'attStmt'): { get(key: 'x5c'): unknown };
}): boolean {
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}
