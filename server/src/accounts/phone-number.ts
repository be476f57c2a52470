// Phone numbers: turns what a person typed into E.164, under the `Latchkey.PhoneNumbers` setting.
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { Type } from 'typebox';
import { invalidMember } from '../foundation/errors.ts';
import { defineSetting, type SettingReader } from '../foundation/setting.ts';
import { readName, toAsciiDigits } from '../foundation/typed-text.ts';

const COUNTRY = '[A-Z]{2}';

/** Digits and the usual separators. Letters and extensions are refused. */
const NUMBER = /^\+?[\d\s()./\p{Dash}]{1,40}$/u;

/** Returns a number in ASCII digits, as a person typed it or as a link has it (RFC 3966). */
const readTyped = (text: string) => toAsciiDigits(readName(text.normalize('NFKC'))).replace(/^tel:\s*/i, '');

const INTERNATIONAL = 'Give the mobile number with its country code, in international form, such as +27 82 123 4567.';
const OR_SET_REGION =
  'Or set the default region in the setting “Phone numbers”: the service then reads national numbers of that country.';

/** `Latchkey.PhoneNumbers`. */
export const phoneNumberSetting = defineSetting({
  name: 'Latchkey.PhoneNumbers',
  scope: 'general',
  category: 'Messages',
  label: 'Phone numbers',
  description: 'How the service reads phone numbers, and to which countries it sends messages.',
  kind: 'compound',
  order: 300,
  public: false,
  schema: Type.Object({
    defaultRegion: Type.String({
      title: 'Default region',
      description: 'The country of numbers without a country code: two letters (ISO 3166-1), such as ZA. Empty: none.',
      maxLength: 2,
      pattern: `^(${COUNTRY})?$`,
    }),
    allowedCountries: Type.Array(Type.String({ minLength: 2, maxLength: 2, pattern: `^${COUNTRY}$` }), {
      title: 'Allowed countries',
      description: 'The service sends messages only to numbers of these countries. Empty: all countries.',
      maxItems: 250,
    }),
  }),
  default: { defaultRegion: '', allowedCountries: [] },
  findProblems: ({ defaultRegion, allowedCountries }) => {
    const unknown = [defaultRegion, ...allowedCountries].filter((code) => code !== '' && !isSupportedCountry(code));
    return unknown.map((code) => ({
      message: `"${code}" is not a country with phone numbers. Use a two-letter code such as ZA.`,
      members: [code === defaultRegion ? 'defaultRegion' : `allowedCountries.${allowedCountries.indexOf(code)}`],
    }));
  },
});

/** The library also takes national numbers of Germany with 14 digits, which are too long with their country code. */
const E164 = /^\+[1-9]\d{1,14}$/;

export interface PhoneNumbers {
  /** Returns the number in E.164, or `undefined` if the text is not exactly one valid number. */
  parse(text: string): string | undefined;
  /**
   * Returns the number in E.164.
   * @param reader who reads the refusal. Administrators learn which setting would let the service read a national number.
   * @throws AuthError `request.invalid`, naming `member`, when the text is not exactly one valid number.
   */
  require(text: string, member: string, reader?: 'public' | 'administrator'): string;
  /**
   * Returns the number in E.164 if messages may go to it.
   * @throws AuthError `request.invalid`, naming `member`, when the number is not valid or its country not allowed.
   */
  requireReachable(text: string, member: string): string;
  /** Whether messages may go to this number (E.164). Attackers run up costs with numbers in expensive countries. */
  mayReceive(number: string): boolean;
}

export function createPhoneNumbers(settings: SettingReader): PhoneNumbers {
  const phoneNumbers: PhoneNumbers = {
    parse(text) {
      const { defaultRegion } = settings.read(phoneNumberSetting);
      const region = isSupportedCountry(defaultRegion) ? defaultRegion : undefined;
      const typed = readTyped(text);
      if (!NUMBER.test(typed)) return undefined;
      const number = parsePhoneNumberFromString(typed, { extract: false, ...(region && { defaultCountry: region }) });
      return number?.isValid() && E164.test(number.number) ? number.number : undefined;
    },
    require(text, member, reader = 'public') {
      const number = phoneNumbers.parse(text);
      if (number !== undefined) return number;
      const typed = readTyped(text);
      const isNational = NUMBER.test(typed) && !typed.startsWith('+');
      const wantsRegion = isNational && settings.read(phoneNumberSetting).defaultRegion === '';
      const more = reader === 'administrator' && wantsRegion ? ` ${OR_SET_REGION}` : '';
      throw invalidMember(member, `${INTERNATIONAL}${more}`);
    },
    requireReachable(text, member) {
      const number = phoneNumbers.require(text, member);
      if (phoneNumbers.mayReceive(number)) return number;
      throw invalidMember(member, 'Messages are not sent to numbers of this country. Give a number of another one.');
    },
    mayReceive(number) {
      const { allowedCountries } = settings.read(phoneNumberSetting);
      const country = parsePhoneNumberFromString(number)?.country;
      return allowedCountries.length === 0 || (country !== undefined && allowedCountries.includes(country));
    },
  };
  return phoneNumbers;
}
