// Passkeys: the browser's own ceremonies, with the options and credentials of the service's calls (WebAuthn level 3).
import type { Calls } from './calls.ts';

type NewPasskey = Pick<Calls['Passkey/Register']['input'], 'operationId' | 'credential'>;
type UsedPasskey = Calls['TokenAuth/PasskeyAuthenticate']['input'];

/** What the page adds to a ceremony. `conditional` waits until the user chooses a passkey in the autofill of a field. */
export type Ceremony = { readonly signal?: AbortSignal; readonly mediation?: 'conditional' };

/** Whether this page can use passkeys: browsers allow it in secure contexts only. */
export const canUsePasskeys = (): boolean =>
  globalThis.isSecureContext === true &&
  'PublicKeyCredential' in globalThis &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential;

/**
 * Creates a passkey in the browser.
 * @param begun the result of `Passkey/GetRegistrationOptions`.
 * @returns what `Passkey/Register` takes, besides the name.
 * @throws DOMException as `navigator.credentials.create`, such as `NotAllowedError` when the user cancels.
 */
export async function createPasskey(
  { operationId, options }: Calls['Passkey/GetRegistrationOptions']['result'],
  ceremony: Pick<Ceremony, 'signal'> = {},
): Promise<NewPasskey> {
  // The service's types of the options are read-only, those of the browser are not.
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON);
  const credential = toJson(await navigator.credentials.create({ publicKey, ...ceremony }));
  // The browser types both kinds of response as one. A creation gives this one.
  return { operationId, credential: credential as RegistrationResponseJSON };
}

/**
 * Asks for a passkey in the browser.
 * @param begun the result of `TokenAuth/GetPasskeyOptions`, `GetSecondFactorOptions` or `GetReauthenticationOptions`.
 * @returns what `TokenAuth/PasskeyAuthenticate`, `VerifySecondFactor` or `reauthenticate` takes.
 * @throws DOMException as `navigator.credentials.get`, such as `NotAllowedError` when the user cancels.
 */
export async function getPasskey(
  { operationId, options }: Calls['TokenAuth/GetPasskeyOptions']['result'],
  ceremony: Ceremony = {},
): Promise<UsedPasskey> {
  // The service's types of the options are read-only, those of the browser are not.
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
  const credential = toJson(await navigator.credentials.get({ publicKey, ...ceremony }));
  // The browser types both kinds of response as one. A request gives this one.
  return { operationId, credential: credential as AuthenticationResponseJSON };
}

function toJson(credential: Credential | null) {
  if (credential instanceof PublicKeyCredential) return credential.toJSON();
  throw new DOMException('The browser gave no passkey.', 'NotAllowedError');
}
