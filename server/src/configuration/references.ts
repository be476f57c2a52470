// References of a configuration file: where a secret comes from that the file does not hold.
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** The form of a reference, as a regular expression of JSON Schema. */
export const REFERENCE = '^\\$\\{(ENV:[A-Za-z_][A-Za-z0-9_]*|FILE:[^}\\u0000]+)\\}$';

const reference = new RegExp(REFERENCE);

/** In bytes. */
const MAX_SECRET = 65_536;

/** Whether a value has the form of a reference. */
export const isReference = (value: unknown): value is string => typeof value === 'string' && reference.test(value);

/** What references are read from: the variables, and the folder from which paths begin. */
export type Sources = { readonly variables: Readonly<Record<string, string | undefined>>; readonly folder: string };

/** Returns the secret that a reference names, without one line break at its end; or why there is none, as a sentence without it. */
export function readReference(text: string, sources: Sources): { secret: string } | { problem: string } {
  const [, kind, name = ''] = /^\$\{(ENV|FILE):(.*)\}$/s.exec(text) ?? [];
  const found = kind === 'ENV' ? readVariable(name, sources) : readFile(name, sources);
  return 'problem' in found ? found : { secret: found.secret.replace(/\r?\n$/, '') };
}

function readVariable(name: string, { variables }: Sources) {
  const secret = variables[name];
  return secret ? { secret } : { problem: `The variable ${name} is not set.` };
}

function readFile(name: string, { folder }: Sources) {
  const path = resolve(folder, name);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return { problem: `The file ${path} does not exist.` };
  if (stats.size > MAX_SECRET) return { problem: `The file ${path} is too large to be a secret.` };
  try {
    const secret = readFileSync(path, 'utf8');
    return secret.trim() === '' ? { problem: `The file ${path} is empty.` } : { secret };
  } catch {
    return { problem: `The file ${path} cannot be read by this user.` };
  }
}
