// Profiles: validates the answers of providers.
import { hasEmailOutline } from '../foundation/email-address.ts';
import type { AuthError } from '../foundation/errors.ts';
import { isObject } from '../foundation/object.ts';
import { readName, readWords } from '../foundation/typed-text.ts';
import type { ExternalProvider } from './external-provider.ts';

/** What a provider says of a person, and an account is registered with. The address is verified. */
export type Profile = { readonly name: string; readonly surname: string; readonly emailAddress: string };

/** The provider's registered name and its own key of the person. Together they are the identity. */
type Identity = { readonly provider: string; readonly providerKey: string };

/** A person whom a provider has identified. */
export type ExternalUser = Identity & Profile;

/** The same before it is known whether the person registers: only then the profile must be complete. */
export type IdentifiedUser = Identity & {
  readonly profile: Profile | AuthError;
  readonly rules: RegistrationRules;
  /** Which registered provider said so. Null: one of code. */
  readonly source: string | null;
};

/** Who may register by a provider, and with which role. */
export type RegistrationRules = Pick<ExternalProvider, 'registersNewUsers' | 'allowedDomains' | 'roleForNewUsers'>;

/** The same as stored now. `verifiesAddresses`: whether the address of a new account counts as verified. */
export type ConfirmedRules = RegistrationRules & { readonly verifiesAddresses: boolean };

/** Length of the longest key, in UTF-16 units. */
export const MAX_KEY_LENGTH = 256;
const MAX_NAME_LENGTH = 100;

/** Why an answer identifies no person. `refused`: the provider has refused the access code, and the answer is empty. */
export type AnswerProblem = 'refused' | 'incomplete' | 'malformed';

/** Why a person cannot register. `failed`: the class could not ask for address and names. */
export type ProfileProblem = 'failed' | 'incomplete' | 'malformed' | 'unverified';

/** `failure` is what the class says of its own failure. */
type Answer = {
  readonly providerKey: string;
  readonly profile: Profile | ProfileProblem;
  readonly failure: unknown;
};

/** Reads an implementation's answer. It is validated completely, because implementations pass on untrusted data. */
export function readAnswer(answer: unknown): Answer | AnswerProblem {
  if (answer === null || answer === undefined) return 'refused';
  if (!isObject(answer)) return 'malformed';
  const { providerKey, failure } = answer;
  if (isMissing(providerKey)) return 'incomplete';
  if (!isText(providerKey) || providerKey.length > MAX_KEY_LENGTH || !isPlain(providerKey)) return 'malformed';
  return { providerKey, profile: failure ? 'failed' : readProfile(answer), failure };
}

function readProfile(answer: Readonly<Record<string, unknown>>): Profile | ProfileProblem {
  const { emailAddress, name, surname } = answer;
  if (isMissing(emailAddress)) return 'incomplete';
  const [given, family] = [name ?? '', surname ?? ''];
  if (!isText(emailAddress) || !isText(given) || !isText(family)) return 'malformed';
  const address = readName(emailAddress);
  // Some mail providers have issued malformed addresses. They cannot register a person here.
  if (!hasEmailOutline(address)) return 'malformed';
  // A member that is there without a value says nothing of the address.
  if ('isEmailVerified' in answer && answer.isEmailVerified !== true) return 'unverified';
  return { emailAddress: address, name: toName(given), surname: toName(family) };
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** The values that careless code makes of a missing one. As a key, many people would share such a value. */
const MISSING: readonly unknown[] = [undefined, null, '', 'undefined', 'null', 'NaN', '[object Object]'];

const isMissing = (value: unknown) => MISSING.includes(typeof value === 'string' ? value.trim() : value);

const isPlain = (text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text);

/** Returns a name in one line, cut to its longest length. */
function toName(text: string): string {
  const line = readWords(
    text
      .slice(0, 10 * MAX_NAME_LENGTH)
      .toWellFormed()
      .replace(/[\p{Cc}\s]+/gu, ' '),
  );
  return line.slice(0, MAX_NAME_LENGTH).toWellFormed().trim();
}
