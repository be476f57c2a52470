// The soak: `npm run bench -- soak` keeps the service at a quarter of its capacity for an hour, and reports how its memory changes.
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAuthority } from '../../server/test/support/authority.ts';
import { register } from '../applications.ts';
import { createArena } from '../arena.ts';
import { freePort, residentMemory, startProgram, stop } from '../children.ts';
import { createLatchkey, openAdministration } from '../latchkey.ts';
import { dateOfRun } from '../report.ts';
import { wholePlan } from '../rounds.ts';
import type { SoakClientOptions, SoakOrder, SoakSample } from './client.ts';
import { openCollector } from './collector.ts';
import { type Moment, plotSoak, renderSoak, type Soak } from './page.ts';
import { receiverUrls } from './receiver.ts';
import { BLOCKS } from './trend.ts';

const root = join(import.meta.dirname, '../..');

/** What the page shows: a shorter soak writes to a folder of its own. */
const PAGE_MINUTES = 60;
const LEAST_MINUTES = 5;
const SAMPLE_SECONDS = 10;
/** How often to look at resident memory. */
const LOOK_MS = 200;
const WARM_UP_SECONDS = 20;
const CAPACITY_SECONDS = 60;
const SESSIONS = 2000;

const minutes = Number(process.env.SOAK_MINUTES || PAGE_MINUTES);
if (!(minutes >= LEAST_MINUTES)) {
  process.stderr.write(`SOAK_MINUTES must be at least ${LEAST_MINUTES}: a trend needs ${2 * BLOCKS} samples.\n`);
  process.exit(1);
}

/** One sample of so many follows a full collection, so three of each block do. The service answers nobody while it collects. */
const COLLECT_EVERY = Math.max(1, Math.floor((minutes * 60) / SAMPLE_SECONDS / (4 * BLOCKS)));

const arena = createArena({ plan: wholePlan, withPeers: false });
try {
  report(await soak());
} finally {
  await arena.close();
}

/** The service, with an application and a webhook, and a client that uses it and receives what it sends. */
async function startAll(dataDir: string) {
  const folder = arena.newFile();
  mkdirSync(folder);
  const certificates = createAuthority(folder, 'soak');
  const inspector = await freePort();
  const latchkey = createLatchkey(dataDir, {
    LATCHKEY_EGRESS_ALLOW: 'localhost',
    NODE_EXTRA_CA_CERTS: certificates.certificate,
    NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}`,
  });
  const { tokens } = await latchkey.prepare(SESSIONS);
  const server = arena.keep(await latchkey.start());
  const collector = arena.keep(await openCollector(inspector));
  const port = await freePort();
  const { events, signOuts } = receiverUrls(port);
  const application = await register(server, { backchannelLogoutUri: signOuts });
  const administrate = await openAdministration(server);
  await administrate('/api/services/app/Webhook/Create', { url: events, actions: ['signIn.password', 'grant.given'] });
  const receiver = { port, ...certificates.issue('receiver') };
  const options: SoakClientOptions = { url: server.url, tokens, application, receiver };
  const { child } = await startProgram(join(import.meta.dirname, 'client.ts'), options);
  arena.keep({ stop: () => stop(child) });
  return { server, child, collector };
}

async function soak(): Promise<Soak> {
  const dataDir = arena.newFile();
  const { server, child, collector } = await startAll(dataDir);
  async function order(order: SoakOrder): Promise<SoakSample> {
    const answer = once(child, 'message');
    child.send(order);
    return (await answer)[0] as SoakSample;
  }

  await order({ does: 'measure', seconds: WARM_UP_SECONDS });
  const { done, failures } = await order({ does: 'measure', seconds: CAPACITY_SECONDS });
  if (failures > 0) throw new Error(`${failures} operations failed.`);
  const capacity = done / CAPACITY_SECONDS;
  // The speed of a shared machine falls to less than half: an overloaded service says little of its memory.
  const rate = capacity / 4;
  process.stderr.write(`${capacity.toFixed()} operations a second; ${rate.toFixed()} for ${minutes} minutes `);
  await order({ does: 'begin', rate });
  const startedAt = performance.now();
  const moments: Moment[] = [];
  let ended = 0;
  while (moments.length < (minutes * 60) / SAMPLE_SECONDS) {
    const resident: number[] = [];
    const endsAt = startedAt + (moments.length + 1) * SAMPLE_SECONDS * 1000;
    do {
      resident.push(residentMemory(server.pid));
      await sleep(LOOK_MS);
    } while (performance.now() < endsAt);
    const client = await order({ does: 'sample' });
    ended += client.done + client.failures;
    const behind = Math.max(0, (performance.now() - startedAt) / 1000 - ended / rate);
    const collects = (moments.length + 1) % COLLECT_EVERY === 0;
    const collected = collects && { heap: (await collector.collect()) / 1e6, resident: residentMemory(server.pid) };
    const metrics = await readMetrics(server.url);
    moments.push({
      minute: (moments.length + 1) * (SAMPLE_SECONDS / 60),
      client,
      behind,
      resident: { least: Math.min(...resident), most: Math.max(...resident) },
      heap: metrics('nodejs_heap_size_used_bytes') / 1e6,
      ...(collected && { collected }),
      eventLoopDelay: metrics('nodejs_eventloop_lag_p99_seconds') * 1000,
      waiting: metrics('latchkey_webhook_events_queued{state="enabled"}'),
      database: sizeOf(dataDir),
    });
    if (moments.length % (60 / SAMPLE_SECONDS) === 0) process.stderr.write('.');
  }
  process.stderr.write('\n');
  await order({ does: 'end' });
  return { date: dateOfRun(), minutes, capacity, rate, moments };
}

/** Returns a function that reads a metric, by its name and labels. */
async function readMetrics(url: string): Promise<(name: string) => number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const values = new Map(text.split('\n').map((line) => line.split(' ') as [string, string]));
  return (name) => Number(values.get(name));
}

/** The files of the database, the write-ahead log included, in MB of 1,000,000 bytes. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder).filter((name) => name.startsWith('latchkey.db'));
  return files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 1e6;
}

function report(result: Soak) {
  const folder = minutes >= PAGE_MINUTES ? join(root, 'docs') : mkdtempSync(join(tmpdir(), 'latchkey-soak-'));
  for (const name of ['reference', 'images']) mkdirSync(join(folder, name), { recursive: true });
  const page = renderSoak(result, '../images/soak.svg');
  writeFileSync(join(folder, 'reference/soak.md'), page);
  writeFileSync(join(folder, 'images/soak.svg'), plotSoak(result));
  process.stdout.write(`\n${page}\nWritten to ${folder}: reference/soak.md, images/soak.svg.\n`);
}
