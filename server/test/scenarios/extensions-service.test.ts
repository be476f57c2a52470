// Extensions in a running service: settings that apply at once, events as they happen, and all of it over the network.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import type { ReadableSetting, ServiceEvent } from '../../src/extensions/index.ts';
import { createMigratedUrl, engines } from '../support/databases.ts';
import { importExtension, load, writeExtension, writeInitializing } from '../support/extensions.ts';
import { callProcess, startInVain, startProcess } from '../support/process.ts';
import { ADMIN_PASSWORD, startTestService, type TestService } from '../support/service.ts';

const SETTINGS = '/api/services/app/Settings';

/** Starts a service with one extension. @returns the service, what the extension exports, and its log lines. */
async function startWith(path: string, engine: (typeof engines)[number] = 'sqlite') {
  const { additions, lines } = await load([path]);
  const test = await startTestService(engine, { additions });
  return { test, lines, extension: await importExtension(path) };
}

for (const engine of engines) {
  describe(`settings of extensions on ${engine}`, () => {
    type Form = { days: number; ratio: number; kind: 'soft' | 'hard'; note: string };
    let test: TestService;
    let token: string;
    let strict: ReadableSetting<boolean>;
    let form: ReadableSetting<Form>;
    before(async () => {
      const path = writeExtension(
        'settings.mjs',
        `export let strict, form;
         export function initialize({ defineSetting }) {
           const common = { category: 'Acme', description: 'For a test.' };
           strict = defineSetting({
             ...common, name: 'Acme.Strict', scope: 'frontEnd', label: 'Strict', public: true, order: 15,
             schema: { type: 'boolean' }, default: false,
           });
           form = defineSetting({
             ...common, name: 'Acme.Form', scope: 'general', label: 'Form',
             schema: { type: 'object', properties: {
               days: { type: 'integer', title: 'Days', minimum: 1, maximum: 9, 'x-unit': 'd' },
               ratio: { type: 'number', title: 'Ratio', minimum: 0, maximum: 1 },
               kind: { type: 'string', title: 'Kind', enum: ['soft', 'hard'] },
               note: { type: 'string', title: 'Note', maxLength: 5, pattern: '^[a-z]*$' },
             } },
             default: { days: 2, ratio: 0.5, kind: 'soft', note: '' },
           });
         }`,
      );
      const started = await startWith(path, engine);
      test = started.test;
      token = await test.admin();
      ({ strict, form } = started.extension as unknown as { strict: typeof strict; form: typeof form });
    });
    after(() => test.close());

    const update = (name: string, value: unknown, appKey?: string) =>
      test.post(`${SETTINGS}/UpdateValue`, { token, body: { name, value, ...(appKey && { appKey }) } });

    it('are described like the service’s own, in their place', async () => {
      const { result } = await test.get(`${SETTINGS}/GetConfigurations`, { token });
      const names = result.map(({ name }) => name);
      assert.deepEqual(result.at(-1), {
        name: 'Acme.Form',
        scope: 'general',
        categoryName: 'Acme',
        label: 'Form',
        description: 'For a test.',
        kind: 'compound',
        schema: {
          type: 'object',
          required: ['days', 'ratio', 'kind', 'note'],
          properties: {
            days: { type: 'integer', title: 'Days', minimum: 1, maximum: 9, 'x-unit': 'd' },
            ratio: { type: 'number', title: 'Ratio', minimum: 0, maximum: 1 },
            kind: { type: 'string', title: 'Kind', enum: ['soft', 'hard'] },
            note: { type: 'string', title: 'Note', maxLength: 5, pattern: '^[a-z]*$' },
          },
        },
        default: { days: 2, ratio: 0.5, kind: 'soft', note: '' },
        order: 1000,
        isGuarded: false,
        module: { name: 'Acme', accessor: 'acme' },
        category: { name: 'Acme', accessor: 'acme' },
        accessor: 'form',
        dataType: { dataType: 'object', dataFormat: null, objectType: null },
        editorForm: null,
      });
      const place = names.indexOf('Acme.Strict');
      const [before, own, next] = result.slice(place - 1);
      assert.ok(before && own && next);
      assert.equal(own.kind, 'value');
      assert.ok(before.order <= 15 && next.order > 15);
    });

    it('are changed, recorded and reset to their default through the API; reading returns the value that applies', async () => {
      assert.deepEqual(form.read(), { days: 2, ratio: 0.5, kind: 'soft', note: '' });
      assert.equal((await update('Acme.Form', { days: 7, kind: 'hard', unknown: 1 })).status, 200);
      const changed = { days: 7, ratio: 0.5, kind: 'hard', note: '' };
      assert.deepEqual(form.read(), changed);
      const query = { name: 'Acme.Form' };
      assert.deepEqual((await test.get(`${SETTINGS}/GetValue`, { token, query })).result, changed);
      const { result } = await test.get(`${SETTINGS}/GetHistory`, { token, query });
      assert.deepEqual(
        result.items.map(({ by, oldValue, newValue }: Record<string, unknown>) => [by, oldValue, newValue]),
        [['admin', null, changed]],
      );
      assert.equal((await test.post(`${SETTINGS}/ResetValue`, { token, body: query })).status, 200);
      assert.equal(form.read().days, 2);
    });

    it('refuse a value out of bounds, and name the member', async () => {
      for (const [value, member] of [
        [{ days: 10 }, 'days'],
        [{ days: '3' }, 'days'],
        [{ ratio: 1.1 }, 'ratio'],
        [{ kind: 'medium' }, 'kind'],
        [{ note: 'abcdef' }, 'note'],
        [{ note: 'A' }, 'note'],
        [5, 'value'],
      ] as const) {
        const { status, error } = await update('Acme.Form', value);
        assert.deepEqual([status, error.reason], [400, 'request.invalid']);
        assert.deepEqual(error.validationErrors?.[0]?.members, [member]);
      }
      assert.deepEqual(form.read(), { days: 2, ratio: 0.5, kind: 'soft', note: '' });
    });

    it('have a value per front end where defined so; without a name, the value of the default front end applies', async () => {
      const body = { appKey: 'acme-app', name: 'Acme', description: '' };
      await test.post('/api/services/app/FrontEndApp/Create', { token, body });
      await update('Acme.Strict', true, 'acme-app');
      assert.deepEqual([strict.read('acme-app'), strict.read('default-app'), strict.read()], [true, false, false]);
      await update('Acme.Strict', true, 'default-app');
      await update('Acme.Strict', false, 'acme-app');
      assert.deepEqual([strict.read('acme-app'), strict.read(), strict.read('nobody-knows')], [false, true, false]);
    });

    it('are public only where defined so', async () => {
      const read = (name: string) => test.get(`${SETTINGS}/GetValue`, { query: { name } });
      assert.equal((await read('Acme.Strict')).status, 200);
      assert.equal((await read('Acme.Form')).status, 401);
    });

    it('do not change when an extension changes the object it has read', () => {
      const value = form.read();
      value.days = 9;
      assert.equal(form.read().days, 2);
    });
  });
}

