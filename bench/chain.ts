// The chain over the audit trail: how fast a trail is chained and verified, on both engines.

import type { Service } from '../server/src/app/compose.ts';
import { createLogger } from '../server/src/app/log.ts';
import { openService } from '../server/src/app/main.ts';
import { createChainSource, verifyChain } from '../server/src/audit/index.ts';
import { readEnvironment } from '../server/src/config/environment.ts';
import { signInActions } from '../server/src/sign-in/declarations.ts';
import { environmentOf } from './latchkey.ts';
import { format, renderSection, type Section } from './report.ts';
import { openPostgres } from './scale.ts';
import { median } from './statistics.ts';

const ENTRIES = 200_000;
const ENTRIES_PER_TRANSACTION = 500;
/** Each person has a key of the chain. */
const PEOPLE = 1000;
const WALKS = 5;
/** Verified entries a second. */
const LEAST = 100_000;

/** Sign-ins of these people in turn. */
async function fill({ audit, database }: Service) {
  for (let start = 0; start < ENTRIES; start += ENTRIES_PER_TRANSACTION) {
    const entries = Array.from({ length: ENTRIES_PER_TRANSACTION }, (_, n) => {
      const id = 1 + ((start + n) % PEOPLE);
      const origin = { ipAddress: `198.51.100.${n % 256}`, userAgent: 'Mozilla/5.0', frontEnd: 'default-app' };
      return { action: signInActions.password, outcome: 'success', user: { id, name: `user${id}` }, origin } as const;
    });
    await database.transaction((tx) => audit.recordAll(tx, entries));
  }
}

/** @returns microseconds of CPU to chain an entry, and how many were verified a second in each walk. */
async function measureOn(variables: Record<string, string>) {
  const service = await openService(readEnvironment(variables), createLogger('silent'));
  try {
    await fill(service);
    const before = process.cpuUsage();
    await service.chainer.chainAll();
    const { user, system } = process.cpuUsage(before);
    const walks: number[] = [];
    for (let walk = 0; walk < WALKS; walk += 1) {
      const startedAt = performance.now();
      const { verified, misfit } = await verifyChain(createChainSource(service.database));
      if (misfit || verified < ENTRIES) throw new Error('The chain does not fit.');
      walks.push((1000 * verified) / (performance.now() - startedAt));
    }
    return { chaining: (user + system) / ENTRIES, walks };
  } finally {
    await service.database.close();
  }
}

/** `npm run bench -- chain`. */
export const chain: Section = {
  name: 'chain',
  title: 'The chain over the audit trail',
  expect: () => 180,
  async measure(arena) {
    const sqlite = await measureOn(environmentOf(arena.newFile()));
    const url = await (await openPostgres(arena)).create('chain');
    const postgres = await measureOn(environmentOf(arena.newFile(), { LATCHKEY_DATABASE_URL: url }));
    const line = (engine: string, { walks, chaining }: typeof sqlite) => {
      const middle = median(walks) ?? Number.NaN;
      const numbers = [Math.min(...walks), middle, Math.max(...walks), chaining].map(format);
      return [engine, ...numbers, `≥ ${format(LEAST)}`, middle >= LEAST ? 'met' : 'missed'];
    };
    const about = `${format(ENTRIES)} sign-ins of ${format(PEOPLE)} people. One process chains them, and then verifies all of them ${WALKS} times: hashes, commitments and order, in entries a second. *chaining* is the CPU of that process for an entry; the service does it in the background. The target is for the median.`;
    return renderSection({ title: chain.title, about }, [
      ['', 'min', 'median', 'max', 'chaining, µs', 'target', ''],
      line('SQLite', sqlite),
      line('PostgreSQL', postgres),
    ]);
  },
};
