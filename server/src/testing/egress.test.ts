// What a test server calls: receivers on this machine and at listed names, and none else.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Egress, EgressRefusal, parseEgressAllowance } from '../foundation/egress.ts';
import { createTestEgress } from './egress.ts';

const request = { method: 'POST', signal: new AbortController().signal } as const;

function createWorld(allowed: string) {
  const called: string[] = [];
  const checked: string[] = [];
  const all: Egress = {
    check: (address) => void checked.push(address),
    async fetch(address) {
      called.push(address);
      return new Response();
    },
  };
  return { called, checked, egress: createTestEgress(parseEgressAllowance(allowed), all) };
}

describe('the egress of a test server', () => {
  it('reaches this machine, and the host names that the environment lists', async () => {
    const { called, egress } = createWorld('hooks.internal, 10.0.0.0/8');
    const own = ['http://localhost:1/', 'http://127.0.0.1/', 'http://[::1]:1/', 'https://hooks.internal/'];
    for (const address of own) await egress.fetch(address, request);
    assert.deepEqual(called, own);
  });

  it('reaches no other machine', async () => {
    const { called, egress } = createWorld('hooks.internal');
    const others = ['https://events.example.com/', 'https://8.8.8.8/', 'https://localhost.example.com/', 'nonsense'];
    for (const address of others) await assert.rejects(egress.fetch(address, request), EgressRefusal);
    assert.deepEqual(called, []);
  });

  it('checks the addresses of a configuration as a service does', () => {
    const { checked, egress } = createWorld('');
    egress.check('https://events.example.com/');
    assert.deepEqual(checked, ['https://events.example.com/']);
  });
});
