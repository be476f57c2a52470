// Problems: what a call has failed with, in words for the reader, sorted to the fields it is about.
import { isLatchkeyError, type Reason } from 'latchkey-sdk';
import { words } from '../words/index.ts';

export type Problem = {
  readonly message: string;
  /** What is wrong with a field, by its name. */
  readonly fields: Readonly<Record<string, string>>;
  /** When the same may be tried again, in milliseconds; also for a service that is too busy at the moment. */
  readonly retryAt: number | undefined;
  readonly traceId: string | undefined;
};

/** Input that is wrong before anything is sent: what is wrong with each field, by its name. */
export class InputError extends Error {
  readonly fields: Readonly<Record<string, string>>;
  constructor(fields: Readonly<Record<string, string>>) {
    super(Object.values(fields)[0] ?? '');
    this.fields = fields;
  }
}

/** @throws InputError if there is anything wrong with a field. */
export function requireFields(fields: Readonly<Record<string, string>>): void {
  if (Object.keys(fields).length > 0) throw new InputError(fields);
}

/** For the end of a call: says of a refusal for this reason that it is about this field. */
export function beside(field: string, reason: Reason) {
  return (error: unknown): never => {
    if (isLatchkeyError(error, reason)) throw new InputError({ [field]: error.message });
    throw error;
  };
}

export function describeProblem(error: unknown): Problem {
  if (error instanceof InputError) {
    return { message: error.message, fields: error.fields, retryAt: undefined, traceId: undefined };
  }
  if (!isLatchkeyError(error))
    return { message: words.common.unforeseen, fields: {}, retryAt: undefined, traceId: undefined };
  const { reason, message, details, validationErrors, retryAfter, traceId, status } = error;
  const fields = Object.fromEntries(validationErrors.map((one) => [one.members[0] ?? '', one.message]));
  const isFault = status >= 500;
  return {
    message: reason === 'network' ? words.common.unreachable : details || message,
    fields,
    retryAt: retryAfter === undefined ? undefined : Date.now() + retryAfter * 1000,
    traceId: isFault ? traceId : undefined,
  };
}
