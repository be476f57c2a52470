// Lockout: what stops a guesser, without a way around it or a way to turn it against its victim for good.
export { type LockoutPolicy, stricterPolicy } from './lockout.ts';
export { createLockouts, type Lockouts, type Reservation } from './lockouts.ts';
export { lockoutSettings, readLockoutPolicy } from './settings.ts';
export { createLockoutStore } from './store.sql.ts';
export { accountSubject, questionsSubject, unknownSubject } from './subject.ts';
