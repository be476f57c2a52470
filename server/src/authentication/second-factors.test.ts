// Second factors: which methods a sign-in asks for, whether any is offered, and which accounts must enroll one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Account } from '../accounts/index.ts';
import { type EnrolledFactorReader, factorSettings } from '../factors/index.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Roles } from '../roles/index.ts';
import type { Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import type { Factor } from './method.ts';
import { createSecondFactors, readRequirement } from './second-factors.ts';

const OFF = { passkeys: false, authenticator: false, trustedDeviceDays: 0, requireForPermissions: true };
const ON = { ...OFF, passkeys: true, authenticator: true };

// The factors of this test read nothing else of them.
const tx = {} as Tx;
const account = { id: 7, roleNames: ['guest'] } as Account;
const clerk = { id: 8, roleNames: ['clerk'] } as Account;
const action = { name: 'test', description: '' };

const method = (name: string, more: Partial<Factor> = {}): Factor => ({ name, amr: name, action, ...more });
const enrolled = { isEnrolled: async () => true };
const password = method('password');
const app = method('app', enrolled);
const code = method('code', { ...enrolled, isFallback: true });
const switchedOff = method('key', { ...enrolled, kind: 'passkeys' });

/** @param requiring the front ends that require a second factor. */
function createSettings(values: object, requiring: readonly string[]): SettingReader {
  const read = ({ name }: { name: string }, frontEnd = '') => {
    if (name === factorSettings.name) return { ...ON, ...values };
    return requiring.includes(frontEnd) ? 'required' : 'optional';
  };
  // The policy reads these two settings only.
  return { read } as SettingReader;
}

function create(methods: readonly Factor[], values: object = { passkeys: false }, ...requiring: string[]) {
  const permissionsIn: Roles['permissionsIn'] = async (_, names) => (names.includes('clerk') ? ['pages:users'] : []);
  const secondFactors = createSecondFactors({
    settings: createSettings(values, requiring),
    // They are asked for nothing else.
    roles: { permissionsIn } as Roles,
    enrolledFactors: {} as EnrolledFactorReader,
    sessions: {} as Sessions,
  });
  for (const one of methods) secondFactors.register(one);
  return secondFactors;
}

describe('the second factors of an account', () => {
  it('are the enrolled methods that are offered, in the order of their registration', async () => {
    const notEnrolled = method('pin', { isEnrolled: async () => false });
    const switchedOn = method('key', { ...enrolled, kind: 'authenticator' });
    assert.deepEqual(await create([password, notEnrolled, app, switchedOn]).find(tx, account), ['app', 'key']);
    assert.deepEqual(await create([password, switchedOff]).find(tx, account), []);
    assert.deepEqual([...create([password, app]).methods.keys()], ['password', 'app']);
  });

  it('are other ones than the first factor', async () => {
    const both = create([app, method('key', enrolled)]);
    assert.deepEqual(await both.find(tx, account, app), ['key']);
    assert.deepEqual(await both.find(tx, account, password), ['app', 'key']);
  });

  it('have a fallback beside them, which is none alone', async () => {
    assert.deepEqual(await create([app, code]).find(tx, account), ['app', 'code']);
    assert.deepEqual(await create([app, code]).find(tx, account, app), []);
    assert.deepEqual(await create([switchedOff, code]).find(tx, account), []);
  });

  it('are offered while one is that is no fallback', () => {
    assert.equal(create([password, app]).areOffered(), true);
    assert.equal(create([password, switchedOff, code]).areOffered(), false);
  });

  it('must be enrolled where the settings require one and the account has none', async () => {
    const mustEnroll = (methods: readonly Factor[], ...requiring: string[]) =>
      create(methods, { passkeys: false, requireForPermissions: false }, ...requiring).mustEnroll(tx, account, 'app');
    assert.equal(await mustEnroll([switchedOff, code], 'app'), true);
    assert.equal(await mustEnroll([app], 'app'), false);
    assert.equal(await mustEnroll([switchedOff]), false);
  });

  it('must be enrolled by an account with permissions, read in the transaction, where the settings say so', async () => {
    const mustEnroll = async (values: object, ...requiring: string[]) => {
      const secondFactors = create([password], values, ...requiring);
      return [
        await secondFactors.mustEnroll(tx, account, 'portal'),
        await secondFactors.mustEnroll(tx, clerk, 'portal'),
      ];
    };
    assert.deepEqual(await mustEnroll({}), [false, true]);
    assert.deepEqual(await mustEnroll({}, 'portal'), [true, true]);
    assert.deepEqual(await mustEnroll({ requireForPermissions: false }), [false, false]);
  });
});

it('the roles of an account are held for a session that is new or restricted, and not for one without restriction', async () => {
  const held: unknown[] = [];
  const permissionsIn: Roles['permissionsIn'] = async (_tx, _names, holds) => {
    held.push(holds);
    return [];
  };
  const secondFactors = createSecondFactors({
    settings: createSettings({}, []),
    // They are asked for nothing else.
    roles: { permissionsIn } as Roles,
    enrolledFactors: {} as EnrolledFactorReader,
    sessions: {} as Sessions,
  });
  await secondFactors.mustEnroll(tx, clerk, 'portal');
  await secondFactors.mustEnroll(tx, clerk, 'portal', true);
  assert.deepEqual(held, [true, false]);
});

describe('accounts that have just gained a permission', () => {
  /** Enforces enrollment for 1000 accounts, of which the even ones have a factor. Returns whom each statement concerns. */
  async function enforce(values: object, ...requiring: string[]) {
    const settings = createSettings(values, requiring);
    const asked: { ids: readonly number[]; offered: unknown }[] = [];
    const restricted: (readonly number[])[] = [];
    const findOwners: EnrolledFactorReader['findOwners'] = async (_, ids, offered) => {
      asked.push({ ids, offered });
      return new Set(ids.filter((id) => id % 2 === 0));
    };
    const restrictToEnrollment: Sessions['restrictToEnrollment'] = async (_, ids) => {
      restricted.push(ids);
    };
    const secondFactors = createSecondFactors({
      settings,
      roles: {} as Roles,
      // They are asked for nothing else.
      enrolledFactors: { findOwners } as EnrolledFactorReader,
      sessions: { restrictToEnrollment } as Sessions,
    });
    await secondFactors.enforceEnrollment(tx, all);
    return { asked, restricted };
  }
  const all = Array.from({ length: 1000 }, (_, n) => n + 1);
  const batches = [all.slice(0, 500), all.slice(500)];
  const isOdd = (id: number) => id % 2 === 1;

  it('are restricted to enrolling, 500 at a time, where they have no offered factor', async () => {
    const { asked, restricted } = await enforce({ passkeys: false });
    const offered = { ...ON, passkeys: false };
    assert.deepEqual(
      asked,
      batches.map((ids) => ({ ids, offered })),
    );
    assert.deepEqual(
      restricted,
      batches.map((ids) => ids.filter(isOdd)),
    );
  });

  it('keep their sessions where the settings of default-app require no factor', async () => {
    assert.deepEqual(await enforce({ requireForPermissions: false }, 'portal'), { asked: [], restricted: [] });
    assert.equal((await enforce({ requireForPermissions: false }, 'default-app')).restricted.length, 2);
  });
});

describe('what the settings require', () => {
  const requirementOf = (values: object, ...requiring: string[]) =>
    readRequirement(createSettings(values, requiring), 'portal');

  it('is a factor of every account where the front end or default-app demands it', () => {
    assert.equal(requirementOf({}, 'portal'), 'all');
    assert.equal(requirementOf({}, 'default-app'), 'all');
    assert.equal(requirementOf({ requireForPermissions: false }, 'default-app', 'portal'), 'all');
    assert.equal(requirementOf({ requireForPermissions: false }, 'shop'), 'none');
  });

  it('is a factor of accounts with permissions where they say so', () => {
    assert.equal(requirementOf({}, 'shop'), 'with-permissions');
    assert.equal(requirementOf({ requireForPermissions: false }), 'none');
  });

  it('is none that no account could enroll', () => {
    assert.equal(requirementOf(OFF, 'default-app', 'portal'), 'none');
    for (const kind of ['passkeys', 'authenticator']) {
      assert.equal(requirementOf({ ...OFF, [kind]: true }, 'portal'), 'all', kind);
    }
  });
});
