// The first start: makes the administrator of an empty service.
import { ADMINISTRATOR, newAccount } from '../accounts/index.ts';
import type { Environment } from '../config/environment.ts';
import { EnvironmentError } from '../config/environment-error.ts';
import type { Random } from '../foundation/random.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { DEFAULT_FRONT_END } from '../front-ends/index.ts';
import { findBrokenRules, readPasswordPolicy } from '../passwords/index.ts';
import type { Service } from './compose.ts';

/** First name of the administrator that the first start makes. */
const NAME = 'Administrator';

/** Letters and digits that are not mistaken for one another when they are read from a screen. */
const LEGIBLE = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUPS = 5;
const GROUP_LENGTH = 4;

/** Acts for the service itself: by its command line, or on the first start. */
export const operator = (name: string) => ({
  actor: { id: null, name },
  authorize: async () => [ADMINISTRATOR],
  origin: { ipAddress: null, userAgent: null, frontEnd: DEFAULT_FRONT_END },
});

/** A password of 100 bits, in groups that can be typed off a screen. */
export function generatePassword(random: Random): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => LEGIBLE[random.below(LEGIBLE.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** The account that the first start makes. */
export type FirstAdministrator = {
  readonly userName: string;
  /** Absent: one is generated. */
  readonly password: string | undefined;
  /** Whether the given password may stay. A generated one must be changed at the first sign-in. */
  readonly isFinal: boolean;
  /** Whether the given password must meet the rules of the default front end. */
  readonly mustMeetPolicy: boolean;
};

/** The administrator as the environment describes it. */
export function administratorOf(environment: Environment): FirstAdministrator {
  const { adminUser, adminPassword, isAdminPasswordFinal, mode } = environment;
  return {
    userName: adminUser,
    password: adminPassword,
    isFinal: isAdminPasswordFinal,
    mustMeetPolicy: mode === 'production',
  };
}

/** Why the password breaks the rules that the default front end has now, as sentences; nothing when it meets them. */
export function findPasswordProblem(userName: string, password: string, settings: SettingReader): string | undefined {
  const broken = findBrokenRules(password, readPasswordPolicy(settings, DEFAULT_FRONT_END), [userName, NAME]);
  return broken.map(({ message }) => message).join(' ') || undefined;
}

/**
 * Makes the administrator if there is no account at all. Of two nodes that start at once, one does.
 * @returns the generated password; nothing when none was generated.
 * @throws EnvironmentError when the given password breaks a rule.
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
    if (await accounts.isEmpty()) throw error;
    return undefined;
  }
  return password === undefined ? chosen : undefined;
}
