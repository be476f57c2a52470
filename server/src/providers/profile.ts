// Profiles: validates the answers of providers.
import { hasEmailOutline } from '../foundation/email-address.ts';

/** A person whom a provider has identified. */
export type ExternalUser = {
  /** The provider's registered name. Name and key together are the identity. */
  readonly provider: string;
  readonly providerKey: string;
  readonly name: string;
  readonly surname: string;
  readonly emailAddress: string;
};

/** Length of the longest key, in UTF-16 units. */
export const MAX_KEY_LENGTH = 256;
const MAX_NAME_LENGTH = 100;

/** Why an answer is not accepted. `refused`: the provider has refused the access code, and the answer is empty. */
export type ProfileProblem = 'refused' | 'incomplete' | 'malformed';

/** Reads an implementation's answer. It is validated completely, because implementations pass on untrusted data. */
export function readProfile(answer: unknown): Omit<ExternalUser, 'provider'> | ProfileProblem {
  if (answer === null || answer === undefined) return 'refused';
  if (!isObject(answer)) return 'malformed';
  const { providerKey, emailAddress, name, surname } = answer;
  if (isMissing(providerKey) || isMissing(emailAddress)) return 'incomplete';
  const [given, family] = [name ?? '', surname ?? ''];
  if (!isText(providerKey) || !isText(emailAddress) || !isText(given) || !isText(family)) return 'malformed';
  // Some mail providers have issued malformed addresses. They cannot identify or register a person here.
  if (providerKey.length > MAX_KEY_LENGTH || !isPlain(providerKey) || !hasEmailOutline(emailAddress))
    return 'malformed';
  return { providerKey, emailAddress, name: toName(given), surname: toName(family) };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isText = (value: unknown): value is string => typeof value === 'string';

/** The values that careless code makes of a missing one. As a key, many people would share such a value. */
const MISSING: readonly unknown[] = [undefined, null, '', 'undefined', 'null', 'NaN', '[object Object]'];

const isMissing = (value: unknown) => MISSING.includes(typeof value === 'string' ? value.trim() : value);

const isPlain = (text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text);

/** Returns a name in one line, cut to its longest length. */
function toName(text: string): string {
  const line = text
    .slice(0, 10 * MAX_NAME_LENGTH)
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line.slice(0, MAX_NAME_LENGTH).toWellFormed().trim();
}
