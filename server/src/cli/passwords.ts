// Passwords of the command line: piped in or generated. Never an argument, which all users of the machine could read.
import type { Account } from '../accounts/index.ts';
import type { Service } from '../app/compose.ts';
import { CommandFailure, UsageError } from './command.ts';

/** The option of every command that sets a password. */
export const passwordOption = {
  'password-stdin': { type: 'boolean', about: 'Read the password from standard input instead of generating one.' },
} as const;

/** In bytes, longer than any accepted password. */
const MAX_BYTES = 4096;

/** Reads a password or another secret from standard input, without the line break at its end. @param option asks for it. */
export async function readPassword(option = '--password-stdin'): Promise<string> {
  const what = option === '--password-stdin' ? 'password' : 'secret';
  if (process.stdin.isTTY) throw new UsageError(`${option} expects the ${what} from a pipe or a file.`);
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    if (chunks.reduce((sum, { length }) => sum + length, 0) > MAX_BYTES)
      throw new CommandFailure(`The ${what} is too long.`);
  }
  const password = decode(Buffer.concat(chunks), what).replace(/\r?\n$/, '');
  if (password === '') throw new CommandFailure(`There is no ${what} on standard input: pipe one to this command.`);
  if (/[\r\n]/.test(password))
    throw new CommandFailure(`There is more than one line on standard input: give only the ${what}.`);
  return password;
}

function decode(bytes: Buffer, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandFailure(`The ${what} on standard input is not valid UTF-8.`);
  }
}

/**
 * Hashes the given password, if it meets the rules, or a generated one.
 * @returns the hash, and the generated password, which must be shown once.
 */
export async function hashPassword(
  { passwords, settings }: Service,
  given: string | undefined,
  { userName, emailAddress, name, surname }: Pick<Account, 'userName' | 'emailAddress' | 'name' | 'surname'>,
): Promise<{ hash: string; generated: string | undefined }> {
  const [{ generatePassword }, { systemRandom }, { DEFAULT_FRONT_END }, { readPasswordPolicy, requireGoodPassword }] =
    await Promise.all([
      import('../app/first-start.ts'),
      import('../foundation/random.ts'),
      import('../front-ends/index.ts'),
      import('../passwords/index.ts'),
    ]);
  if (given === undefined) {
    const generated = generatePassword(systemRandom);
    return { hash: await passwords.hash(generated), generated };
  }
  const policy = readPasswordPolicy(settings, DEFAULT_FRONT_END);
  requireGoodPassword(given, policy, [userName, emailAddress, name, surname], { member: 'password' });
  return { hash: await passwords.hash(given), generated: undefined };
}
