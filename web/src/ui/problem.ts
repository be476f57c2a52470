// Problems: what a call has failed with, in words for the reader, sorted to the fields it is about.
import { isLatchkeyError, type LatchkeyError, type Reason } from 'latchkey-sdk';
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
    if (isLatchkeyError(error, reason)) throw new InputError({ [field]: sayReason(error) });
    throw error;
  };
}

/** What a call was refused for, in the reader's language where there are words, else as the service says it. */
function sayReason({ reason, details, message }: LatchkeyError): string {
  if (reason === 'network') return words.common.unreachable;
  return words.service.reasons[reason] ?? (details || message);
}

type Fault = LatchkeyError['validationErrors'][number];

/** Under what the words for a fault stand, whichever field it is of, and the numbers that go into them. */
function keyOfFault({ message, members: [member = ''] }: Fault): [key: string, numbers: string[]] {
  const text = message.startsWith(`${member} `) ? `…${message.slice(member.length)}` : message;
  return [text.replace(/\d+/g, '#'), text.match(/\d+/g) ?? []];
}

/** What is wrong with one member of the input, likewise. */
function sayFault(fault: Fault): string {
  const [key, numbers] = keyOfFault(fault);
  return words.service.faults[key]?.replace(/#/g, () => numbers.shift() ?? '') ?? fault.message;
}

export function describeProblem(error: unknown): Problem {
  if (error instanceof InputError) {
    return { message: error.message, fields: error.fields, retryAt: undefined, traceId: undefined };
  }
  if (!isLatchkeyError(error))
    return { message: words.common.unforeseen, fields: {}, retryAt: undefined, traceId: undefined };
  const { validationErrors, retryAfter, traceId, status } = error;
  const faults = validationErrors.map((one) => [one.members[0] ?? '', sayFault(one)] as const);
  const fields: Record<string, string> = {};
  for (const [name, fault] of faults) fields[name] = name in fields ? `${fields[name]} ${fault}` : fault;
  return {
    message: faults.map(([, fault]) => fault).join(' ') || sayReason(error),
    fields,
    retryAt: retryAfter === undefined ? undefined : Date.now() + retryAfter * 1000,
    traceId: status >= 500 ? traceId : undefined,
  };
}
