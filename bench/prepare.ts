// Prepares a data directory through the service's own code: accounts, and sessions with valid tokens.

import { once } from 'node:events';
import { fullName, newAccount } from '../server/src/accounts/index.ts';
import type { Service } from '../server/src/app/compose.ts';
import { administratorOf, createFirstAdministrator, operator } from '../server/src/app/first-start.ts';
import { createLogger } from '../server/src/app/log.ts';
import { openService } from '../server/src/app/main.ts';
import { readEnvironment } from '../server/src/config/environment.ts';
import { systemRandom } from '../server/src/foundation/random.ts';

/** What to prepare, and where: the variables of the service that will run on it. */
export type Preparation = {
  readonly variables: Readonly<Record<string, string>>;
  readonly password: string;
  readonly accounts: number;
  readonly tokens: number;
};

/** What it has created: valid tokens, and the stored form of the password, which names the parameters of hashing. */
export type Prepared = { readonly tokens: string[]; readonly passwordHash: string };

const SESSIONS_PER_TRANSACTION = 1000;

const [preparation] = (await once(process, 'message')) as [Preparation];
const environment = readEnvironment(preparation.variables);
const service = await openService(environment, createLogger('silent'));
const passwordHash = await service.passwords.hash(preparation.password);
await addAccounts(service, preparation.accounts);
const tokens = await openSessions(service, preparation.tokens);
await service.database.close();
process.send?.({ tokens, passwordHash } satisfies Prepared);

async function addAccounts({ accounts, administration }: Service, count: number) {
  if (!(await accounts.isEmpty())) return;
  await createFirstAdministrator(service, administratorOf(environment), systemRandom);
  for (let n = 0; n < count; n++) {
    const account = newAccount(`user${n}`, {
      name: 'User',
      surname: `Number ${n}`,
      emailAddress: `user${n}@example.com`,
      isEmailConfirmed: true,
    });
    await administration.create(account, { hash: passwordHash }, operator('benchmark'));
  }
}

async function openSessions({ accounts, database, sessions }: Service, count: number): Promise<string[]> {
  const sort = { by: 'id', descending: false } as const;
  const { accounts: owners } = await accounts.list([], { sort, skip: 1, take: preparation.accounts });
  const opened: string[] = [];
  while (opened.length < count) {
    await database.transaction(async (tx) => {
      const end = Math.min(count, opened.length + SESSIONS_PER_TRANSACTION);
      while (opened.length < end) {
        const owner = owners[opened.length % owners.length];
        if (!owner) throw new Error('There are no accounts.');
        const { id, userName, emailAddress: email, roleNames: roles } = owner;
        const subject = { id, userName, fullName: fullName(owner), email, roles };
        const { origin } = operator('benchmark');
        const { accessToken } = await sessions.open(tx, subject, { amr: ['pwd'], mustChangePassword: false, origin });
        opened.push(accessToken);
      }
    });
  }
  return opened;
}
