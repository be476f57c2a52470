// Passwords: the rules for new ones per front end, and the hashes, both the service's own and imported ones.
export { OWASP_HASH_COST } from './argon2.ts';
export { passwordErrors } from './declarations.ts';
export type { FirebaseProject } from './firebase.ts';
export type { HashDescription } from './foreign-hashes.ts';
export type { HashCost } from './hash.ts';
export { requireGoodPassword } from './new-password.ts';
export type { PasswordPolicy } from './password.ts';
export { findBrokenRules, isPossiblePassword, normalizePassword } from './password.ts';
export {
  createPasswords,
  loadForeignHashes,
  type Passwords,
  requesterOf,
  type VerifiedPassword,
} from './passwords.ts';
export { lowerHashPriority } from './priority.ts';
export { readPasswordPolicy } from './settings.ts';
export { passwordsSlice } from './slice.ts';
