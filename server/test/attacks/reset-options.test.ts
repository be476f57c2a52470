// Attacks that try to enumerate accounts with requests for the options to reset a password.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { createMigratedUrl, enginesAtLength } from '../support/databases.ts';
import { startTestService, type TestAnswer, type TestService, USER_PASSWORD } from '../support/service.ts';
import { countStatements } from '../support/statements.ts';

const USER = '/api/services/app/User';
const [LINK, SMS, QUESTIONS] = [2, 4, 8];

type Option = { method: number; prompt: string; maskedIdentifier: string | null };
type Switches = { link?: boolean; sms?: boolean; questions?: boolean };

const ask = (node: TestService, username: string) =>
  node.get(`${USER}/GetUserPasswordResetOptions`, { query: { username } });
const list = async (node: TestService, username: string) => (await ask(node, username)).result;
const methodsOf = (options: readonly Option[]) => options.map(({ method }) => method);
const maskOf = (options: readonly Option[], method: number | undefined) =>
  options.find((one) => one.method === method)?.maskedIdentifier;

const switchTo = (node: TestService, { link = false, sms = false, questions = false }: Switches) =>
  node.set('Shesha.Security', {
    useResetPasswordViaEmailLink: link,
    useResetPasswordViaSmsOtp: sms,
    useResetPasswordViaSecurityQuestions: questions,
  });

/** Sets answers to the security questions of an account. */
async function answer(node: TestService, userName: string) {
  const token = await node.signIn(userName);
  const { result } = await node.get(`${USER}/GetMySecurityQuestions`, { token });
  const ids: string[] = result.questions.slice(0, result.required).map(({ id }) => id);
  const answers = ids.map((questionId) => ({ questionId, answer: `so it was ${questionId.slice(0, 4)}` }));
  const body = { currentPassword: USER_PASSWORD, answers };
  assert.equal((await node.post(`${USER}/SetMySecurityQuestions`, { token, body })).status, 200);
}

/** Asserts that each option has the prompt of its method and a well-formed mask. */
function assertShape({ status, headers, result, body }: TestAnswer<readonly Option[]>) {
  assert.equal(status, 200);
  assert.equal(body.error, null);
  const { date: _, 'content-length': __, ...told } = headers;
  assert.deepEqual(Object.keys(told).toSorted(), [
    'cache-control',
    'connection',
    'content-security-policy',
    'content-type',
    'x-content-type-options',
  ]);
  assert.deepEqual(methodsOf(result), methodsOf(result).toSorted());
  assert.ok(result.length > 0);
  for (const option of result) {
    assert.deepEqual(Object.keys(option), ['method', 'prompt', 'maskedIdentifier']);
    const [prompt, mask] = {
      2: ['Send me a link by e-mail.', /^[a-z0-9]\*\*\*@\*\*\*$/],
      4: ['Send me a one-time password by SMS.', /^\*\*\*\d\d$/],
      8: ['Let me answer my security questions.', /^null$/],
    }[option.method] as [string, RegExp];
    assert.equal(option.prompt, prompt);
    assert.match(String(option.maskedIdentifier), mask);
  }
}

