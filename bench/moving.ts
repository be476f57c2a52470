// Moving: how long it takes, and how much memory, to take everybody with their passwords and apps from one installation to another.
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { movablePeople } from '../server/test/support/movable-people.ts';
import type { Arena } from './arena.ts';
import { environmentOf, PASSWORD, run, serve } from './latchkey.ts';
import { format, renderSection, type Section } from './report.ts';
import { openPostgres } from './scale.ts';

const PEOPLE = 100_000;

/** Of export and import together, and of each of their processes. */
const MOST_SECONDS = 120;
const MOST_MEMORY = 200;

type Run = { readonly seconds: number; readonly memory: number };

/** Runs a command of the service. */
async function measure(...command: Parameters<typeof run>): Promise<Run> {
  const startedAt = performance.now();
  const memory = await run(...command);
  return { seconds: (performance.now() - startedAt) / 1000, memory };
}

/** @param urls the databases of the installation that people leave, and of the one to which they come. */
async function move(arena: Arena, urls?: readonly [string, string]): Promise<{ out: Run; into: Run }> {
  const folder = arena.newFile();
  mkdirSync(folder);
  const [former, all] = [join(folder, 'people.jsonl'), join(folder, 'all.jsonl')];
  await pipeline(movablePeople(PEOPLE, PASSWORD), createWriteStream(former));
  const [source, target] = (['source', 'target'] as const).map((name, index) =>
    environmentOf(join(folder, name), urls && { LATCHKEY_DATABASE_URL: urls[index] ?? '' }),
  );
  if (!source || !target) throw new Error('There are two installations.');
  // The first start creates the administrator, if there is no account yet.
  await (await serve(target)).stop();
  await run(source, 'import', 'users', former);
  const out = await measure(source, 'export', 'users', all, '--with-credentials');
  return { out, into: await measure(target, 'import', 'users', all) };
}

function line(engine: string, { out, into }: { out: Run; into: Run }): string[] {
  const isMet = out.seconds + into.seconds <= MOST_SECONDS && Math.max(out.memory, into.memory) <= MOST_MEMORY;
  const numbers = [out.seconds, into.seconds, out.memory, into.memory].map(format);
  return [engine, ...numbers, `≤ ${MOST_SECONDS} s, ${MOST_MEMORY} MB`, isMet ? 'met' : 'missed'];
}

/** `npm run bench -- moving`. */
export const moving: Section = {
  name: 'moving',
  title: 'From one installation to another',
  expect: () => 180,
  async measure(arena) {
    const sqlite = await move(arena);
    const { create } = await openPostgres(arena);
    const postgres = await move(arena, [await create('source'), await create('target')]);
    const about = `\`latchkey export users --with-credentials\` and \`latchkey import users\` of ${format(PEOPLE)} people, each with a password, an authenticator app and an external login. Memory is the most that each process had resident, in MB. The target is for both times together, and for the memory of each.`;
    return renderSection({ title: moving.title, about }, [
      ['', 'export, s', 'import, s', 'export, MB', 'import, MB', 'target', ''],
      line('SQLite', sqlite),
      line('PostgreSQL', postgres),
    ]);
  },
};
