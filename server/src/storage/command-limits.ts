// The time limits of commands: no caller of the service waits for them, and they work on whole tables.

/**
 * How long a command waits for a connection, as the first of a start does, and how long its statements may take: to end a million
 * sessions takes more than the second that the service allows.
 */
export const COMMAND_LIMITS = { connectMs: 4000, statementMs: 600_000, isPerTransaction: true };