it('settings keep their values when the extension that defines them is gone', async () => {
  const url = await createMigratedUrl('postgres');
  const path = writeInitializing(`
    context.defineSetting({
      name: 'Acme.Days', scope: 'general', category: 'Acme', label: 'Days',
      schema: { type: 'integer', minimum: 1, maximum: 9 }, default: 2,
    });`);
  const { additions } = await load([path]);
  const query = { name: 'Acme.Days' };
  const during = async (options: { additions?: typeof additions }, use: (test: TestService) => Promise<void>) => {
    const test = await startTestService('postgres', { ...options, url });
    await use(test).finally(test.close);
  };
  await during({ additions }, (test) => test.set('Acme.Days', 7));
  await during({}, async (test) => {
    assert.equal((await test.get(`${SETTINGS}/GetValue`, { token: await test.admin(), query })).status, 404);
  });
  await during({ additions }, async (test) => {
    assert.equal((await test.get(`${SETTINGS}/GetValue`, { token: await test.admin(), query })).result, 7);
  });
});

describe('events that extensions listen to', () => {
  const listening = `
    const heard = [];
    export { heard };
    export function initialize({ subscribe }) {
      subscribe((event) => { throw new Error('thrown about ' + event.action); });
      subscribe(async (event) => { throw new Error('rejected about ' + event.action); });
      subscribe(() => new Promise(() => {}));
      subscribe((event) => { event.outcome = 'changed'; });
      subscribe((event) => { heard.push(event); });
    }`;

  it('reach all listeners; a listener that fails disturbs no other', async () => {
    const path = writeExtension('listens.mjs', listening);
    const { test, lines, extension } = await startWith(path);
    const heard = extension.heard as ServiceEvent[];
    await test.createUser('ann');
    heard.length = lines.length = 0;
    const sent = { ip: '192.0.2.7', headers: { 'user-agent': 'Tester' } };
    const body = (password: string) => ({ userNameOrEmailAddress: 'ann', password });
    const right = await test.post('/api/TokenAuth/Authenticate', { ...sent, body: body('staple gravel lantern') });
    const wrong = await test.post('/api/TokenAuth/Authenticate', { ...sent, body: body('wrong') });
    assert.deepEqual([right.status, wrong.status], [200, 401]);

    const origin = { ipAddress: '192.0.2.7', userAgent: 'Tester', frontEnd: 'default-app' };
    const user = { id: right.result.userId, name: 'ann' };
    const [signedIn, refused] = heard;
    assert.deepEqual(
      [signedIn, refused],
      [
        { action: 'signIn.password', outcome: 'success', reason: null, user, origin, details: signedIn?.details },
        {
          action: 'signIn.password',
          outcome: 'refused',
          reason: 'signIn.invalidCredentials',
          user,
          origin,
          details: refused?.details,
        },
      ],
    );
    assert.equal(heard.length, 2);
    assert.deepEqual(
      lines
        .filter(({ msg }) => msg === 'an extension failed to listen to an event')
        .map(({ level, extension: name, err }) => [level, name, (err as Error).message.replace(/ of object .*/, '')])
        .slice(0, 3),
      [
        ['error', path, 'thrown about signIn.password'],
        ['error', path, "Cannot assign to read only property 'outcome'"],
        ['error', path, 'rejected about signIn.password'],
      ],
    );
    await test.close();
  });

  it('are deeply frozen, and hold copies of their values', async () => {
    const path = writeExtension('listens.mjs', listening);
    const { test, extension } = await startWith(path);
    const heard = extension.heard as ServiceEvent[];
    await test.set('Shesha.Security', { useAutoLogoff: true });
    const { details, user } = heard.find(({ action }) => action === 'setting.changed') ?? assert.fail();
    assert.equal(details.name, 'Shesha.Security');
    const newValue = details.newValue as { useAutoLogoff: boolean };
    assert.equal(newValue.useAutoLogoff, true);
    for (const part of [details, user, newValue]) assert.ok(Object.isFrozen(part));
    await test.close();
  });
});

