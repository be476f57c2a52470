// References of a configuration file: where a secret comes from that the file does not hold.
import { accessSync, constants, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readFileState } from '../foundation/file-state.ts';
import { decodeUtf8 } from '../foundation/utf8.ts';

/** The form of a reference, as a regular expression of JSON Schema. */
export const REFERENCE = '^\\$\\{(ENV:[A-Za-z_][A-Za-z0-9_]*|FILE:[^}\\u0000]+)\\}$';

const reference = new RegExp(REFERENCE);

/** In bytes. */
const MAX_SECRET = 65_536;

/** Whether a value has the form of a reference. */
export const isReference = (value: unknown): value is string => typeof value === 'string' && reference.test(value);

/** What references are read from: the variables, and the folder from which paths begin. */
export type Sources = { readonly variables: Readonly<Record<string, string | undefined>>; readonly folder: string };

/** The form of a reference to a picture. */
export const PICTURE_REFERENCE = '^\\$\\{FILE:[^}\\u0000]+\\}$';

const pictureReference = new RegExp(PICTURE_REFERENCE);

/** In bytes. The service accepts smaller ones only. */
const MAX_PICTURE = 1_048_576;

/** Returns the bytes that a reference to a picture names, or why there are none. A text of another form is no reference. */
export function readPicture(text: unknown, { folder }: Sources): { bytes: Buffer } | { problem: string } | undefined {
  if (typeof text !== 'string' || !pictureReference.test(text)) return undefined;
  const path = resolve(folder, text.slice('${FILE:'.length, -1));
  const problem = findProblem(path, MAX_PICTURE, 'a logo');
  return problem === undefined ? { bytes: readFileSync(path) } : { problem };
}

/** Returns the secret that a reference names, without one line break at its end; or why there is none, as a sentence without it. */
export function readReference(text: string, sources: Sources): { secret: string } | { problem: string } {
  const [, kind, name = ''] = /^\$\{(ENV|FILE):(.*)\}$/s.exec(text) ?? [];
  const found = kind === 'ENV' ? readVariable(name, sources) : readFile(name, sources);
  return 'problem' in found ? found : { secret: found.secret.replace(/\r?\n$/, '') };
}

function readVariable(name: string, { variables }: Sources) {
  const secret = Object.hasOwn(variables, name) ? variables[name] : undefined;
  return secret ? { secret } : { problem: `The variable ${name} is not set.` };
}

function readFile(name: string, { folder }: Sources) {
  const path = resolve(folder, name);
  const problem = findProblem(path, MAX_SECRET, 'a secret');
  if (problem !== undefined) return { problem };
  const secret = decodeUtf8(readFileSync(path));
  if (secret === undefined) return { problem: `The file ${path} is no text in UTF-8.` };
  return secret.trim() === '' ? { problem: `The file ${path} is empty.` } : { secret };
}

/** Returns why a file cannot be read as `what`. */
function findProblem(path: string, maxSize: number, what: string): string | undefined {
  const stats = readFileState(path);
  if (stats === 'hidden') return `The file ${path} cannot be read by this user.`;
  if (!stats?.isFile()) return `The file ${path} does not exist.`;
  if (stats.size > maxSize) return `The file ${path} is too large to be ${what}.`;
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch {
    return `The file ${path} cannot be read by this user.`;
  }
}
