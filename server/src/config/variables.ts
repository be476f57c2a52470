// The variables of an environment: which names Latchkey reads, and what it tells the operator about the others.
import { readFileSync } from 'node:fs';
import { readFileState } from '../foundation/file-state.ts';
import { findNearest } from '../foundation/nearest.ts';
import { decodeUtf8 } from '../foundation/utf8.ts';
import { EnvironmentError } from './environment-error.ts';

/** Variables that are, or may hold, a secret. Each may be in a file instead, which its name with `_FILE` names. */
const SECRETS = [
  ...['LATCHKEY_SECRET', 'LATCHKEY_SMS_SECRET', 'LATCHKEY_ADMIN_PASSWORD', 'LATCHKEY_SERVICE_KEY'],
  ...[
    'LATCHKEY_DATABASE_URL',
    'LATCHKEY_MIGRATION_DATABASE_URL',
    'LATCHKEY_MOVE_TO',
    'LATCHKEY_SMTP_URL',
    'LATCHKEY_SMS_URL',
  ],
];

const fileVariableOf = (name: string) => `${name}_FILE`;

/** What an operator sets: for the service, and for `latchkey verifier`, which may share a file of variables with it. */
export const VARIABLES = [
  ...['LATCHKEY_PORT', 'LATCHKEY_HOST', 'LATCHKEY_PUBLIC_URL', 'LATCHKEY_DATABASE_URL', 'LATCHKEY_WORKERS'],
  ...['LATCHKEY_DATA_DIR', 'LATCHKEY_SECRET', 'LATCHKEY_ADMIN_USER', 'LATCHKEY_ADMIN_PASSWORD'],
  ...[
    'LATCHKEY_MIGRATION_DATABASE_URL',
    'LATCHKEY_MOVE_TO',
    'LATCHKEY_ADMIN_PASSWORD_FINAL',
    'LATCHKEY_TRUSTED_PROXIES',
    'LATCHKEY_EGRESS_ALLOW',
    'LATCHKEY_CORS_ORIGINS',
    'LATCHKEY_PASSKEY_RP_ID',
  ],
  ...['LATCHKEY_METRICS', 'LATCHKEY_SMTP_URL', 'LATCHKEY_MAIL_FROM', 'LATCHKEY_SMS_URL', 'LATCHKEY_SMS_SECRET'],
  ...['LATCHKEY_EXTENSIONS', 'LATCHKEY_CONFIG', 'LATCHKEY_MODE', 'LATCHKEY_LOG_LEVEL'],
  ...['LATCHKEY_ISSUER', 'LATCHKEY_SERVICE_URL', 'LATCHKEY_AUDIENCE', 'LATCHKEY_SERVICE_KEY'],
  ...['LATCHKEY_MAX_STALE_SECONDS', 'LATCHKEY_WHEN_STALE'],
  ...SECRETS.map(fileVariableOf),
];

/** What a supervisor has read of the files of secrets, as JSON: when a worker starts later, they may be gone or others. */
const READ_FILES = 'LATCHKEY_WORKER_SECRETS';

/** What the supervisor tells its workers, what `deploy/compose.yaml` reads, and what `latchkey test-server` reads. */
const OTHERS = ['LATCHKEY_WORKER', 'LATCHKEY_WORKER_VERSION', READ_FILES, 'LATCHKEY_IMAGE', 'LATCHKEY_TEST_KEY'];

/** Whether Kubernetes has set the variable, in a namespace with a Service whose name begins with `latchkey`. */
const isServiceLink = (name: string, value = '') =>
  /_SERVICE_(HOST|PORT)(_\w+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_\w+)?$/.test(name) || /^(tcp|udp|sctp):\/\//.test(value);

export type Variables = Readonly<Record<string, string | undefined>>;

/** In bytes. No secret is as long: the file is another one. */
const MAX_SECRET_FILE = 65_536;

/** Returns a variable, or what stands in the file that its name with `_FILE` names. @throws EnvironmentError */
export function readVariable(variables: Variables, name: string): string | undefined {
  const value = variables[name];
  if (!SECRETS.includes(name)) return value;
  const path = variables[fileVariableOf(name)]?.trim();
  if (!path) return value;
  if (value) throw new EnvironmentError(fileVariableOf(name), `is set, and ${name} too: set one of them.`);
  const read: Record<string, string> = JSON.parse(variables[READ_FILES] || '{}');
  return read[name] ?? readSecretFile(fileVariableOf(name), path);
}

/** Returns the variable by which a supervisor hands to all of its workers what the files of secrets have now. */
export function readSecretFiles(variables: Variables): Record<string, string> {
  const read = SECRETS.flatMap((name): [string, string][] => {
    const path = variables[fileVariableOf(name)]?.trim();
    try {
      return path ? [[name, readSecretFile(fileVariableOf(name), path)]] : [];
    } catch {
      // The first worker names what it needs.
      return [];
    }
  });
  return { [READ_FILES]: JSON.stringify(Object.fromEntries(read)) };
}

function readSecretFile(variable: string, path: string): string {
  const refuse = (problem: string) => new EnvironmentError(variable, `names the file ${path}, ${problem}`);
  const stats = readFileState(path);
  if (stats === 'hidden') throw refuse('which this user may not read.');
  if (stats && !stats.isFile()) throw refuse('which is no file.');
  if (stats && stats.size > MAX_SECRET_FILE) throw refuse('which is too large to be a secret.');
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    throw refuse(stats ? 'which this user may not read.' : 'which does not exist.');
  }
  const text = decodeUtf8(bytes);
  if (text === undefined) throw refuse('which is no text in UTF-8.');
  if (text.trim() === '') throw refuse('which is empty.');
  return text;
}

/** Returns a secret without one line break at its end, which files and `echo` add. @throws EnvironmentError */
export const readSecretText = (variables: Variables, name: string): string | undefined =>
  readVariable(variables, name)?.replace(/\r?\n$/, '');

/** Returns what an operator should know of the variables, as sentences that quote no value. */
export function findNotices(variables: Variables): string[] {
  const names = Object.keys(variables).filter((name) => /^latchkey_/i.test(name) && variables[name]);
  const known = new Set([...VARIABLES, ...OTHERS]);
  const unknown = names.filter((name) => !known.has(name) && !isServiceLink(name, variables[name]));
  const broken = SECRETS.filter((name) => variables[name]?.endsWith('\n'));
  const open = SECRETS.map(fileVariableOf).filter((name) => isOpenToAll(variables[name]?.trim()));
  return [
    ...unknown.map(
      (name) =>
        `${name} is no variable of Latchkey and has no effect. The nearest one is ${findNearest(name, VARIABLES)}.`,
    ),
    ...broken.map((name) => `${name} ends with a line break, which is not part of the value: the service removed it.`),
    ...open.map(
      (name) => `${name} names a file that every user of this machine may read. Take that right from the others.`,
    ),
  ];
}

/** Whether the owner, the group and all others may read the file. */
function isOpenToAll(path = ''): boolean {
  const stats = readFileState(path);
  return stats !== 'hidden' && ((stats?.mode ?? 0) & 0o004) !== 0;
}
