// One line of an import: from bytes to an account, or the reasons why it is refused. Reasons never quote values of the line.
import { Type } from 'typebox';
import {
  type AccountImport,
  CreateInput,
  type ImportedAccount,
  toAccountInput,
} from '../account-administration/index.ts';
import { AuthError } from '../foundation/errors.ts';
import { checkInput, parseBody } from '../http/input.ts';
import { describeHash } from '../passwords/index.ts';
import type { Line } from './lines.ts';

/** The members of a line: those that create an account, with a hash instead of a password. */
const { password: _, ...members } = CreateInput.properties;
const Input = Type.Object({
  ...members,
  passwordHash: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 1000 }), Type.Null()])),
});

/** A line that can be imported, or the reasons why it is refused. */
export type ReadLine =
  | { readonly line: number; readonly account: ImportedAccount }
  | { readonly line: number; readonly reasons: readonly string[] };

/** Returns `undefined` for an empty line. */
export function readImportLine({ number, bytes, isTooLong }: Line, importing: AccountImport): ReadLine | undefined {
  if (isTooLong) return { line: number, reasons: ['The line is longer than 64 KiB.'] };
  if (/^\s*$/.test(bytes.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, ''))) return undefined;
  const value = parse(bytes);
  if (value === undefined) return { line: number, reasons: ['The line is not one JSON object in UTF-8.'] };
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(Input.properties, name));
  if (unknown.length > 0)
    return { line: number, reasons: [`The line has unknown members: ${unknown.map(shorten).join(', ')}.`] };
  try {
    const { passwordHash = null, ...input } = checkInput(Input, value);
    const described = passwordHash === null ? undefined : describeHash(passwordHash);
    if (described && 'refused' in described) return { line: number, reasons: [`passwordHash: ${described.refused}`] };
    return { line: number, account: importing.prepare({ ...toAccountInput(input), passwordHash }) };
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    const reasons = error.validationErrors?.map(({ message }) => message) ?? [error.details];
    return { line: number, reasons: [...new Set(reasons)] };
  }
}

function parse(bytes: Buffer): object | undefined {
  try {
    const value = parseBody(bytes);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function shorten(name: string): string {
  return JSON.stringify(name.slice(0, 40));
}