for (const engine of enginesAtLength) {
  describe(`options to reset a password, on ${engine}`, () => {
    let test: TestService;
    let admin: string;
    let count = 10;
    before(async () => {
      test = await startTestService(engine);
      admin = await test.admin();
    });
    beforeEach(async () => {
      count += 1;
      await switchTo(test, { link: true, sms: true, questions: true });
    });
    after(() => test.close());

    const reached = (prefix: string) => ({
      emailAddress: `Post.${prefix}${count}@Example.CO.ZA`,
      isEmailConfirmed: true,
      mobileNumber: `+278245678${count}`,
      isMobileConfirmed: true,
    });
    const names = Array.from({ length: 60 }, (_, n) => `${String.fromCharCode(97 + (n % 26))}phantom${n}`);

    it('list the methods that are set up and switched on, masked, for every name of the account', async () => {
      const all = `Anele${count}`;
      await test.createUser(all, reached('anele'));
      await answer(test, all);
      const options = await list(test, all);
      const masks = options.map(({ method, maskedIdentifier }) => [method, maskedIdentifier]);
      assert.deepEqual(masks, [
        [LINK, 'p***@***'],
        [SMS, `***${count}`],
        [QUESTIONS, null],
      ]);
      assert.deepEqual(await list(test, all.toUpperCase()), options);
      assert.deepEqual(await list(test, reached('anele').emailAddress.toLowerCase()), options);
      await switchTo(test, { link: true, questions: true });
      assert.deepEqual(methodsOf(await list(test, all)), [LINK, QUESTIONS]);
      await switchTo(test, { sms: true });
      assert.deepEqual(methodsOf(await list(test, all)), [SMS]);
      await switchTo(test, { sms: true, link: true });
      await test.set('Latchkey.PhoneNumbers', { allowedCountries: ['DE'] });
      assert.deepEqual(methodsOf(await list(test, all)), [LINK], 'no SMS is sent to that country');
      await test.set('Latchkey.PhoneNumbers', { allowedCountries: [] });
    });

    it('list verified addresses only', async () => {
      const { emailAddress, mobileNumber } = reached('ben');
      await test.createUser(`ben${count}`, { emailAddress, isEmailConfirmed: true, mobileNumber });
      assert.deepEqual(methodsOf(await list(test, `ben${count}`)), [LINK]);
      await switchTo(test, { sms: true });
      assert.notEqual(
        maskOf(await list(test, `ben${count}`), SMS),
        undefined,
        'a decoy replaces the unverified number',
      );
    });

    it('look alike for unknown names, deactivated accounts, and accounts without any method', async (context) => {
      await test.createUser(`known${count}`, reached('known'));
      await test.createUser(`bare${count}`);
      await test.createUser(`unproven${count}`, { emailAddress: `unproven${count}@example.com` });
      const former = await test.createUser(`former${count}`, {
        ...reached('former'),
        mobileNumber: `+278245679${count}`,
      });
      await answer(test, `former${count}`);
      const offered = await list(test, `former${count}`);
      await test.post(`${USER}/InactivateUser`, { token: admin, body: { userId: former } });
      const gone = await test.createUser(`gone${count}`, { emailAddress: `gone${count}@example.com` });
      await test.send('DELETE', `${USER}/Delete`, { token: admin, query: { id: gone } });
      const decoys = ['bare', 'unproven', 'former', 'gone', 'nobody'].map((kind) => `${kind}${count}`);
      const strange = [
        `nobody${count}@example.com`,
        `+278212345${count}`,
        `' or 1=1 -- ${count}`,
        '@',
        'a@',
        '@b',
        '✨',
      ];
      for (const username of [`known${count}`, ...decoys, ...strange]) assertShape(await ask(test, username));
      assert.notDeepEqual(await list(test, `former${count}`), offered, 'the options of the account are not listed');
      const other = await startTestService(engine);
      context.after(() => other.close());
      await switchTo(other, { link: true, sms: true, questions: true });
      for (const username of [...decoys, ...strange]) {
        assert.deepEqual(
          await list(other, username),
          await list(test, username),
          `${username}: the same as on a service without accounts`,
        );
      }
    });

    it('are the same for every spelling of a name, and differ between names', async () => {
      const seen = await Promise.all(names.map((name) => list(test, name)));
      for (const [index, name] of names.entries()) {
        const wide = name.replace('phantom', 'ｐｈａｎｔｏｍ');
        for (const spelling of [name, name.toUpperCase(), wide]) {
          assert.deepEqual(await list(test, spelling), seen[index], spelling);
        }
      }
      const share = (isSo: (options: readonly Option[]) => boolean) => seen.filter(isSo).length / seen.length;
      const has = (method: number | undefined) => (options: readonly Option[]) => maskOf(options, method) !== undefined;
      assert.ok(share(has(LINK)) > 0.85);
      for (const method of [SMS, QUESTIONS]) assert.ok(share(has(method)) > 0.3 && share(has(method)) < 0.7);
      const numbers = seen.flatMap((options) => maskOf(options, SMS) ?? []);
      assert.ok(new Set(numbers).size > numbers.length / 2);
      const mails = seen.map((options, index) => [names[index]?.[0], maskOf(options, LINK)] as const);
      const own = mails.filter(([letter, mask]) => mask?.startsWith(letter ?? '?')).length / mails.length;
      assert.ok(own > 0.5 && own < 0.95, 'most addresses begin with the first letter of the name');
    });

    it('show neither the top-level domain, the host nor the length of an address', async () => {
      const endings = ['de', 'co.za', 'museum', 'xn--p1ai', 'com'];
      for (const [turn, ending] of endings.entries()) {
        const emailAddress = `a.long.local.part${count}x${turn}@host${count}.${ending}`;
        await test.createUser(`a${turn}real${count}`, { emailAddress, isEmailConfirmed: true });
        for (const name of [`a${turn}real${count}`, emailAddress]) {
          assert.equal(maskOf(await list(test, name), LINK), 'a***@***', name);
        }
      }
      const decoys = await Promise.all(names.map((name) => list(test, name)));
      const masks = new Set(decoys.flatMap((options) => maskOf(options, LINK) ?? []));
      assert.ok(masks.size > 10);
      for (const mask of masks) assert.match(mask, /^[a-z0-9]\*\*\*@\*\*\*$/);
    });

    it('begin with a digit for unknown names that do, as addresses of numbered accounts do', async () => {
      const numbered = Array.from({ length: 40 }, (_, n) => `${n % 10}phantom${n}`);
      const seen = await Promise.all(numbered.map((name) => list(test, name)));
      const own = seen.filter((options, n) => maskOf(options, LINK)?.startsWith(`${n % 10}`));
      assert.ok(own.length > 15 && own.length < 40, `${own.length}`);
    });

    it('mask the typed address or number itself', async () => {
      for (const typed of [`Thabo${count}@Mail.Example.DE`, `THABO${count}@mail.example.de`]) {
        assert.equal(maskOf(await list(test, typed), LINK), 't***@***');
      }
      for (const typed of [`+278212345${count}`, `+27 82 123 45${count}`]) {
        assert.equal(maskOf(await list(test, typed), SMS), `***${count}`);
      }
    });

    it('list at least one method that is switched on, and keep it when others are switched', async () => {
      const open = { link: true, sms: true, questions: true };
      const before = await Promise.all(names.map((name) => list(test, name)));
      for (const bits of [1, 2, 3, 4, 5, 6, 7]) {
        const [link, sms, questions] = [1, 2, 4].map((bit) => (bits & bit) > 0);
        await switchTo(test, { link, sms, questions } as Switches);
        const allowed = [link && LINK, sms && SMS, questions && QUESTIONS];
        for (const [index, name] of names.entries()) {
          const options = await list(test, name);
          assert.ok(options.length > 0 && methodsOf(options).every((method) => allowed.includes(method)), name);
          for (const option of before[index] ?? []) {
            if (allowed.includes(option.method)) assert.ok(options.some((one) => one.method === option.method));
            const mask = maskOf(options, option.method);
            assert.ok(mask === undefined || mask === option.maskedIdentifier);
          }
        }
      }
      await switchTo(test, {});
      await test.createUser(`known${count}`, reached('known'));
      for (const username of [`known${count}`, `nobody${count}`]) assert.deepEqual(await list(test, username), []);
      await switchTo(test, open);
    });

    it('run the same number of statements for known and unknown names', async (context) => {
      // Only PostgreSQL: each statement costs a round trip that an attacker could measure.
      if (engine === 'sqlite') return;
      await test.createUser(`known${count}`, reached('known'));
      await answer(test, `known${count}`);
      await test.createUser(`bare${count}`);
      const statements = countStatements(context);
      const seen: number[] = [];
      for (const username of [`known${count}`, `bare${count}`, `nobody${count}`]) {
        statements.reset();
        await ask(test, username);
        seen.push(statements.read());
      }
      assert.deepEqual(seen, Array(3).fill(seen[0]));
      assert.ok((seen[0] ?? 0) > 1, 'statements are counted');
    });

    it('are listed for a name only, and without a rate limit', async () => {
      for (const query of [{}, { username: '' }, { username: 'x'.repeat(513) }]) {
        assertRefused(await test.get(`${USER}/GetUserPasswordResetOptions`, { query }), 400, 'request.invalid', query);
      }
      assertRefused(await test.post(`${USER}/GetUserPasswordResetOptions`), 405, 'request.methodNotAllowed');
      for (let turn = 0; turn < 30; turn += 1) {
        const call = { query: { username: `nobody${turn}` }, ip: '10.9.8.7' };
        assert.equal((await test.get(`${USER}/GetUserPasswordResetOptions`, call)).status, 200, 'no rate limit');
      }
    });
  });

  it(`decoys stay the same after a restart, and differ on a service with another secret, on ${engine}`, async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const url = engine === 'sqlite' ? `sqlite:${join(folder, 'latchkey.db')}` : await createMigratedUrl(engine);
    const names = Array.from({ length: 20 }, (_, n) => `phantom${n}`);
    const look = async (options: { url?: string; secret?: string }) => {
      const node = await startTestService(engine, options);
      await switchTo(node, { link: true, sms: true, questions: true });
      const questions = (username: string) => node.get(`${USER}/GetSecurityQuestions`, { query: { username } });
      const seen = await Promise.all(
        names.map(async (name) => JSON.stringify([await list(node, name), (await questions(name)).result])),
      );
      await node.close();
      return seen;
    };
    const first = await look({ url });
    assert.deepEqual(await look({ url }), first);
    const elsewhere = await look({ secret: 'another secret of thirty-two characters' });
    assert.ok(elsewhere.filter((one, index) => one === first[index]).length < 3);
  });
}
