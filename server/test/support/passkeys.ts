// Passkeys of a foreign authenticator, and answers that are forged with its keys.
import { createHash, createPrivateKey, sign } from 'node:crypto';
import cbor from 'cbor';
import {
  AuthenticatorEmulator,
  type AuthenticatorParameters,
  PasskeysCredentialsMemoryRepository,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  WebAuthnEmulator,
} from 'nid-webauthn-emulator';
import type { components } from '../../../sdk/src/openapi.gen.ts';
import type { Service } from '../../src/app/compose.ts';
import { ISSUER, type TestService } from './service.ts';

// The encoder of the emulator, cbor 10.0.12, returns only the first chunk on Node.js 26, where `read()` no longer joins them.
cbor.encode = (value: unknown) => {
  const encoder = new cbor.Encoder();
  encoder.pushAny(value);
  encoder.end();
  return encoder.read(encoder.readableLength);
};

export type CreationOptions = {
  operationId: string;
  options: components['schemas']['PublicKeyCredentialCreationOptionsJSON'];
};
export type RequestOptions = {
  operationId: string;
  options: components['schemas']['PublicKeyCredentialRequestOptionsJSON'];
};

/** What a passkey answers, where it differs from a right answer. */
export type Forgery = {
  type?: string;
  challenge?: string;
  origin?: string;
  crossOrigin?: boolean;
  topOrigin?: string;
  rpId?: string;
  /** WebAuthn, 6.1: user present 1, user verified 4, backup eligible 8, backed up 16. */
  flags?: number;
  id?: string;
};

export type ForgedAssertion = Forgery & {
  signCount?: number;
  userHandle?: string | null;
  /** The last byte of the signature is another one. */
  breakSignature?: boolean;
};

export type ForgedRegistration = Forgery & {
  /** `self`: the new key attests itself; `certified`: a key with a certificate attests it (WebAuthn, 8.2). */
  attestation?: 'none' | 'self' | 'certified';
  /** Labels of the public key that differ (RFC 9052, 7). */
  publicKey?: Record<number, unknown>;
};

const ALL_FLAGS = 0b11101;
const FLAGS_OFFSET = 32;
const ATTESTED = 64;
const ID_LENGTH_OFFSET = 53;

