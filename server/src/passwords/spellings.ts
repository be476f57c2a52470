// Hashes as other systems write them, and how the service stores them: in one text for each algorithm.
import { fromBase64, fromHex, toBase64 } from './encodings.ts';
import { withoutProject } from './firebase.ts';
import { malformed, type RefusedHash, unknownKind } from './hash.ts';
import { writePbkdf2 } from './pbkdf2.ts';
import { writeScrypt } from './scrypt.ts';

/** The hashes of one system: how they begin, and a function that returns the text to store, or null for one that is not well-formed. */
type Spelling = {
  readonly system: string;
  readonly begins: RegExp;
  rewrite(given: string): string | RefusedHash | null;
};

const spellings: readonly Spelling[] = [
  { system: 'Django', begins: /^(argon2|bcrypt|scrypt|pbkdf2_sha1|pbkdf2_sha256)\$/, rewrite: rewriteDjango },
  {
    system: 'Spring',
    begins: /^\{(?:argon2|bcrypt|scrypt|pbkdf2|ldap)(?:@SpringSecurity_v5_\d+)?\}/i,
    rewrite: rewriteSpring,
  },
  {
    system: 'LDAP',
    begins: /^\{ssha(?:256|512)?\}/i,
    rewrite: rewriteLdap,
  },
  { system: 'LDAP', begins: /^\{crypt\}/i, rewrite: (given) => given.slice('{crypt}'.length) },
  { system: 'Keycloak', begins: /^\{\s*"/, rewrite: rewriteKeycloak },
  { system: 'MediaWiki', begins: /^:pbkdf2:/, rewrite: rewriteMediaWiki },
  { system: 'Firebase', begins: /^\$(?:fbscrypt|firescrypt)\$/, rewrite: withoutProject },
];

/** The digests of PBKDF2, by their names in MediaWiki and in Keycloak. */
const digests: ReadonlyMap<unknown, 'sha1' | 'sha256' | 'sha512'> = new Map([
  ['sha1', 'sha1'],
  ['sha256', 'sha256'],
  ['sha512', 'sha512'],
  ['pbkdf2', 'sha1'],
  ['pbkdf2-sha256', 'sha256'],
  ['pbkdf2-sha512', 'sha512'],
]);

/** Returns the text that the service stores for a hash of another system: the hash itself, unless it is written in another way. */
export function toStoredText(given: string): string | RefusedHash {
  const spelling = spellings.find(({ begins }) => begins.test(given));
  return spelling ? (spelling.rewrite(given) ?? malformed(spelling.system)) : given;
}

/** `algorithm$…`. Salts are texts. */
function rewriteDjango(given: string): string | null {
  const [algorithm, ...fields] = given.split('$');
  // Django writes its name before the hash of the library.
  if (algorithm === 'argon2') return /^argon2/.test(fields[0] ?? '') ? `$${fields.join('$')}` : null;
  if (algorithm === 'bcrypt') return fields[0] === '' ? fields.join('$') : null;
  if (algorithm === 'scrypt') {
    const [n, salt = '', r, p, key = ''] = fields;
    return fields.length === 5
      ? rewriteScrypt({ n: Number(n), r: Number(r), p: Number(p) }, Buffer.from(salt), key)
      : null;
  }
  const [iterations = '', salt = '', keyText = ''] = fields;
  const key = fromBase64(keyText);
  if (!key || fields.length !== 3) return null;
  return writePbkdf2({
    digest: algorithm === 'pbkdf2_sha1' ? 'sha1' : 'sha256',
    iterations,
    salt: Buffer.from(salt),
    key,
  });
}

function rewriteScrypt({ n, r, p }: { n: number; r: number; p: number }, salt: Buffer, keyText: string): string | null {
  const [ln, key] = [Math.log2(n), fromBase64(keyText)];
  return key && Number.isInteger(ln) ? writeScrypt({ ln, r, p }, salt, key) : null;
}

/** `{ssha}…`, in any case. */
function rewriteLdap(given: string): string {
  return given.replace(/^\{ssha(?:256|512)?\}/i, (name) => name.toUpperCase());
}

/** The defaults of Spring's Pbkdf2PasswordEncoder: since 5.8, and before. Salts in bytes. */
const springPbkdf2 = {
  new: { digest: 'sha256', iterations: 310_000, saltLength: 16 },
  old: { digest: 'sha1', iterations: 185_000, saltLength: 8 },
} as const;

/** `{encoder}…`, or `{encoder@SpringSecurity_v5_8}…`. */
function rewriteSpring(given: string): string | null {
  const [begin = '', encoder = '', version] = /^\{(\w+)(@[^}]*)?\}/.exec(given) ?? [];
  const rest = given.slice(begin.length);
  if (encoder.toLowerCase() === 'pbkdf2') {
    const { saltLength, ...how } = springPbkdf2[version === undefined ? 'old' : 'new'];
    const bytes = fromHex(rest);
    return bytes && writePbkdf2({ ...how, salt: bytes.subarray(0, saltLength), key: bytes.subarray(saltLength) });
  }
  if (encoder.toLowerCase() === 'ldap') return rewriteLdap(rest);
  if (encoder.toLowerCase() !== 'scrypt') return rest;
  // The cost is a hexadecimal number: the logarithm of N, then one byte each for r and p.
  const [, cost = '', saltText = '', key = ''] = /^\$([0-9a-f]{5,6})\$([^$]+)\$([^$]+)$/i.exec(rest) ?? [];
  const [word, salt] = [Number.parseInt(cost, 16), fromBase64(saltText)];
  return salt && rewriteScrypt({ n: 2 ** (word >>> 16), r: (word >>> 8) & 255, p: word & 255 }, salt, key);
}

/** `:pbkdf2:digest:iterations:length:salt:key`. */
function rewriteMediaWiki(given: string): string | RefusedHash | null {
  const [, , digest = '', iterations = '', length, saltText = '', keyText = '', ...others] = given.split(':');
  const [salt, key] = [fromBase64(saltText), fromBase64(keyText)];
  if (!salt || !key || key.length !== Number(length) || others.length > 0) return null;
  const known = digests.get(digest);
  return known ? writePbkdf2({ digest: known, iterations, salt, key }) : null;
}

/** A credential of a realm export: JSON with `secretData` and `credentialData`, which are JSON again. */
function rewriteKeycloak(given: string): string | RefusedHash | null {
  const { secretData, credentialData } = parse(given);
  const [secret, how] = [parse(secretData), parse(credentialData)];
  const [salt, key] = [secret.salt, secret.value].map((text) => (typeof text === 'string' ? fromBase64(text) : null));
  if (!salt || !key) return null;
  const iterations = String(how.hashIterations);
  const digest = digests.get(how.algorithm);
  if (digest) return writePbkdf2({ digest, iterations, salt, key });
  if (how.algorithm !== 'argon2') {
    return /^[\w-]{1,19}$/.test(String(how.algorithm)) ? unknownKind(String(how.algorithm)) : null;
  }
  const more = parse(how.additionalParameters);
  const [type, version, memory, lanes] = ['type', 'version', 'memory', 'parallelism'].map((name) => String(more[name]));
  const v = version === '1.0' ? 16 : 19;
  return `$argon2${type}$v=${v}$m=${memory},t=${iterations},p=${lanes}$${toBase64(salt)}$${toBase64(key)}`;
}

/** Returns the members of an object, or of a text that is one in JSON. Other values have none. */
function parse(value: unknown): Readonly<Record<string, unknown>> {
  const read = typeof value === 'string' ? parseJson(value) : value;
  return typeof read === 'object' && read !== null ? Object.fromEntries(Object.entries(read)) : {};
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
