// latchkey user: each change runs beside a running service, applies there at once, and is recorded.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { enginesAtLength } from '../support/databases.ts';
import { callProcess, type TestProcess } from '../support/process.ts';
import { createSite, type Site } from './run.ts';

const GENERATED = /^Password: ([a-z2-9]{4}(?:-[a-z2-9]{4}){4})$/m;
const PIPED = 'staple gravel lantern';

for (const engine of enginesAtLength) {
  describe(`latchkey user beside a running service on ${engine}`, () => {
    let site: Site;
    let service: TestProcess;

    before(async () => {
      site = await createSite(engine);
      service = await site.serve();
    });
    after(() => site.close());

    async function runs(words: string[], input?: string) {
      const ended = await site.run(['user', ...words], input === undefined ? {} : { input });
      assert.deepEqual({ code: ended.code, err: ended.err }, { code: 0, err: '' });
      return ended.out;
    }

    async function fails(words: string[], line: RegExp, input?: string) {
      const ended = await site.run(['user', ...words], input === undefined ? {} : { input });
      assert.deepEqual({ code: ended.code, out: ended.out }, { code: 1, out: '' });
      assert.match(ended.err, /^latchkey: [^\n]+\n$/);
      assert.match(ended.err, line);
    }

    const signIn = (userNameOrEmailAddress: string, password: string) =>
      callProcess(service.url, 'POST', '/api/TokenAuth/Authenticate', { body: { userNameOrEmailAddress, password } });
    const isOpen = async (token: string) => {
      const path = '/api/services/app/Session/GetAll';
      return (await callProcess(service.url, 'GET', path, { token })).status === 200;
    };

    it('creates an account with a generated password that must be changed', async () => {
      const words = ['create', 'ann', '--email', 'Ann@example.com', '--mobile', '+27 82 123 4567', '--role', 'Clerk'];
      const out = await runs([...words, '--name', 'Ann', '--surname', 'Lee', '--role', 'Driver']);
      assert.match(out, /^Created ann \(account \d+\)\.$/m);
      const [, password = ''] = GENERATED.exec(out) ?? [];
      const { status, result } = await signIn('ann@EXAMPLE.com', password);
      assert.deepEqual([status, result.requiredChangePassword], [200, true]);
      assert.doesNotMatch(service.output(), new RegExp(password));

      const [listed] = (await runs(['list', '--json', '--search', 'ann@'])).trim().split('\n');
      const account = JSON.parse(listed ?? '');
      assert.equal(account.mobileNumber, '+27821234567');
      assert.deepEqual(account.roleNames, ['Clerk', 'Driver']);
      assert.equal('passwordHash' in account, false);
      assert.deepEqual([account.isEmailConfirmed, account.isMobileConfirmed], [false, false]);
    });

    it('marks addresses as verified when it is told to', async () => {
      const [email, mobile] = ['--email-verified', '--mobile-verified'] as const;
      await runs(['create', 'dora', '--email', 'dora@dora.example', email, '--mobile', '+27821234568', mobile]);
      await runs(['create', 'dan', '--email', 'dan@dora.example', '--mobile', '+27821234569', mobile]);
      const listed = (await runs(['list', '--json', '--search', '@dora.example'])).trim().split('\n');
      const accounts = listed.map((line) => JSON.parse(line));
      assert.deepEqual(
        accounts.map((one) => [one.userName, one.isEmailConfirmed, one.isMobileConfirmed]),
        [
          ['dora', true, true],
          ['dan', false, true],
        ],
      );
      for (const [flag, needed] of Object.entries({ [email]: '--email', [mobile]: '--mobile' })) {
        const { code, err } = await site.run(['user', 'create', 'eve', flag]);
        assert.deepEqual([code, err.startsWith(`latchkey: ${flag} needs ${needed} `)], [2, true], err);
      }
    });

    it('accepts a password from standard input, if it meets the rules', async () => {
      await fails(['create', 'bob', '--password-stdin'], /at least 12 characters/, 'short');
      await fails(['create', 'bob', '--password-stdin'], /no password/, '\n');
      await fails(['create', 'bob', '--password-stdin'], /more than one line/, 'one\ntwo\n');
      assert.equal(await runs(['list', '--search', 'bob', '--json']), '');
      const out = await runs(['create', 'bob', '--password-stdin'], `${PIPED}\n`);
      assert.doesNotMatch(out, /Password/);
      const { status, result } = await signIn('bob', PIPED);
      assert.deepEqual([status, result.requiredChangePassword], [200, false]);
    });

    it('refuses invalid names and numbers, and taken ones', async () => {
      await fails(['create', 'BOB'], /Another account/);
      await fails(['create', 'two words'], /userName/);
      await fails(['create', 'carl', '--mobile', '12345'], /country code/);
      await fails(['create', 'carl', '--email', 'nowhere'], /emailAddress/);
      await fails(['create', 'someone@example.com'], /user name/);
      await fails(['unlock', 'nobody'], /no account .*"nobody"/);
    });

    it('deactivates an account and activates it again, and ends its sessions at once', async () => {
      const { result } = await signIn('bob', PIPED);
      assert.equal(await isOpen(result.accessToken), true);
      assert.equal(await runs(['deactivate', ' Bo\u200bB\u200f']), 'Deactivated bob.\n');
      assert.equal(await isOpen(result.accessToken), false);
      assert.match(await runs(['list', '--inactive']), /^\d+ +bob .* inactive/m);
      assert.equal(await runs(['activate', 'bob']), 'Activated bob.\n');
      assert.equal((await runs(['list', '--inactive', '--json'])).length, 0);
      await fails(['deactivate', 'admin'], /last active administrator/);
    });

    it('resets a password, ends the sessions, ends the lockout', async () => {
      const { result } = await signIn('bob', PIPED);
      const [, password = ''] = GENERATED.exec(await runs(['reset-password', 'bob'])) ?? [];
      assert.equal(await isOpen(result.accessToken), false);
      assert.equal((await signIn('bob', PIPED)).status, 401);
      assert.equal((await signIn('bob', password)).result.requiredChangePassword, true);
      assert.equal((await signIn('bob', 'wrong')).status, 401);
      assert.equal(await runs(['unlock', 'bob']), 'Unlocked bob.\n');
      await runs(['reset-password', 'bob', '--password-stdin'], 'another lantern gravel');
      assert.equal((await signIn('bob', 'another lantern gravel')).result.requiredChangePassword, true);
    });

    it('records the actor of each change', async () => {
      const token = (await signIn('admin', 'correct horse battery')).result.accessToken;
      const path = '/api/services/app/Audit/GetAll?maxResultCount=100';
      const { result } = await callProcess(service.url, 'GET', path, { token });
      const byUs = result.items.filter(
        (entry: { details: { by?: string } | null }) => entry.details?.by === 'command line',
      );
      const actions = byUs.map(({ action }: { action: string }) => action).reverse();
      const reset = 'account.passwordReset';
      const made = Array(4).fill('account.created');
      assert.deepEqual(actions, [
        ...made,
        'account.deactivated',
        'account.activated',
        reset,
        'account.unlocked',
        reset,
      ]);
    });
  });
}

describe('latchkey user before the first start', () => {
  it('creates the first administrator of an empty service', async () => {
    const site = await createSite('sqlite');
    try {
      assert.match((await site.run(['user', 'create', 'root', '--admin'])).out, GENERATED);
      assert.match((await site.run(['user', 'list'])).out, /^1 +root .* Administrator +active/m);
    } finally {
      await site.close();
    }
  });
});