describe('an extension in a process of the service', () => {
  const CANARY = 'canary-client-secret';

  it('registers a provider, a setting and a listener, which work over the network', async () => {
    const told = new EventEmitter();
    const listener = createServer(async (request, response) => {
      response.end();
      const event = (await json(request)) as ServiceEvent;
      told.emit(event.action, event);
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const path = writeExtension(
      'acme.ts',
      `import { ExternalAuthProviderApiBase, type ExtensionContext, type ReadableSetting } from 'latchkey/extension';
       let company: ReadableSetting<{ readonly name: string }>;
       class AcmeApi extends ExternalAuthProviderApiBase {
         override async getUserInfoAsync(accessCode: string) {
           const provider = this.providerInfo.name;
           const emailAddress = accessCode + '@acme.example';
           return { provider, providerKey: accessCode, name: 'Ann', surname: company.read().name, emailAddress };
         }
       }
       export async function initialize(context: ExtensionContext): Promise<void> {
         company = context.defineSetting({
           name: 'Acme.Company', scope: 'general', category: 'Acme', label: 'Company',
           schema: { type: 'object', properties: { name: { type: 'string', title: 'Name', maxLength: 50 } } },
           default: { name: 'Acme' },
         });
         context.subscribe(async (event) => {
           const body = JSON.stringify(event);
           await context.fetch('http://127.0.0.1:${(listener.address() as AddressInfo).port}', { method: 'POST', body });
         });
         const { providers } = context.externalAuth;
         providers.push({ name: 'Acme', clientId: 'latchkey', clientSecret: '${CANARY}', providerApiType: AcmeApi });
       }`,
    );
    const service = await startProcess({
      env: {
        LATCHKEY_EXTENSIONS: path,
        LATCHKEY_ADMIN_PASSWORD: ADMIN_PASSWORD,
        LATCHKEY_ADMIN_PASSWORD_FINAL: 'true',
      },
    });
    try {
      const { url } = service;
      const listed = await callProcess(url, 'GET', '/api/TokenAuth/GetExternalAuthenticationProviders');
      assert.deepEqual(listed.result, [{ name: 'Acme', clientId: 'latchkey', displayName: 'Acme' }]);

      const credentials = { userNameOrEmailAddress: 'admin', password: ADMIN_PASSWORD };
      const { result } = await callProcess(url, 'POST', '/api/TokenAuth/Authenticate', { body: credentials });
      const token = result.accessToken;
      const configurations = await callProcess(url, 'GET', `${SETTINGS}/GetConfigurations`, { token });
      assert.equal(configurations.result.at(-1).name, 'Acme.Company');

      /** Signs in through the provider. @returns the account, from the token and from the event. */
      async function signIn(providerKey: string) {
        const body = { authProvider: 'Acme', providerKey, providerAccessCode: providerKey };
        const event = once(told, 'signIn.external');
        const answer = await callProcess(url, 'POST', '/api/TokenAuth/ExternalAuthenticateAsync', { body });
        assert.equal(answer.status, 200, JSON.stringify(answer));
        const of = { token: answer.result.accessToken };
        const who = await callProcess(url, 'GET', '/api/services/app/Session/GetCurrentLoginInfo', of);
        return {
          fullName: who.result.user.fullName,
          id: answer.result.userId,
          event: (await event)[0] as ServiceEvent,
        };
      }
      const ann = await signIn('ann');
      assert.equal(ann.fullName, 'Ann Acme');
      assert.deepEqual(
        [ann.event.outcome, ann.event.user, ann.event.details.provider],
        ['success', { id: ann.id, name: 'ann@acme.example' }, 'Acme'],
      );
      const body = { name: 'Acme.Company', value: { name: 'Mokoena' } };
      assert.equal((await callProcess(url, 'POST', `${SETTINGS}/UpdateValue`, { token, body })).status, 200);
      assert.equal((await signIn('bob')).fullName, 'Ann Mokoena');
      assert.doesNotMatch(service.output(), new RegExp(CANARY));
    } finally {
      assert.equal(await service.stop(), 0);
      listener.close();
      listener.closeAllConnections();
    }
  });

  it('stops the start with one line, which holds no secret', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-process-'));
    const provider = `{ name: 'Acme', clientId: '', clientSecret: '${CANARY}', providerApiType: Api }`;
    const strict = `{ name: 'Shesha.Otp', scope: 'general', category: 'A', label: 'A', schema: { type: 'boolean' }, default: true }`;
    for (const [body, reason] of [
      [
        `providers.push(${provider});`,
        'registers a provider that cannot be used: The clientId of provider "Acme" must',
      ],
      [`context.defineSetting(${strict});`, 'fails to initialize: The setting "Shesha.Otp" already exists, from the s'],
    ] as const) {
      const path = writeInitializing(body);
      const { code, output } = await startInVain({ dataDir, env: { LATCHKEY_EXTENSIONS: path } });
      assert.equal(code, 1);
      assert.ok(output.includes(`LATCHKEY_EXTENSIONS: ${path} ${reason}`), output);
      assert.equal(output.trim().split('\n').length, 1, output);
      assert.doesNotMatch(output, new RegExp(CANARY));
    }
    rmSync(dataDir, { recursive: true, force: true });
  });
});
