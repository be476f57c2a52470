// Subjects of lockout: accounts, and names without account, which must get the same answers.

export const UNKNOWN_PREFIX = 'unknown:';
export const ACCOUNT_PREFIX = 'account:';

/** Returns the subject of an account. It counts the attempts under every spelling of its names, and with every method. */
export function accountSubject(accountId: number): string {
  return `${ACCOUNT_PREFIX}${accountId}`;
}

/** Returns the subject of an account's rounds of security questions. Failures lock this way to reset a password only. */
export function questionsSubject(accountId: number): string {
  return `questions:${accountId}`;
}

/** Returns the subject of an account's second factors, which are counted apart from its passwords. */
export function factorsSubject(accountId: number): string {
  return `factors:${accountId}`;
}

/** Returns all subjects of an account. */
export const subjectsOf = (accountId: number): string[] => [
  accountSubject(accountId),
  questionsSubject(accountId),
  factorsSubject(accountId),
];

/** Whether an account has this subject. */
export const isOfAccount = (subject: string): boolean => !subject.startsWith(UNKNOWN_PREFIX);

/** Whether old failures on this subject are forgotten: on an account, and on a name without account. */
export const forgetsFailures = (subject: string): boolean =>
  subject.startsWith(ACCOUNT_PREFIX) || subject.startsWith(UNKNOWN_PREFIX);

/** Returns the subject of a name without account. @param nameMac keyed hash of the case-folded name, which is not kept. */
export function unknownSubject(nameMac: string): string {
  return `${UNKNOWN_PREFIX}${nameMac}`;
}
