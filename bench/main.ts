// The benchmark: `npm run bench` measures every figure and writes the page, `npm run bench -- NAME` measures one.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Arena, createArena, type Effort } from './arena.ts';
import { directusVersion, isDirectusInstalled } from './directus.ts';
import { enumerations } from './enumeration.ts';
import { figures } from './figures.ts';
import { installPeers, peerVersion } from './peers.ts';
import { pocketBaseVersion } from './pocketbase.ts';
import { renderFigure, renderPage, type Section } from './report.ts';
import { revocation } from './revocation.ts';
import { rows } from './rows.ts';
import { runRounds } from './runner.ts';
import { scale } from './scale.ts';

const root = join(import.meta.dirname, '..');
const PAGE = join(root, 'docs/reference/benchmarks.md');

/** Fewer rounds are too few to publish. */
const ROUNDS_OF_A_PAGE = 5;

/** In the order of the page. */
const sections: Section[] = [
  ...figures.map((figure) => ({
    ...figure,
    measure: async (arena: Arena) => renderFigure(figure, await runRounds(await figure.open(arena), arena.rounds)),
  })),
  ...scale,
  ...revocation,
  rows,
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

const withPeers = installPeers();
const effort: Effort = { rounds: readNumber('BENCH_ROUNDS', 5), seconds: readNumber('BENCH_SECONDS', 5), withPeers };
const tables: string[] = [];
for (const section of sections) {
  if (wanted.length > 0 && !wanted.includes(section.name)) continue;
  const table = await measure(section);
  process.stdout.write(`\n${table}\n\n`);
  tables.push(table);
}
if (wanted.length === 0 && effort.rounds >= ROUNDS_OF_A_PAGE) {
  const date = process.env.BENCH_DATE || new Date().toISOString().slice(0, 10);
  writeFileSync(PAGE, renderPage({ ...effort, date, versions: readVersions() }, tables));
  process.stdout.write('Written to docs/reference/benchmarks.md.\n');
}

async function measure(section: Section): Promise<string> {
  process.stderr.write(`${section.title} `);
  const arena = createArena(effort);
  try {
    return await section.measure(arena);
  } finally {
    await arena.close();
  }
}

function readNumber(name: string, otherwise: number): number {
  const number = Number(process.env[name] || otherwise);
  if (number >= 1) return number;
  process.stderr.write(`${name} must be a number of at least 1.\n`);
  process.exit(1);
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