/** A certificate as 8.2.1 requires, and its key. Nothing else uses them. */
const certificate = [
  'MIIBlDCCATmgAwIBAgIBATAKBggqhkjOPQQDAjBJMQswCQYDVQQGEwJaQTEKMAgGA1UEChMBVDEiMCAGA1UECxMZQXV0aGVudGljYXRvciBBdH',
  'Rlc3RhdGlvbjEKMAgGA1UEAxMBVDAgFw0yMDAxMDEwMDAwMDBaGA8yMTAwMDEwMTAwMDAwMFowSTELMAkGA1UEBhMCWkExCjAIBgNVBAoTAVQx',
  'IjAgBgNVBAsTGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xCjAIBgNVBAMTAVQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQbijOdRFaTCT',
  '51CDZn3ZlRMG1H-iS_gBwN6enQQRd1cqPOa0go6ghVizlA3NfgHl-HkOWs4c3pMXg9MBTeze8poxAwDjAMBgNVHRMBAf8EAjAAMAoGCCqGSM49',
  'BAMCA0kAMEYCIQD41QI6iQTvHZw3o4FHbr3K-_OgVwOhamLrHvf8zzeOXwIhALmiV562DN6RmgLxs69vUTmVmbzzQq-MHQfGIm0gHyCa',
].join('');
const certifiedKey = [
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4FSiTibqgRfJAnk6CDXY3aIe0ugXP2UonaVmkZzkoWehRANCAAQbijOdRFaTCT',
  '51CDZn3ZlRMG1H-iS_gBwN6enQQRd1cqPOa0go6ghVizlA3NfgHl-HkOWs4c3pMXg9MBTeze8p',
].join('');

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');
const bytesOf = (text: string) => Buffer.from(text, 'base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();
const openKey = (key: Buffer) => createPrivateKey({ key, format: 'der', type: 'pkcs8' });

function clientDataOf(options: { challenge: string }, type: string, forgery: Forgery) {
  const { challenge = options.challenge, origin = ISSUER, crossOrigin = false, topOrigin } = forgery;
  return Buffer.from(JSON.stringify({ type: forgery.type ?? type, challenge, origin, crossOrigin, topOrigin }));
}

/** Returns where the public key begins, which stands at the end of authenticator data (WebAuthn, 6.5.1). */
const findKey = (authData: Buffer) => ID_LENGTH_OFFSET + 2 + authData.readUInt16BE(ID_LENGTH_OFFSET);

/** Returns authenticator data with another public key. */
function changeKey(authData: Buffer, labels: Record<number, unknown>): Buffer {
  const keyAt = findKey(authData);
  const key: Map<number, unknown> = cbor.decode(authData.subarray(keyAt));
  for (const [label, value] of Object.entries(labels)) key.set(Number(label), value);
  return Buffer.concat([authData.subarray(0, keyAt), cbor.encode(key)]);
}

/** Creates an authenticator of the package nid-webauthn-emulator. It verifies its user, and counts unless told otherwise. */
export function createDevice(parameters: Partial<AuthenticatorParameters> = {}) {
  const credentialsRepository = new PasskeysCredentialsMemoryRepository();
  const emulator = new WebAuthnEmulator(new AuthenticatorEmulator({ ...parameters, credentialsRepository }));

  /** Returns its only passkey. */
  function readSource() {
    const [stored] = credentialsRepository.loadCredentials();
    if (!stored) throw new Error('The device has no passkey.');
    const { id, privateKey, userHandle } = stored.publicKeyCredentialSource;
    return {
      id: base64url(id),
      key: openKey(Buffer.from(privateKey)),
      userHandle: userHandle && base64url(userHandle),
    };
  }

  return {
    /** Answers the options of a registration. */
    create: ({ operationId, options }: CreationOptions, origin = ISSUER) => ({
      operationId,
      // The document types members as readonly text, and the emulator names their values.
      credential: emulator.createJSON(origin, options as PublicKeyCredentialCreationOptionsJSON),
    }),

    /** Answers the options of an assertion. */
    get: ({ operationId, options }: RequestOptions, origin = ISSUER) => ({
      operationId,
      // As above.
      credential: emulator.getJSON(origin, options as PublicKeyCredentialRequestOptionsJSON),
    }),

    /** Forges the registration of a passkey that this device has made. */
    forgeRegistration(
      { operationId, options }: CreationOptions,
      { id, response }: RegistrationResponseJSON,
      forgery: ForgedRegistration,
    ) {
      const clientData = clientDataOf(options, 'webauthn.create', forgery);
      let authData = Buffer.from(cbor.decode(bytesOf(response.attestationObject)).authData);
      sha256(forgery.rpId ?? options.rp.id ?? '').copy(authData);
      authData.writeUInt8((forgery.flags ?? ALL_FLAGS) | ATTESTED, FLAGS_OFFSET);
      if (forgery.publicKey) authData = changeKey(authData, forgery.publicKey);
      const { attestation = 'none' } = forgery;
      const key = attestation === 'certified' ? openKey(bytesOf(certifiedKey)) : readSource().key;
      const sig = sign('sha256', Buffer.concat([authData, sha256(clientData)]), key);
      const x5c = attestation === 'certified' ? { x5c: [bytesOf(certificate)] } : {};
      const attStmt = attestation === 'none' ? {} : { alg: -7, sig, ...x5c };
      const fmt = attestation === 'none' ? 'none' : 'packed';
      return {
        operationId,
        credential: {
          id: forgery.id ?? id,
          rawId: forgery.id ?? id,
          response: {
            clientDataJSON: base64url(clientData),
            attestationObject: base64url(cbor.encode({ fmt, attStmt, authData })),
          },
        },
      };
    },

    /** Signs a forged assertion with the key of its only passkey. */
    forge({ operationId, options }: RequestOptions, forgery: ForgedAssertion) {
      const { id, key, userHandle = null } = readSource();
      const { rpId = options.rpId ?? '', flags = ALL_FLAGS, signCount = 1000 } = forgery;
      const clientData = clientDataOf(options, 'webauthn.get', forgery);
      const counter = Buffer.alloc(4);
      counter.writeUInt32BE(signCount);
      const authenticatorData = Buffer.concat([sha256(rpId), Buffer.from([flags]), counter]);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), key);
      const last = signature.length - 1;
      if (forgery.breakSignature) signature.writeUInt8(signature.readUInt8(last) ^ 1, last);
      return {
        operationId,
        credential: {
          id: forgery.id ?? id,
          rawId: forgery.id ?? id,
          response: {
            clientDataJSON: base64url(clientData),
            authenticatorData: base64url(authenticatorData),
            signature: base64url(signature),
            userHandle: forgery.userHandle === undefined ? userHandle : forgery.userHandle,
          },
        },
      };
    },
  };
}

export type Device = ReturnType<typeof createDevice>;

/** Registers the passkey of a device for an account, without its owner's proof. @returns its id. */
export async function enrollPasskey({ database, passkeys }: Service, device: Device, accountId: number) {
  const begun = await database.transaction((tx) => passkeys.beginRegistration(tx, accountId));
  if (!begun) throw new Error('The account has too many passkeys.');
  const owner = { id: accountId, userName: `person${accountId}`, fullName: '' };
  const options = await passkeys.creationOptions(begun, owner, 'Latchkey');
  const verified = await passkeys.verifyRegistration(accountId, device.create({ ...begun, options }));
  const register = (to: Exclude<typeof verified, string>) =>
    database.transaction((tx) => passkeys.register(tx, accountId, to, 'key'));
  const passkey = typeof verified === 'string' ? verified : await register(verified);
  if (typeof passkey !== 'object') throw new Error(`The passkey was not registered: ${passkey}.`);
  return passkey.id;
}

/** Registers the passkey of a device at another service of the same domain. @returns what that service stores. */
export function registerElsewhere(device: Device, userHandle: Buffer) {
  const options: CreationOptions['options'] = {
    rp: { id: new URL(ISSUER).hostname, name: 'Former service' },
    user: { id: base64url(userHandle), name: 'ann', displayName: 'Ann' },
    challenge: base64url('challenge'),
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  };
  const { id, response } = device.create({ operationId: '', options }).credential;
  const authData = Buffer.from(cbor.decode(bytesOf(response.attestationObject)).authData);
  return { credentialId: bytesOf(id), publicKey: authData.subarray(findKey(authData)) };
}

/** Signs in with the only passkey of a device. @returns the token. */
export async function signInByPasskey(test: TestService, device: Device): Promise<string> {
  const { result: options } = await test.post('/api/TokenAuth/GetPasskeyOptions');
  const { result, text } = await test.post('/api/TokenAuth/PasskeyAuthenticate', { body: device.get(options) });
  if (!result?.accessToken) throw new Error(text);
  return result.accessToken;
}
