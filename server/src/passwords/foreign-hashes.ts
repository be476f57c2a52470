// The hashes of other systems: every kind that the service can verify, and what an import makes of a given text.
import { OWASP_HASH_COST, readArgon2 } from './argon2.ts';
import { readAspNetIdentity } from './aspnet-identity.ts';
import { readBcrypt, readDjangoBcryptSha256 } from './bcrypt.ts';
import { type FirebaseHash, type FirebaseProject, readFirebase, writeFirebase } from './firebase.ts';
import { type HashReader, malformed, type PasswordHash, type RefusedHash, unknownKind } from './hash.ts';
import { readLdap } from './ldap.ts';
import { readPbkdf2 } from './pbkdf2.ts';
import { readDrupal, readPhpass, readWordPress } from './phpass.ts';
import { readBetterAuth, readScrypt } from './scrypt.ts';
import { readShaCrypt } from './sha-crypt.ts';
import { toStoredText } from './spellings.ts';

export { readFirebaseProject } from './firebase.ts';

const readers: readonly HashReader[] = [
  readBcrypt,
  readAspNetIdentity,
  readPbkdf2,
  readScrypt,
  readDjangoBcryptSha256,
  readPhpass,
  readWordPress,
  readDrupal,
  readLdap,
  readShaCrypt,
  readBetterAuth,
  readFirebase,
];

const longestHash = 1000;

/** Kinds that are quick to guess, and how their stored texts begin. */
export const weakKinds = [
  { format: 'phpass', beginnings: ['$P$', '$H$'] },
  { format: 'ssha', beginnings: ['{SSHA}'] },
  { format: 'ssha256', beginnings: ['{SSHA256}'] },
  { format: 'ssha512', beginnings: ['{SSHA512}'] },
] as const;

/** Reads a stored hash of another system. Never throws. */
export const readForeignHash = (stored: string): PasswordHash | RefusedHash =>
  readKnown(stored) ?? refuseUnknown(stored);

/** Returns null for a text of an unknown kind. */
function readKnown(stored: string): PasswordHash | RefusedHash | null {
  if (stored.length > longestHash) return null;
  for (const read of readers) {
    const hash = read(stored, OWASP_HASH_COST);
    if (hash !== null) return hash;
  }
  return null;
}

/** What an import makes of a hash: the text to store and its format, or that it stands for no password, or why it is refused. */
export type HashDescription =
  | { readonly format: string; readonly stored: string }
  | { readonly isUnusable: true }
  | RefusedHash;

/**
 * Says what kind of hash a text is, and whether the service takes it. Imports use it. Never throws.
 * @param salt what Firebase exports beside its hash.
 * @param project the parameters of that Firebase project.
 */
export function describeHash(given: string, salt?: string, project?: FirebaseProject): HashDescription {
  if (salt !== undefined) return describeFirebase({ passwordHash: given, salt }, project);
  // Django writes an exclamation mark where nobody can sign in with a password, and so does /etc/shadow.
  if (given.startsWith('!')) return { isUnusable: true };
  const stored = given.length > longestHash ? given : toStoredText(given);
  if (typeof stored !== 'string') return stored;
  const hash = readArgon2(stored, OWASP_HASH_COST) ?? readKnown(stored);
  if (hash === null) return refuseUnknown(stored, given);
  return 'refused' in hash ? hash : { format: hash.format, stored };
}

function describeFirebase(given: FirebaseHash, project: FirebaseProject | undefined): HashDescription {
  if (!project)
    return { refused: 'The hash needs the parameters of its Firebase project. Give them by --hash-config.' };
  const stored = writeFirebase(project, given);
  return stored === null ? malformed('Firebase') : describeHash(stored);
}

/**
 * How hashes of unknown kinds begin. Passwords in the clear could begin likewise, so the names are short, and those without signs
 * around them are listed.
 */
const beginnings = [
  /^\$[\w-]{1,19}(?=[$,])\$?/,
  /^\{[\w-]{1,19}\}/,
  /^(?:crypt|md5|sha1|sha256|sha512|unsalted_md5|unsalted_sha1)\$/,
  // Werkzeug.
  /^(?:pbkdf2:sha(?:1|256|512)|scrypt):/,
  /^:(?:[AB]|argon2|bcrypt|pbkdf2-legacy[AB]):/,
];

/** Digests without a salt, by the number of their hexadecimal digits. */
const digestNames: ReadonlyMap<number, string> = new Map([
  [32, 'MD5'],
  [40, 'SHA-1'],
  [64, 'SHA-256'],
  [128, 'SHA-512'],
]);

/** Names the kind of the first text whose kind has a name. */
function refuseUnknown(...texts: readonly string[]): RefusedHash {
  const [kind] = texts.flatMap((text) => findKind(text) ?? []);
  if (kind !== undefined) return unknownKind(kind);
  return { refused: 'The hash has an unknown format. Leave it out, and let the owner set a new password.' };
}

/** Returns what a refusal calls the kind of a hash, or undefined. */
function findKind(stored: string): string | undefined {
  const [name] = beginnings.flatMap((begin) => begin.exec(stored)?.[0] ?? []);
  if (name !== undefined) return name;
  return /^[0-9a-f]+$/i.test(stored) ? digestNames.get(stored.length) : undefined;
}
