// Lockout: stops attackers who guess. Concurrent attempts cannot bypass it, and it never locks out an owner for good.
export { type LockoutPolicy, stricterPolicy } from './lockout.ts';
export { createLockouts, type Lockouts, type Reservation } from './lockouts.ts';
export { readLockoutPolicy } from './settings.ts';
export { lockoutSlice } from './slice.ts';
export { createLockoutStore } from './store.sql.ts';
export {
  ACCOUNT_PREFIX,
  accountSubject,
  factorsSubject,
  questionsSubject,
  subjectsOf,
  unknownSubject,
} from './subject.ts';
