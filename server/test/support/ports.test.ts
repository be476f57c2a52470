// Ports that tests get: none twice, though a server that is to use one has not started yet.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { findFreePort } from './ports.ts';

/** Of so many that were drawn without regard to each other, some would be the same. */
const MANY = 500;

describe('ports for the servers of tests', () => {
  it('are different ones, on which nothing listens', async () => {
    const ports: number[] = [];
    while (ports.length < MANY) ports.push(await findFreePort());
    assert.equal(new Set(ports).size, MANY);
    const [port = 0] = ports;
    await assert.rejects(once(connect(port, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' });
  });
});
