// Phone numbers: any spelling a person may use, to E.164.
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** The number in E.164, or `undefined` for what is no valid number with its country code. */
export function toMobileNumber(text: string): string | undefined {
  const number = parsePhoneNumberFromString(text.slice(0, 40));
  return number?.isValid() ? number.number : undefined;
}
