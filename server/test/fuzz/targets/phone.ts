// Phone numbers: what is read is E.164, reading it again changes nothing, and the same digits in another script are the same.
import assert from 'node:assert/strict';
import { createPhoneNumbers } from '../../../src/accounts/phone-number.ts';
import { answerOf, type Target } from '../target.ts';

const regions = ['', 'ZA', 'DE', 'US'] as const;
const readers = regions.map((defaultRegion) => {
  const value = { defaultRegion, allowedCountries: ['ZA', 'DE'] };
  // The setting's own value: this reader has no other.
  return createPhoneNumbers({ read: () => value as never });
});

const toFullWidth = (text: string) => text.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));

export const target: Target = {
  name: 'phone',
  words: ['+27 82 123 4567', '082 123 4567', '+49', '+1 (212) 555-0100', '٠٨٢', '０８２', ';ext=1', 'x12'],
  // The check reads an input up to twenty times. A number that begins with +1 is tried against the plans of 25 countries.
  weight: 14,
  check(input) {
    const text = input.toString();
    return readers.map((numbers) => {
      const number = numbers.parse(text);
      const required = answerOf(() => numbers.require(text, 'mobileNumber'), 'request.invalid');
      assert.deepEqual(required, number === undefined ? { refused: 'request.invalid' } : { value: number });
      const reachable = answerOf(() => numbers.requireReachable(text, 'mobileNumber'), 'request.invalid');
      if (number === undefined) return undefined;
      assert.match(number, /^\+[1-9]\d{4,14}$/);
      assert.equal(numbers.parse(number), number, 'a stored number stays as it is');
      assert.equal(numbers.parse(toFullWidth(number)), number, 'digits of another script are the same');
      assert.equal('value' in reachable, numbers.mayReceive(number));
      return number;
    });
  },
};
