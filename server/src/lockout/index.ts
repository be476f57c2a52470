// Lockout: what stops a guesser, without a way around it or a way to turn it against its victim for good.
export { type LockoutPolicy, stricterPolicy } from './lockout.ts';
export { createLockouts, type Lockouts, type Reservation } from './lockouts.ts';
export { readLockoutPolicy } from './settings.ts';
export { createLockoutSlice, lockoutDefinitions } from './slice.ts';
export { createLockoutStore } from './store.sql.ts';
export { accountSubject, factorsSubject, questionsSubject, unknownSubject } from './subject.ts';
