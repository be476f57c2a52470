// An upgrade without an interruption: nodes of the former version and of this one share a database, on the way up and back.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { buildFormerVersion } from '../support/former-version.ts';
import { itAtLength } from '../support/scale.ts';
import { findViolations } from './checks.ts';
import { startLoad } from './load.ts';
import { report } from './report.ts';
import { startWorld } from './world.ts';

const UPGRADES = 20;

/** What a caller sees of a node that stops: no answer at all. */
const RESETS = ['ECONNRESET', 'ECONNREFUSED', 'UND_ERR_SOCKET'];

describe('an upgrade of one node after the other', () => {
  itAtLength('fails no request, and loses nothing, up and back', async (test) => {
    const former = buildFormerVersion();
    test.after(() => former.remove());
    const world = await startWorld('postgres', { program: former.program });
    test.after(() => world.close());
    await world.startNode();
    const people = await world.createPeople(6);
    for (let upgrade = 0; upgrade < UPGRADES; upgrade += 1) {
      for (const program of [undefined, former.program]) {
        const load = await startLoad(world, people);
        await world.roll(program);
        const last = await load.end();
        for (const [index, held] of last.entries()) assert.equal((await people[index]?.use(held))?.status, 200);
      }
    }
    const { entries } = world.ledger;
    const unanswered = entries.filter(({ outcome, reason }) => outcome === 'unknown' && !RESETS.includes(`${reason}`));
    assert.deepEqual(unanswered.slice(0, 5), []);
    report('an upgrade of one node after the other', world.ledger, 4 * UPGRADES, findViolations(entries));
  });
});
