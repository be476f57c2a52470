// Errors: what a caller may be told, as tables of stable reasons, and the one error class that carries it.

/** One broken rule of an input, and the members of the request it concerns. */
export type ValidationError = { message: string; members: string[] };

/** What an error's table entry says: HTTP status and one plain sentence for a person. */
export type ErrorEntry = { readonly status: number; readonly message: string };

/** What a single occurrence may add to its table entry. */
export type ErrorOptions = {
  /** A second sentence for the person, shown as `details`. */
  details?: string;
  /** Seconds for the `Retry-After` header, at least 1. */
  retryAfterSeconds?: number;
  validationErrors?: ValidationError[];
  /** For the log alone: never sent. */
  cause?: unknown;
};

/** A refusal or failure that the caller is told about. `reason` is the stable machine word of the catalogue. */
export class AuthError extends Error {
  readonly reason: string;
  readonly status: number;
  readonly details: string;
  readonly retryAfterSeconds: number | undefined;
  readonly validationErrors: ValidationError[] | null;

  constructor(reason: string, entry: ErrorEntry, options: ErrorOptions = {}) {
    super(entry.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AuthError';
    this.reason = reason;
    this.status = entry.status;
    this.details = options.details ?? entry.message;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.validationErrors = options.validationErrors ?? null;
  }
}

/** Makes one kind of {@link AuthError}; also says what it is, for the generated catalogue. */
export type ErrorKind = ((options?: ErrorOptions) => AuthError) & { readonly reason: string } & ErrorEntry;

/**
 * Declares the errors of one slice: `defineErrors('pin', { invalid: { status: 401, message: '…' } })`
 * makes `errors.invalid()`, an {@link AuthError} with the reason `pin.invalid`.
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
    message: 'Something went wrong on our side. Please try again, and name the trace id if it stays.',
  },
});

/** Requests that are wrong before any rule of ours is asked. */
export const requestErrors = defineErrors('request', {
  invalid: { status: 400, message: 'The request is not valid.' },
  notFound: { status: 404, message: 'There is nothing at this address.' },
  methodNotAllowed: { status: 405, message: 'This address does not answer that method.' },
  tooLarge: { status: 413, message: 'The request is too large.' },
  unsupportedMediaType: { status: 415, message: 'Send the body as application/json.' },
});

/** One member of a request is wrong; `message` is a sentence that says what to do. */
export function invalidMember(member: string, message: string): AuthError {
  return requestErrors.invalid({ details: message, validationErrors: [{ message, members: [member] }] });
}

/** What an administrator's call for a thing that is not there, or not allowed, ends in. */
export const permissionErrors = defineErrors('permission', {
  denied: { status: 403, message: 'You are signed in, but may not do this.' },
});

/** A unique key of the database was already taken; stores turn it into an answer of their own. */
export class UniqueViolation extends Error {
  constructor(cause: unknown) {
    super('A unique key is already taken.', { cause });
    this.name = 'UniqueViolation';
  }
}
