// Phone numbers: any spelling a person may use, to E.164, under the settings for countries.
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { Type } from 'typebox';
import { invalidMember } from '../foundation/errors.ts';
import { defineSetting, type SettingReader } from '../foundation/setting.ts';

const COUNTRY = '[A-Z]{2}';

/** Digits, and what people put between them: no letters, no extension. */
const NUMBER = /^\+?[\d\s()./-]{1,40}$/;

/** `Latchkey.PhoneNumbers`. */
export const phoneNumberSetting = defineSetting({
  name: 'Latchkey.PhoneNumbers',
  scope: 'general',
  category: 'Messages',
  label: 'Phone numbers',
  description: 'How phone numbers are read, and to which countries messages are sent.',
  kind: 'compound',
  order: 300,
  public: false,
  schema: Type.Object({
    defaultRegion: Type.String({
      title: 'Default region',
      description: 'Country of numbers without a country code, as two letters (ISO 3166-1), such as ZA. Empty: none.',
      maxLength: 2,
      pattern: `^(${COUNTRY})?$`,
    }),
    allowedCountries: Type.Array(Type.String({ minLength: 2, maxLength: 2, pattern: `^${COUNTRY}$` }), {
      title: 'Allowed countries',
      description: 'Messages go only to numbers of these countries. None: of all countries.',
      maxItems: 250,
    }),
  }),
  default: { defaultRegion: '', allowedCountries: [] },
  findProblems: ({ defaultRegion, allowedCountries }) => {
    const unknown = [defaultRegion, ...allowedCountries].filter((code) => code !== '' && !isSupportedCountry(code));
    return unknown.map((code) => ({
      message: `${code} is no country that has phone numbers.`,
      members: [code === defaultRegion ? 'defaultRegion' : 'allowedCountries'],
    }));
  },
});

export interface PhoneNumbers {
  /** The number in E.164, or `undefined` for what is no valid number, or more than one. */
  parse(text: string): string | undefined;
  /** The number in E.164. Ends in `request.invalid`, which names `member` and says what to do. */
  require(text: string, member: string): string;
  /** As `require`, for a number that messages may go to. */
  requireReachable(text: string, member: string): string;
  /** Whether messages may go to this number, which is in E.164: else somebody could run up a bill with far countries. */
  mayReceive(number: string): boolean;
}

export function createPhoneNumbers(settings: SettingReader): PhoneNumbers {
  const phoneNumbers: PhoneNumbers = {
    parse(text) {
      const { defaultRegion } = settings.read(phoneNumberSetting);
      const region = isSupportedCountry(defaultRegion) ? defaultRegion : undefined;
      const typed = text.normalize('NFKC').trim();
      if (!NUMBER.test(typed)) return undefined;
      const number = parsePhoneNumberFromString(typed, { extract: false, ...(region && { defaultCountry: region }) });
      return number?.isValid() ? number.number : undefined;
    },
    require(text, member) {
      const number = phoneNumbers.parse(text);
      if (number !== undefined) return number;
      throw invalidMember(member, 'Give the mobile number with its country code, such as +27 82 123 4567.');
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
