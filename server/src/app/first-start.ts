// The first start: creates the administrator of an empty service.
import { newAccount } from '../accounts/index.ts';
import type { Environment } from '../config/environment.ts';
import { EnvironmentError } from '../config/environment-error.ts';
import { AuthError } from '../foundation/errors.ts';
import { servicePermissions } from '../foundation/permissions.ts';
import type { Random } from '../foundation/random.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { DEFAULT_FRONT_END } from '../front-ends/index.ts';
import { findBrokenRules, readPasswordPolicy } from '../passwords/index.ts';
import { ADMINISTRATOR } from '../roles/index.ts';
import type { Service } from './compose.ts';

/** The first name of the administrator. */
const NAME = 'Administrator';

/** Letters and digits that people do not confuse when they read them from a screen. */
const LEGIBLE = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUPS = 5;
const GROUP_LENGTH = 4;

/** Returns the authority of the service itself: of its command line, or of the first start. */
export const operator = (name: string) => ({
  actor: { id: null, name },
  authorize: async () => servicePermissions,
  origin: { ipAddress: null, userAgent: null, frontEnd: DEFAULT_FRONT_END },
});

/** Generates a password of 100 bits, in groups that are easy to copy from a screen. */
export function generatePassword(random: Random): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => LEGIBLE[random.below(LEGIBLE.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** The account that the first start creates. */
export type FirstAdministrator = {
  readonly userName: string;
  /** If absent, the service generates one. */
  readonly password: string | undefined;
  /** Whether the given password may stay. A generated one must be changed at the first sign-in. */
  readonly isFinal: boolean;
  /** Whether the given password must meet the rules of the default front end. */
  readonly mustMeetPolicy: boolean;
};

/** Returns the administrator that the environment describes. */
export function administratorOf(environment: Environment): FirstAdministrator {
  const { adminUser, adminPassword, isAdminPasswordFinal, mode } = environment;
  return {
    userName: adminUser,
    password: adminPassword,
    isFinal: isAdminPasswordFinal,
    mustMeetPolicy: mode === 'production',
  };
}

/** Returns which rules of the default front end the password breaks, as sentences. Returns `undefined` if it breaks none. */
export function findPasswordProblem(userName: string, password: string, settings: SettingReader): string | undefined {
  const broken = findBrokenRules(password, readPasswordPolicy(settings, DEFAULT_FRONT_END), [userName, NAME]);
  return broken.map(({ message }) => message).join(' ') || undefined;
}

/**
 * Creates the administrator if no account exists. If two nodes start at the same time, only one creates it.
 * @returns the generated password; `undefined` if the service generated none.
 * @throws EnvironmentError if the given name or password breaks a rule.
 */
export async function createFirstAdministrator(
  { accounts, passwords, administration, settings }: Service,
  { userName, password, isFinal, mustMeetPolicy }: FirstAdministrator,
  random: Random,
): Promise<string | undefined> {
  if (!(await accounts.isEmpty())) return undefined;
  const problem = mustMeetPolicy && password ? findPasswordProblem(userName, password, settings) : undefined;
  if (problem) throw new EnvironmentError('LATCHKEY_ADMIN_PASSWORD', `is too weak for production. ${problem}`);
  const chosen = password ?? generatePassword(random);
  const administrator = newAccount(userName, {
    name: NAME,
    mustChangePassword: password === undefined || !isFinal,
    roleNames: [ADMINISTRATOR],
  });
  try {
    await administration.create(administrator, { hash: await passwords.hash(chosen) }, operator('first start'));
  } catch (error) {
    if (!(await accounts.isEmpty())) return undefined;
    if (!(error instanceof AuthError) || error.isFault) throw error;
    throw new EnvironmentError('LATCHKEY_ADMIN_USER', `cannot be the name of the administrator. ${error.details}`);
  }
  return password === undefined ? chosen : undefined;
}
