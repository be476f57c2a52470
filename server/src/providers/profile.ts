// Profiles: what of a provider's answer is believed.
import { hasEmailOutline } from '../foundation/email-address.ts';

/** Somebody whom a provider vouches for. */
export type ExternalUser = {
  /** The registered name: with the key, the identity. */
  readonly provider: string;
  readonly providerKey: string;
  readonly name: string;
  readonly surname: string;
  readonly emailAddress: string;
};

/** Longest key, in UTF-16 units. */
export const MAX_KEY_LENGTH = 256;
const MAX_NAME_LENGTH = 100;

/** Why an answer is not believed; the provider itself has refused the code when it has answered nothing. */
export type Disbelief = 'refused' | 'incomplete' | 'nonsense';

/** Reads an implementation's answer, of which nothing is taken for granted: implementations pass on what strangers send. */
export function readProfile(answer: unknown): Omit<ExternalUser, 'provider'> | Disbelief {
  if (answer === null || answer === undefined) return 'refused';
  if (typeof answer !== 'object') return 'nonsense';
  const { providerKey, emailAddress, name, surname } = answer as Record<string, unknown>;
  if (isMissing(providerKey) || isMissing(emailAddress)) return 'incomplete';
  const texts = [providerKey, emailAddress, name ?? '', surname ?? ''];
  if (!texts.every((text) => typeof text === 'string')) return 'nonsense';
  const [key, email, given, family] = texts as [string, string, string, string];
  // Some mail providers have given out addresses that are not well-formed: they identify nobody here, and register nobody.
  if (key.length > MAX_KEY_LENGTH || !isPlain(key) || !hasEmailOutline(email)) return 'nonsense';
  return { providerKey: key, emailAddress: email, name: toName(given), surname: toName(family) };
}

/** What careless code makes of a missing value: as a key it would be everybody's. */
const MISSING: readonly unknown[] = [undefined, null, '', 'undefined', 'null', 'NaN', '[object Object]'];

const isMissing = (value: unknown) => MISSING.includes(typeof value === 'string' ? value.trim() : value);

const isPlain = (text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text);

/** A name in one line, cut where it is longer than a name may be. */
function toName(text: string): string {
  const line = text
    .slice(0, 10 * MAX_NAME_LENGTH)
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line.slice(0, MAX_NAME_LENGTH).toWellFormed().trim();
}
