// The first start: makes the administrator of an empty service.
import { ADMINISTRATOR, newAccount } from './accounts/index.ts';
import type { Service } from './compose.ts';
import type { Random } from './foundation/random.ts';
import { DEFAULT_FRONT_END } from './front-ends/index.ts';

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

/**
 * Makes the administrator if there is no account at all. Of two nodes that start at once, one does.
 * @returns the generated password, which must be changed at the first sign-in; nothing when none was generated.
 */
export async function createFirstAdministrator(
  { accounts, passwords, administration }: Service,
  { userName, password }: { userName: string; password: string | undefined },
  random: Random,
): Promise<string | undefined> {
  if (!(await accounts.isEmpty())) return undefined;
  const chosen = password ?? generatePassword(random);
  const administrator = newAccount(userName, {
    name: 'Administrator',
    mustChangePassword: password === undefined,
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
