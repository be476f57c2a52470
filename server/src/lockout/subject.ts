// Subjects of lockout: accounts, and names that belong to none but must be answered alike.

export const UNKNOWN_PREFIX = 'unknown:';

/** The subject under which every spelling of an account's name, and every proof of it, is counted. */
export function accountSubject(accountId: number): string {
  return `account:${accountId}`;
}

/** Under which an account's failed rounds of security questions are counted: they lock that way to a new password and no other. */
export function questionsSubject(accountId: number): string {
  return `questions:${accountId}`;
}

/** The key under which an account's wrong second factors are counted, apart from its passwords. */
export function factorsSubject(accountId: number): string {
  return `factors:${accountId}`;
}

/** The subject of a name that no account has. @param nameMac keyed hash of the folded name: names are not kept. */
export function unknownSubject(nameMac: string): string {
  return `${UNKNOWN_PREFIX}${nameMac}`;
}
