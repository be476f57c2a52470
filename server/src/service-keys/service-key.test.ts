// The rules of a service key, to the millisecond.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toInstant } from '../foundation/clock.ts';
import {
  findUnused,
  formatServiceKey,
  isServiceKey,
  isUseDue,
  managing,
  requireUsable,
  SERVICE_KEY_BYTES,
} from './service-key.ts';

const DAY_MS = 86_400_000;
const MADE = toInstant(1_700_000_000_000);
const after = (milliseconds: number) => toInstant(MADE + milliseconds);

describe('a service key', () => {
  it('is unused when its last use, or its making, was ninety days ago', () => {
    const made = { createdAt: MADE, lastUsedAt: null };
    const used = { createdAt: MADE, lastUsedAt: after(DAY_MS) };
    assert.deepEqual(findUnused([made, used], after(90 * DAY_MS - 1)), []);
    assert.deepEqual(findUnused([made, used], after(90 * DAY_MS)), [made]);
    assert.deepEqual(findUnused([made, used], after(91 * DAY_MS)), [made, used]);
  });

  it('has its use recorded once a minute', () => {
    for (const never of [null, undefined]) assert.equal(isUseDue(never, MADE), true);
    assert.deepEqual([isUseDue(MADE, after(59_999)), isUseDue(MADE, after(60_000))], [false, true]);
  });

  it('manages with the permissions of roles beside `manage`, and neither goes without the other', () => {
    const permissions = ['manage', 'audit', 'Pages.Users'] as const;
    assert.deepEqual(managing({ permissions }), ['Pages.Users']);
    assert.deepEqual(managing({ permissions: ['audit'] }), []);
    for (const usable of [permissions, ['introspect'] as const]) requireUsable({ permissions: usable });
    for (const wrong of [
      ['manage', 'audit'],
      ['audit', 'Pages.Users'],
    ] as const) {
      assert.throws(() => requireUsable({ permissions: wrong }), { reason: 'request.invalid' });
    }
  });

  it('has a form that no other text has', () => {
    const key = formatServiceKey(new Uint8Array(SERVICE_KEY_BYTES).fill(255));
    assert.equal(key, `lks_${'_'.repeat(42)}8`);
    assert.ok(isServiceKey(key));
    for (const wrong of [undefined, '', key.slice(1), `${key}A`, `x${key}`, key.replace('8', '+')]) {
      assert.equal(isServiceKey(wrong), false, String(wrong));
    }
  });
});
