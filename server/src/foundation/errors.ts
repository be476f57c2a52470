// Errors: the failures that callers may see, as tables of stable reasons, and the one error class that carries them.
import type { Actor } from './events.ts';

/** One broken rule of an input, and the members of the request that break it. */
export type ValidationError = { message: string; members: string[] };

/** The table entry of an error: its HTTP status, and one plain sentence for a person. */
export type ErrorEntry = {
  readonly status: number;
  readonly message: string;
  /** Whether an operator learns of each from the log, with its cause. Errors with a status of 500 and above are logged anyhow. */
  readonly isLogged?: boolean;
};

/** What one error may add to its table entry. */
export type ErrorOptions = {
  /** A second sentence for the person, shown as `details`. */
  details?: string;
  /** Seconds for the `Retry-After` header, at least 1. */
  retryAfterSeconds?: number;
  validationErrors?: ValidationError[];
  /** Logged, never sent. */
  cause?: unknown;
  /** Who was refused, for the audit trail. Never sent. */
  by?: Actor;
};

/** A refusal or failure that the service reports to the caller. `reason` is the stable key in the error catalogue. */
export class AuthError extends Error {
  readonly reason: string;
  readonly status: number;
  readonly isLogged: boolean;
  readonly details: string;
  readonly retryAfterSeconds: number | undefined;
  readonly validationErrors: ValidationError[] | null;
  readonly by: Actor | undefined;

  constructor(reason: string, entry: ErrorEntry, options: ErrorOptions = {}) {
    super(entry.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AuthError';
    this.reason = reason;
    this.status = entry.status;
    this.isLogged = entry.isLogged ?? false;
    this.details = options.details ?? entry.message;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.validationErrors = options.validationErrors ?? null;
    this.by = options.by;
  }

  /** Whether the service failed: the call was neither carried out nor refused. */
  get isFault(): boolean {
    return this.status === 500 || this.status === 503;
  }

  /** Returns the same refusal with another HTTP status. */
  withStatus(status: number): AuthError {
    const { message, isLogged, details, retryAfterSeconds, validationErrors, cause, by } = this;
    return new AuthError(
      this.reason,
      { status, message, isLogged },
      {
        details,
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
        ...(validationErrors && { validationErrors }),
        ...(cause !== undefined && { cause }),
        ...(by && { by }),
      },
    );
  }
}

/** Whether the service refused, as opposed to any fault. */
export const isRefusal = (error: unknown): error is AuthError => error instanceof AuthError && !error.isFault;

/** Returns the result of `work`, or `undefined` if the service refuses it. @throws any fault. */
export async function unlessRefused<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** Creates one kind of {@link AuthError}. Its members describe it in the generated catalogue. */
export type ErrorKind = ((options?: ErrorOptions) => AuthError) & { readonly reason: string } & ErrorEntry;

/**
 * Declares the errors of one slice. `defineErrors('pin', { invalid: { status: 401, message: '…' } })` returns an object
 * whose `invalid()` creates an {@link AuthError} with the reason `pin.invalid`.
 */
export function defineErrors<Name extends string>(
  prefix: string,
  table: Record<Name, ErrorEntry>,
): Readonly<Record<Name, ErrorKind>> {
  const kinds = Object.entries<ErrorEntry>(table).map(([name, entry]) => {
    const reason = `${prefix}.${name}`;
    const make = (options?: ErrorOptions) => new AuthError(reason, entry, options);
    Object.defineProperty(make, 'message', { value: entry.message });
    return [name, Object.assign(make, { reason, status: entry.status })];
  });
  return Object.fromEntries(kinds);
}

/** Faults of the service itself. */
export const serviceErrors = defineErrors('service', {
  unavailable: { status: 503, message: 'The service cannot answer at the moment. Please try again shortly.' },
  error: {
    status: 500,
    message: 'The service failed. Please try again. If it fails again, report the trace id to an administrator.',
  },
});

/** Whether the database cannot be asked, or another part of the service cannot answer at the moment. */
export const isOutage = (error: unknown): boolean =>
  error instanceof AuthError && error.reason === serviceErrors.unavailable.reason;

/** Requests that the service rejects before it looks at their meaning. */
export const requestErrors = defineErrors('request', {
  invalid: { status: 400, message: 'The request is not valid.' },
  crossSite: {
    status: 403,
    message: 'A page of another website sent this request. Please use the pages of this service.',
  },
  notFound: { status: 404, message: 'There is nothing at this address. Please check it.' },
  methodNotAllowed: { status: 405, message: 'This address does not support this HTTP method.' },
  tooSlow: { status: 408, message: 'The request took too long to arrive. Please send it again.' },
  tooLarge: { status: 413, message: 'The request is too large.' },
  unsupportedMediaType: { status: 415, message: 'Send the body as application/json.' },
});

/** Creates a `request.invalid` about these faults. The details join their sentences. */
export function invalidMembers(validationErrors: ValidationError[]): AuthError {
  return requestErrors.invalid({ details: validationErrors.map(({ message }) => message).join(' '), validationErrors });
}

/** Creates a `request.invalid` about one member. @param message a sentence that says what to do. */
export const invalidMember = (member: string, message: string): AuthError =>
  invalidMembers([{ message, members: [member] }]);

/** The caller is signed in, but may not do this. */
export const permissionErrors = defineErrors('permission', {
  denied: { status: 403, message: 'You do not have permission to do this.' },
});

/** Returns the code of an error of Node.js or a database driver, such as `ENOENT`. Returns `undefined` if it has none. */
export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Returns the message of an error, or the thrown value as text. */
export function errorMessageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A row violates a unique key of the database. Stores translate it into an error of their slice. */
export class UniqueViolation extends Error {
  constructor(cause: unknown) {
    super('A unique key is already taken.', { cause });
    this.name = 'UniqueViolation';
  }
}
