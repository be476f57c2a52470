// The benchmark: `npm run bench` measures every figure and writes the page, `npm run bench -- NAME` measures one.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createArena, type Effort } from './arena.ts';
import { chain } from './chain.ts';
import { directusVersion, isDirectusInstalled } from './directus.ts';
import { enumerations } from './enumeration.ts';
import { figures } from './figures.ts';
import { moving } from './moving.ts';
import { openid } from './openid.ts';
import { installPeers, peerVersion } from './peers.ts';
import { pocketBaseVersion } from './pocketbase.ts';
import { dateOfRun, renderPage, type Section, sectionOf } from './report.ts';
import { revocation } from './revocation.ts';
import { shortPlan, wholePlan } from './rounds.ts';
import { rows } from './rows.ts';
import { scale } from './scale.ts';
import { webhooks } from './webhooks.ts';
import { workers } from './workers.ts';

const root = join(import.meta.dirname, '..');
const PAGE = join(root, 'docs/reference/benchmarks.md');

/** In the order of the page. */
const sections: Section[] = [
  ...figures.map(sectionOf),
  sectionOf(webhooks),
  openid,
  ...scale,
  workers,
  ...revocation,
  rows,
  chain,
  moving,
  ...enumerations,
];

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !sections.some((section) => section.name === name));
if (unknown !== undefined) {
  process.stderr.write(
    `There is no section "${unknown}". There are: ${sections.map(({ name }) => name).join(', ')}.\n`,
  );
  process.exit(1);
}
if (process.platform !== 'linux') {
  process.stderr.write('The benchmark reads CPU time and memory from /proc: it needs Linux.\n');
  process.exit(1);
}

const isShort = process.env.BENCH_SHORT === '1';
const withPeers = installPeers();
const effort: Effort = { plan: isShort ? shortPlan : wholePlan, withPeers };
const chosen = wanted.length === 0 ? sections : sections.filter(({ name }) => wanted.includes(name));
const minutes = chosen.reduce((sum, { expect }) => sum + expect(effort.plan), 0) / 60;
process.stderr.write(`This takes about ${Math.ceil(minutes)} minutes on two cores.\n`);
const tables: string[] = [];
for (const section of chosen) {
  const table = await measure(section);
  process.stdout.write(`\n${table}\n\n`);
  tables.push(table);
}
if (wanted.length === 0 && !isShort) {
  writeFileSync(PAGE, renderPage({ date: dateOfRun(), versions: readVersions(), hasCounters: hasCounters() }, tables));
  process.stdout.write('Written to docs/reference/benchmarks.md.\n');
}

async function measure(section: Section): Promise<string> {
  process.stderr.write(`${section.title} `);
  const startedAt = performance.now();
  const arena = createArena(effort);
  try {
    return await section.measure(arena);
  } finally {
    await arena.close();
    const [took, expected] = [(performance.now() - startedAt) / 1000, section.expect(effort.plan)];
    process.stderr.write(`${section.name} took ${took.toFixed()} s; ${expected.toFixed()} s were expected.\n`);
  }
}

/** Whether `perf stat` counts instructions here: most virtual machines have no counters. */
function hasCounters(): boolean {
  const { status, stderr } = spawnSync('perf', ['stat', '-e', 'instructions:u', 'true'], { encoding: 'utf8' });
  return status === 0 && !stderr.includes('<not ');
}

function readVersions(): Record<string, string> {
  const read = (folder: string) =>
    JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).version as string;
  const pocketBase = pocketBaseVersion();
  return {
    Latchkey: read('server'),
    Node: process.versions.node,
    Fastify: read('node_modules/fastify'),
    '@node-rs/argon2': read('node_modules/@node-rs/argon2'),
    autocannon: read('node_modules/autocannon'),
    ...(withPeers && { 'better-auth': peerVersion() }),
    ...(pocketBase && { PocketBase: pocketBase }),
    ...(isDirectusInstalled() && { Directus: directusVersion() }),
  };
}
