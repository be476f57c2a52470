// Problems: the failure of a call in the reader's language, with the faults of each field.
import { isLatchkeyError, type LatchkeyError, type Reason } from 'latchkey-sdk';
import { words } from '../words/index.ts';
import { PartFailure } from './part.ts';

export type Problem = {
  readonly message: string;
  /** The fault of each wrong field, by its name. */
  readonly fields: Readonly<Record<string, string>>;
  /** When to retry, in milliseconds of this browser's clock. Set for rate limits and for a service that is too busy. */
  readonly retryAt: number | undefined;
  readonly traceId: string | undefined;
  /** Whether the lockout refused the attempt. */
  readonly isLocked?: boolean;
  /** Whether the service asks for a second factor before it does this. */
  readonly needsSecondFactor?: boolean;
};

/** Whether the field of this name shows the fault of a member: its own, or one of its entries, such as `scopes.0` of `scopes`. */
export const isFaultOf = (name: string, member: string): boolean => member === name || member.startsWith(`${name}.`);

/** Returns what is wrong with a field, if anything. */
export function faultOf(problem: Problem | undefined, name: string): string | undefined {
  const faults = Object.entries(problem?.fields ?? {}).filter(([member]) => isFaultOf(name, member));
  return faults.length > 0 ? faults.map(([, fault]) => fault).join(' ') : undefined;
}

/** Input with faults, found before it is sent. `fields` has the fault of each wrong field, by its name. */
export class InputError extends Error {
  readonly fields: Readonly<Record<string, string>>;
  constructor(fields: Readonly<Record<string, string>>) {
    super(Object.values(fields)[0] ?? '');
    this.fields = fields;
  }
}

/** A refusal by these pages. Its message says the reason in the reader's language. */
export class Refusal extends Error {}

/** @throws InputError if any field has a fault. */
export function requireFields(fields: Readonly<Record<string, string>>): void {
  if (Object.keys(fields).length > 0) throw new InputError(fields);
}

/** Returns a handler for `catch`: turns a refusal for this reason into a fault of this field. */
export function asFieldError(field: string, reason: Reason) {
  return (error: unknown): never => {
    if (isLatchkeyError(error, reason)) throw new InputError({ [field]: describeError(error) });
    throw error;
  };
}

/** Returns why a call was refused, in the reader's language if there is a translation, else in the service's words. */
function describeError({ reason, details, message }: LatchkeyError): string {
  if (reason === 'network') return words.common.unreachable;
  return words.service.details[details] ?? describeReason(reason, details || message);
}

/** Returns the translation of a reason, or the text of the service if there is none. */
export const describeReason = (reason: string, text: string): string => {
  const reasons: Readonly<Record<string, string | undefined>> = words.service.reasons;
  return reasons[reason] ?? text;
};

type Fault = LatchkeyError['validationErrors'][number];

/** What a fault repeats of the input: quoted text, an address, a list of placeholders, or a number. */
const REPEATED = /"[^"]*"|https?:\/\/\S*[^\s.,:;]|\{\{[^{}]*\}\}(?:(?:, | or )\{\{[^{}]*\}\})*|\d+/g;

/** What stands for it in the table of translations. */
const STAND_IN = /"…"|https:\/\/…|\{\{…\}\}|#/g;

const standInFor = (text: string) =>
  text.startsWith('"') ? '"…"' : text.startsWith('http') ? 'https://…' : text.startsWith('{{') ? '{{…}}' : '#';

/** Returns the key of a fault in the table of translations, and what to insert for its stand-ins. @public A test reads it. */
export function keyOfFault({ message, members: [member = ''] }: Fault): [key: string, repeated: string[]] {
  const subject = [member, 'The value'].find((one) => message.startsWith(`${one} `));
  const text = subject === undefined ? message : `…${message.slice(subject.length)}`;
  return [text.replace(REPEATED, standInFor), text.match(REPEATED) ?? []];
}

/**
 * Returns a message likewise, if it does not stand beside its field.
 * @param labelOf returns what the reader calls a member.
 */
export function describeMessage(message: string, labelOf: (member: string) => string): string {
  const [, named, sentence] = /^(\w+): (.*)$/.exec(message) ?? [];
  if (named && sentence)
    return words.common.labelled(labelOf(named), describeFault({ message: sentence, members: [] }));
  const [member = ''] = message.split(' ');
  const asFault = describeFault({ message, members: [member] });
  if (asFault !== message) return words.common.labelled(labelOf(member), asFault);
  return describeFault({ message, members: [] });
}

/**
 * Returns the fault of one member of the input, likewise.
 * @param table the translations.
 */
export function describeFault(
  fault: Fault,
  table: Readonly<Record<string, string | undefined>> = words.service.faults,
) {
  const [key, repeated] = keyOfFault(fault);
  return table[key]?.replace(STAND_IN, () => repeated.shift() ?? '') ?? fault.message;
}

export function describeProblem(error: unknown): Problem {
  if (error instanceof InputError) {
    return { message: error.message, fields: error.fields, retryAt: undefined, traceId: undefined };
  }
  if (error instanceof Refusal) {
    return { message: error.message, fields: {}, retryAt: undefined, traceId: undefined };
  }
  if (!isLatchkeyError(error)) {
    const message = error instanceof PartFailure ? words.common.partMissing : words.common.unforeseen;
    return { message, fields: {}, retryAt: undefined, traceId: undefined };
  }
  const { validationErrors, retryAfter, traceId, status } = error;
  const faults = validationErrors.map((one) => [one.members[0] ?? '', describeFault(one)] as const);
  const fields: Record<string, string> = {};
  for (const [name, fault] of faults) fields[name] = name in fields ? `${fields[name]} ${fault}` : fault;
  return {
    message: faults.map(([, fault]) => fault).join(' ') || describeError(error),
    fields,
    retryAt: retryAfter === undefined ? undefined : Date.now() + retryAfter * 1000,
    traceId: status >= 500 ? traceId : undefined,
    isLocked: isLatchkeyError(error, 'signIn.lockedOut'),
    needsSecondFactor: isLatchkeyError(error, 'factor.secondFactorRequired'),
  };
}
