// The profiles: how a profile divides into parts, and what the page says of them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readMemory, sumOf } from './memory.ts';
import { renderProfiles } from './page.ts';
import { type Profile, partsOf } from './parts.ts';
import { readThreads } from './threads.ts';

const node = (id: number, functionName: string, url = '', children: number[] = []) => ({
  id,
  callFrame: { functionName, url, lineNumber: 0 },
  children,
});

/** One sample a millisecond. */
function profileOf(nodes: Profile['nodes'], samples: number[]): Profile {
  const timeDeltas = samples.map(() => 1000);
  return { nodes, samples, timeDeltas, startTime: 0, endTime: (samples.length + 1) * 1000 };
}

describe('the parts of a profile', () => {
  const nodes = [
    node(1, '(root)', '', [2, 3, 4, 9]),
    node(2, '(idle)'),
    node(3, '(garbage collector)'),
    node(4, 'handle', 'file:///app/node_modules/@scope/name/index.js', [5, 6]),
    node(5, 'read', 'file:///app/server.ts', [11]),
    node(6, 'onwrite', 'node:net', [8]),
    node(7, 'get', 'file:///app/src/storage/sqlite.ts'),
    node(8, 'writeLatin1String'),
    node(9, 'sign', 'node:internal/crypto/sig', [10]),
    node(10, 'run'),
    node(11, 'push'),
  ];
  const parts = (samples: number[], seconds = 1) => Object.fromEntries(partsOf(profileOf(nodes, samples), seconds));

  it('are packages, the program itself and parts of Node', () => {
    assert.deepEqual(parts([4, 4, 5, 6, 3, 3]), {
      '`@scope/name`': 0.4,
      'its own code': 0.2,
      "Node's sockets and streams": 0.2,
      'garbage collection': 0.2,
    });
  });

  it('have the native functions that they call', () => {
    assert.deepEqual(parts([7, 8, 11, 10, 10, 10]), {
      'SQLite and its driver': 0.2,
      'writing to the socket': 0.2,
      'its own code': 0.2,
      "Node's cryptography": 0.4,
    });
  });

  it('count neither idle time nor what was before', () => {
    assert.deepEqual(parts([3, 3, 3, 2, 7, 7, 2], 0.004), { 'SQLite and its driver': 1 });
  });
});

describe('a running process', () => {
  it('says how much its threads and memory took', () => {
    const before = readThreads(process.pid);
    const until = performance.now() + 50;
    while (performance.now() < until);
    const after = readThreads(process.pid);
    assert.ok(after.main > before.main);
    assert.ok(sumOf(readMemory(process.pid)) > 20);
  });
});

describe('the page', () => {
  it('shows microseconds for each request', () => {
    const zero = { main: 0, pool: 0, engine: 0, waiting: 0, database: 0 };
    const page = renderProfiles({
      date: '2026-01-02',
      seconds: 20,
      memory: {
        idle: new Map([['heap', 40]]),
        'signing in': new Map([
          ['heap', 41],
          ['hashes', 59],
        ]),
      },
      tables: [
        {
          title: 'Token check',
          profiled: [
            {
              name: 'Latchkey',
              requests: 1000,
              before: zero,
              after: { ...zero, main: 0.05, pool: 0.01, waiting: 0.002 },
              parts: new Map([
                ['SQLite', 0.9],
                ['Node', 0.08],
                ['tiny', 0.02],
              ]),
            },
          ],
        },
      ],
    });
    for (const row of [
      /\| SQLite +\| +45\.0 \|/,
      /\| Node +\| +4\.00 \|/,
      /\| rest of the main thread +\| +1\.00 \|/,
      /\| \*\*main thread\*\* +\| +50\.0 \|/,
      /\| \*\*together\*\* +\| +60\.0 \|/,
      /\| \*main thread, waiting\* +\| +2\.00 \|/,
      /\| hashes +\| +\| +59\.0 \|/,
      /\| \*\*together\*\* +\| +40\.0 \| +100 \|/,
    ])
      assert.match(page, row);
    assert.doesNotMatch(page, /tiny|PostgreSQL +\|/);
  });
});
