// Example users: made once, together with the data directory that they live in.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type AccountInput, newAccount } from '../../server/src/accounts/index.ts';
import { operator } from '../../server/src/app/first-start.ts';
import { createLogger } from '../../server/src/app/log.ts';
import { openService } from '../../server/src/app/main.ts';
import { readEnvironment } from '../../server/src/config/environment.ts';
import { ADMINISTRATOR } from '../../server/src/roles/index.ts';

/** The password of every example user. It is public: the service listens to this machine alone. */
const PASSWORD = 'seven green bottles';

const verified = (userName: string, mobileNumber: string) => ({
  emailAddress: `${userName}@example.org`,
  isEmailConfirmed: true,
  mobileNumber,
  isMobileConfirmed: true,
});

/** Each user, and what to try with it. */
const users: readonly (readonly [user: AccountInput, use: string])[] = [
  [
    newAccount('admin', { name: 'Administrator', roleNames: [ADMINISTRATOR] }),
    'administrator: settings, users, audit trail',
  ],
  [
    newAccount('sipho', {
      name: 'Sipho',
      surname: 'Nkosi',
      roleNames: ['UserManager'],
      ...verified('sipho', '+27821234567'),
    }),
    'manages users, and nothing else',
  ],
  [
    newAccount('thandi', { name: 'Thandi', surname: 'Mokoena', ...verified('thandi', '+27822345678') }),
    'no role; verified e-mail address and mobile number, for pins and resets',
  ],
  [newAccount('lerato', { name: 'Lerato', surname: 'Dube', mustChangePassword: true }), 'must change the password'],
  [newAccount('ann', { name: 'Ann', surname: 'Lee', isActive: false }), 'deactivated'],
];

/** The table that a developer reads after the first start. */
export function describeExampleUsers(): string {
  const rows = users.map(([{ userName }, use]) => `      ${userName.padEnd(8)} ${use}`);
  return `  Example users, each with the password "${PASSWORD}":\n\n${rows.join('\n')}\n`;
}

/**
 * Makes a data directory with the example users. A directory that exists stays as it is, an empty one included.
 * @param variables the environment of the service.
 * @returns whether the directory was made.
 */
export async function createExampleData(directory: string, variables: NodeJS.ProcessEnv): Promise<boolean> {
  if (existsSync(directory)) return false;
  mkdirSync(dirname(directory), { recursive: true });
  // Made aside and moved: a directory that was filled by half never gets this name.
  const draft = mkdtempSync(`${directory}-`);
  try {
    await createUsers({ ...variables, LATCHKEY_DATA_DIR: draft, LATCHKEY_DATABASE_URL: '' });
    renameSync(draft, directory);
    return true;
  } catch (error) {
    // Another process was first.
    if (['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function createUsers(variables: NodeJS.ProcessEnv): Promise<void> {
  const service = await openService(readEnvironment(variables), createLogger('warn', process.stderr));
  try {
    for (const [user] of users) {
      const hash = await service.passwords.hash(PASSWORD);
      await service.administration.create(user, { hash }, operator('example users'));
    }
  } finally {
    await service.database.close();
  }
}
