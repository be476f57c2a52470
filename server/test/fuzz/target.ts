// A target of the fuzzer: a parser that faces callers, and what must hold for every input.
import { AuthError } from '../../src/foundation/errors.ts';

export type Target = {
  readonly name: string;
  /** Texts that inputs often need, besides those in the sources. */
  readonly words?: readonly string[];
  /** How many times the usual work an input may cost. Default: 1. */
  readonly weight?: number;
  /** Longer inputs are not tried. */
  readonly maxBytes?: number;
  /**
   * Gives the input to the parser, and asserts what must hold of its answer.
   * @returns the answer, which must be the same each time.
   * @throws anything: a finding.
   */
  readonly check: (input: Buffer) => unknown;
};

/** What a parser answered: a value, or the documented reason with which it refused. */
export type Answer<Value> = { readonly value: Value } | { readonly refused: string };

/** Runs a parser that may refuse its input. @throws what it throws, unless it refuses with one of these reasons. */
export function answerOf<Value>(parse: () => Value, ...reasons: readonly string[]): Answer<Value> {
  try {
    return { value: parse() };
  } catch (error) {
    if (!(error instanceof AuthError) || !reasons.includes(error.reason) || error.status >= 500) throw error;
    if (error.details === '') throw new Error('A refusal says nothing.');
    return { refused: error.reason };
  }
}
