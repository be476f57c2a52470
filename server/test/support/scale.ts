// How much the tests try: less within `npm test`, much in the long forms.
import { it, type TestContext } from 'node:test';

/** Whether this is a long form, such as `npm run test:long` or `npm run test:faults`. */
export const isLong = process.env.LATCHKEY_TEST_LONG === '1';

/** Returns the count for the short form or for the long one. */
export const often = (short: number, long: number) => (isLong ? long : short);

/** Returns all variants of one kind for the long form, and the first and every so many after it for the short one. */
export const spread = <One>(variants: readonly One[], step: number): readonly One[] =>
  variants.filter((_, place) => isLong || place % step === 0);

/** Declares a test that takes so long that only the long form has it. */
export function itAtLength(name: string, run: (test: TestContext) => void | Promise<void>): void {
  if (isLong) it(name, run);
}
