// The time limit of commands: no caller of the service waits for them, and they work on whole tables.

/** How long a statement of a command may take: to end a million sessions takes more than the second that the service allows. */
export const COMMAND_LIMITS = { statementMs: 600_000, isPerTransaction: true };
