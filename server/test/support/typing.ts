// Spellings in which people type the same digits.

const withZero = (zero: number) => (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

/** Returns the text with Arabic digits. */
export const inArabic = withZero(0x660);

/** Returns the text with full-width digits, as keyboards for Chinese and Japanese make them. */
export const inFullWidth = withZero(0xff10);
