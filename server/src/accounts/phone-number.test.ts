// Phone numbers: what people type is read as E.164, or not at all.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPhoneNumbers } from './phone-number.ts';

const numbersIn = (defaultRegion: string) =>
  // The setting's own value: this reader has no other.
  createPhoneNumbers({ read: () => ({ defaultRegion, allowedCountries: [] }) as never });

describe('a phone number', () => {
  it('is read with the region that is set, in any digits and with the usual separators', () => {
    for (const text of ['082 123 4567', '(082) 123-4567', '+27 82 123 4567', '０８２１２３４５６７']) {
      assert.equal(numbersIn('ZA').parse(text), '+27821234567', text);
    }
    assert.equal(numbersIn('').parse('082 123 4567'), undefined);
  });

  it('is read as people copy it: from a link, with direction marks, in digits of another script', () => {
    const spellings = [
      'tel:+27-82-123-4567',
      'TEL: +27821234567',
      '\u202a+27 82 123 4567\u202c',
      '\u200e+27\u00a082‑123‑4567\u200b',
      '+٢٧٨٢١٢٣٤٥٦٧',
      '+۲۷ ۸۲ ۱۲۳ ۴۵۶۷',
      '＋２７－８２－１２３－４５６７',
      ' +२७८२१२३४५६७ ',
    ];
    for (const text of spellings) assert.equal(numbersIn('').parse(text), '+27821234567', JSON.stringify(text));
    for (const text of ['tel:', 'tel:tel:+27821234567', 'tel:+27821234567;ext=1', 'sms:+27821234567']) {
      assert.equal(numbersIn('ZA').parse(text), undefined, text);
    }
  });

  it('has at most 15 digits, also where the numbering plan of a country has more', () => {
    // Found by fuzzing: a number of Germany's virtual private networks.
    assert.equal(numbersIn('DE').parse('18446744075166'), undefined);
    assert.equal(numbersIn('DE').parse('030 123456'), '+4930123456');
  });
});
