// Firebase's hashes: scrypt makes a key, by which AES encrypts a secret of the project. The service keeps no such secret: an import
// removes it from the hash, which then holds what AES makes of zeros (docs/decisions/0071-one-text-for-each-algorithm.md).
import { createCipheriv } from 'node:crypto';
import { fromBase64, toBase64 } from './encodings.ts';
import { type HashReader, isEqual, malformed } from './hash.ts';
import { readScryptCost, type ScryptCost, toScryptHash, writeScryptCost } from './scrypt.ts';

const BEGIN = '$firebase-scrypt$';

const KEY_BYTES = 32;
const maxSalt = 256;
const minCheck = 16;
const maxCheck = 128;

/** Reads `$firebase-scrypt$ln=14,r=8,p=1$salt$check`, as {@link writeFirebase} writes it. */
export const readFirebase: HashReader = (stored) => {
  if (!stored.startsWith(BEGIN)) return null;
  const [costText = '', saltText = '', checkText = '', ...others] = stored.slice(BEGIN.length).split('$');
  const [cost, salt, check] = [readScryptCost(costText), fromBase64(saltText), fromBase64(checkText)];
  if (!cost || !salt || !check || others.length > 0) return malformed('firebase-scrypt');
  const isTooShort = check.length < minCheck;
  if (isTooShort || check.length > maxCheck || salt.length > maxSalt) return malformed('firebase-scrypt');
  return toScryptHash('firebase-scrypt', {
    cost,
    salt,
    length: KEY_BYTES,
    matches: (key) => isEqual(keyStream(key, check.length), check),
  });
};

/** What AES-256 in counter mode, which starts at zero, adds to a text of this length. */
const keyStream = (key: Buffer, length: number) =>
  createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(length));

/** The parameters of a Firebase project, as its console shows them. The signer key is secret. */
export type FirebaseProject = {
  readonly signerKey: Buffer;
  readonly saltSeparator: Buffer;
  readonly cost: ScryptCost;
};

/** A person's hash and salt, as Firebase exports them: in base64. */
export type FirebaseHash = { readonly passwordHash: string; readonly salt: string };

/** Returns the hash without the secret of its project, or null if it is not well-formed. */
export function writeFirebase(
  { signerKey, saltSeparator, cost }: FirebaseProject,
  { passwordHash, salt }: FirebaseHash,
): string | null {
  const [encrypted, ownSalt] = [fromBase64(passwordHash), fromBase64(salt)];
  if (!encrypted || !ownSalt || encrypted.length !== signerKey.length) return null;
  const check = Buffer.from(encrypted.map((byte, index) => byte ^ (signerKey[index] ?? 0)));
  const salts = Buffer.concat([ownSalt, saltSeparator]);
  return `${BEGIN}${writeScryptCost(cost)}$${toBase64(salts)}$${toBase64(check)}`;
}

/**
 * Reads the parameters of a project: the text of Firebase's console (`hash_config { … }`), or JSON with the same members.
 * @returns null if one of them is missing or not well-formed.
 */
export function readFirebaseProject(text: string): FirebaseProject | null {
  const found = new Map<string, string>();
  for (const [, name = '', value = ''] of text.matchAll(/(?<!\w)(\w{1,64})["']?\s*:\s*["']?([\w+/=-]+)/g)) {
    found.set(
      name
        .toLowerCase()
        .replaceAll('_', '')
        .replace(/^base64/, ''),
      value,
    );
  }
  const [algorithm, signerKey, saltSeparator] = ['algorithm', 'signerkey', 'saltseparator'].map((name) =>
    found.get(name),
  );
  if ((algorithm ?? 'SCRYPT') !== 'SCRYPT') return null;
  return toProject({
    signerKey,
    saltSeparator,
    cost: `ln=${found.get('memcost') ?? found.get('memorycost')},r=${found.get('rounds')},p=1`,
  });
}

type ProjectTexts = { signerKey: string | undefined; saltSeparator: string | undefined; cost: string };

function toProject({ signerKey, saltSeparator = '', cost: costText }: ProjectTexts): FirebaseProject | null {
  const [key, separator, cost] = [fromBase64(signerKey ?? ''), fromBase64(saltSeparator), readScryptCost(costText)];
  if (!key || !separator || !cost || key.length < minCheck || key.length > maxCheck) return null;
  return { signerKey: key, saltSeparator: separator, cost };
}

/** Supabase's `$fbscrypt$v=1,n=14,r=8,p=1,ss=…,sk=…$salt$hash`, and Kratos' `$firescrypt$ln=14,r=8,p=1$salt$hash$separator$key`. */
const supabase = /^\$fbscrypt\$v=1,n=(\d+),r=(\d+),p=(\d+)(?:,ss=([^,$]*))?,sk=([^,$]+)\$([^$]+)\$([^$]+)$/;
const kratos = /^\$firescrypt\$(ln=\d+,r=\d+,p=\d+)\$([^$]+)\$([^$]+)\$([^$]*)\$([^$]+)$/;

/** Returns a hash that holds the parameters of its project, without its secret. Returns null if it is not well-formed. */
export function withoutProject(stored: string): string | null {
  const [, ln, r, p, separator, key, ownSalt = '', hash = ''] = supabase.exec(stored) ?? [];
  const [
    ,
    cost = `ln=${ln},r=${r},p=${p}`,
    salt = ownSalt,
    passwordHash = hash,
    saltSeparator = separator,
    signerKey = key,
  ] = kratos.exec(stored) ?? [];
  const project = toProject({ signerKey, saltSeparator, cost });
  return project && writeFirebase(project, { passwordHash, salt });
}
