// The crowd: fills a database through the service's own code with people whose names the probes send one by one.
import { once } from 'node:events';
import { newAccount } from '../server/src/accounts/index.ts';
import type { Service } from '../server/src/app/compose.ts';
import { administratorOf, createFirstAdministrator } from '../server/src/app/first-start.ts';
import { createLogger } from '../server/src/app/log.ts';
import { openService } from '../server/src/app/main.ts';
import { readEnvironment } from '../server/src/config/environment.ts';
import { createPasskeyStore } from '../server/src/factors/store.passkeys.sql.ts';
import { systemClock } from '../server/src/foundation/clock.ts';
import { systemRandom } from '../server/src/foundation/random.ts';
import { createSecurityAnswerStore } from '../server/src/security-questions/index.ts';
import { securityQuestionSetting } from '../server/src/security-questions/settings.ts';
import { securitySettings } from '../server/src/settings/index.ts';
import { cosePublicKey, credentialIdOf, RP_ID } from './passkeys.ts';

/** A person with a verified e-mail address and number and a passkey, who has answered security questions. */
export type Somebody = {
  readonly name: string;
  readonly email: string;
  readonly number: string;
  readonly isActive: boolean;
};

export type Crowd = {
  /** The environment of the service that will run on it. */
  readonly variables: Readonly<Record<string, string>>;
  readonly password: string;
  readonly people: readonly Somebody[];
};

const PEOPLE_PER_TRANSACTION = 500;

const [{ variables, password, people }] = (await once(process, 'message')) as [Crowd];
const environment = readEnvironment(variables);
const service = await openService(environment, createLogger('silent'));
await createFirstAdministrator(service, administratorOf(environment), systemRandom);
await addAll(service, await service.passwords.hash(password));
await service.database.close();
process.send?.('ready');

async function addAll({ accounts, database, settings }: Service, hash: string) {
  const answers = createSecurityAnswerStore(database);
  const passkeys = createPasskeyStore(database);
  const { resetPasswordViaSecurityQuestionsNumQuestionsAllowed: count } = settings.read(securitySettings);
  const hashes = new Map(
    settings
      .read(securityQuestionSetting)
      .map(({ id }) => [id, hash] as const)
      .slice(0, count),
  );
  for (let start = 0; start < people.length; start += PEOPLE_PER_TRANSACTION) {
    const batch = people.slice(start, start + PEOPLE_PER_TRANSACTION);
    const added = batch.map(({ name, email, number, isActive }) => ({
      ...newAccount(name, { name: 'Somebody', surname: name, emailAddress: email, mobileNumber: number, isActive }),
      isEmailConfirmed: true,
      isMobileConfirmed: true,
      passwordHash: hash,
    }));
    await database.transaction(async (tx) => {
      const now = systemClock.now();
      for (const [index, id] of (await accounts.addAll(tx.sql, added, now)).entries()) {
        if (id === undefined) throw new Error('The database is not empty.');
        await answers.replace(tx.sql, id, hashes, now);
        await passkeys.add(tx.sql, {
          id: systemRandom.uuid(),
          accountId: id,
          credentialId: credentialIdOf(batch[index]?.name ?? ''),
          publicKey: cosePublicKey,
          signCount: 0,
          transports: ['internal'],
          rpId: RP_ID,
          userHandle: null,
          name: 'phone',
          isBackedUp: true,
          createdAt: now,
          lastUsedAt: null,
        });
      }
    });
  }
}
