// Passkeys on the pages: one ceremony at a time, and its failures in the reader's language.
import {
  type Calls,
  type Ceremony,
  createPasskey,
  getPasskey,
  isLatchkeyError,
  canUsePasskeys as isSupported,
} from 'latchkey-sdk';
import { InputError } from '../ui/problem.ts';
import { words } from '../words/index.ts';

type Options = Calls['TokenAuth/GetPasskeyOptions']['result'];

export type UsedPasskey = Awaited<ReturnType<typeof getPasskey>>;

/** Whether this page can use passkeys. */
export const canUsePasskeys = isSupported();

/** Whether the browser can offer passkeys in the autofill of a field. */
export const canAutofillPasskeys = async (): Promise<boolean> =>
  canUsePasskeys && (await PublicKeyCredential.isConditionalMediationAvailable());

/** The ceremony that waits for the user. */
let waiting = new AbortController();

/** Ends the ceremony that waits for the user. */
export const cancelPasskey = () => waiting.abort();

function begin(): Ceremony {
  cancelPasskey();
  waiting = new AbortController();
  return { signal: waiting.signal };
}

/** Creates a passkey. @throws InputError when the user cancels, or already has a passkey there. */
export const addPasskey = (options: Calls['Passkey/GetRegistrationOptions']['result']) =>
  createPasskey(options, begin()).catch(describeFailure);

/** Asks for a passkey. @throws InputError when the user cancels. */
export const askForPasskey = (options: Options) => getPasskey(options, begin()).catch(describeFailure);

/** Asks for a passkey of one account. @throws InputError also when all are bound to a former address of the service. */
export const askForPasskeyOf = async (begun: Promise<Options>) => {
  const options = await begun.catch((error: unknown): never => {
    if (isLatchkeyError(error, 'factor.invalid')) throw new InputError({ passkey: words.factors.passkey.wrongAddress });
    throw error;
  });
  return askForPasskey(options);
};

/** Waits until the user chooses a passkey in the autofill of a field. @returns `undefined` when another ceremony begins. */
export const awaitAutofill = (options: Options) =>
  getPasskey(options, { ...begin(), mediation: 'conditional' }).catch(() => undefined);

/** The names of errors are those of WebAuthn level 3, sections 5.1.3 and 5.1.4. */
function describeFailure(error: unknown): never {
  const { cancelled, exists, wrongAddress } = words.factors.passkey;
  const name = error instanceof DOMException ? error.name : '';
  const text = { InvalidStateError: exists, SecurityError: wrongAddress }[name];
  throw new InputError({ passkey: text ?? cancelled });
}
