// The code of the guide on extensions, compiled and run as printed, all modules in one service.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import type { Channel } from '../../src/extensions/index.ts';
import { load } from '../support/extensions.ts';
import { assertWellTyped, readGuideFile, root } from '../support/guide.ts';
import { startTestService, type TestService } from '../support/service.ts';

const names = ['directory.ts', 'guests.ts', 'alarm.ts', 'relay.ts'];
const folder = mkdtempSync(join(tmpdir(), 'latchkey-guide-'));
after(() => rmSync(folder, { recursive: true }));

const pathOf = (name: string) => join(folder, name);

before(() => {
  for (const name of names) writeFileSync(pathOf(name), readGuideFile('extensions.md', name));
});

describe('the modules of the guide on extensions', () => {
  const people: Record<string, object> = {
    'ann’s code': { id: 'a1', first: 'Ann', last: 'Lee', mail: 'Ann@Acme.example' },
    'bob’s code': { id: 'b2', first: 'Bob', last: 'Roy', mail: 'bob@elsewhere.example' },
  };
  const room = new EventEmitter();
  const relayed: unknown[] = [];
  let relayAnswers = 202;
  let server: Server;
  let url = '';
  let channel: Channel;
  let test: TestService;

  before(async () => {
    server = createServer(async (request, response) => {
      const body = await readText(request);
      if (request.url === '/people') {
        const person = people[new URLSearchParams(body).get('code') ?? ''];
        return response.writeHead(person ? 200 : 404).end(JSON.stringify(person));
      }
      if (request.url === '/room') room.emit('told', JSON.parse(body).text);
      if (request.url === '/messages') relayed.push(JSON.parse(body));
      return response.writeHead(request.url === '/messages' ? relayAnswers : 204).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    Object.assign(process.env, { DIRECTORY_URL: url, RELAY_URL: url });
    const { additions, channels } = await load(names.map(pathOf));
    channel = channels.email ?? assert.fail();
    test = await startTestService('sqlite', { additions });
  });
  after(async () => {
    await test.close();
    server.close();
    server.closeAllConnections();
  });

  it('are all covered by this test', () => {
    const guide = readFileSync(join(root, 'docs/guide/extensions.md'), 'utf8');
    assert.equal(guide.match(/^```(js|ts)$/gm)?.length, names.length);
  });

  it('type-check in a folder that finds the checkout, and types match the settings', async () => {
    const wrong = `
      import type { ExtensionContext } from 'latchkey/extension';
      export function initialize({ defineSetting, onExternalUserRegistering }: ExtensionContext): void {
        const row = { scope: 'general', category: 'A', label: 'A' } as const;
        const days = { type: 'integer', minimum: 1, maximum: 9 } as const;
        const kind = { type: 'string', enum: ['soft', 'hard'] } as const;
        const one: 'soft' | 'hard' = defineSetting({ ...row, name: 'A', schema: kind, default: 'soft' }).read();
        const two: number = defineSetting({ ...row, name: 'B', schema: days, default: 2 }).read();
        const form = defineSetting({
          ...row, name: 'C',
          schema: { type: 'object', properties: { on: { type: 'boolean', title: 'On' } } },
          default: { on: true },
        });
        const three: boolean = form.read('acme-app').on;
        // @ts-expect-error
        defineSetting({ ...row, name: 'D', schema: days, default: 'two' });
        // @ts-expect-error
        defineSetting({ ...row, name: 'E', schema: kind, default: 'medium' });
        // @ts-expect-error
        defineSetting({ ...row, name: 'F', schema: { type: 'integer', minimum: 1 }, default: 2 });
        // @ts-expect-error
        defineSetting({ ...row, name: 'G', schema: { type: 'object', properties: { days } }, default: { days: 1 } });
        // @ts-expect-error
        form.read().off;
        // @ts-expect-error
        onExternalUserRegistering(() => 'maybe');
        console.log(one, two, three);
      }`;
    writeFileSync(pathOf('wrong.ts'), wrong);
    await assertWellTyped(folder, [...names, 'wrong.ts']);
  });

  it('directory.ts signs people in, and guests.ts holds people of other companies for review', async () => {
    const signIn = (providerKey: string, providerAccessCode: string) =>
      test.post('/api/TokenAuth/ExternalAuthenticateAsync', {
        body: { authProvider: 'Directory', providerKey, providerAccessCode },
      });
    const ann = await signIn('a1', 'ann’s code');
    assert.deepEqual([ann.status, ann.result.waitingForActivation], [200, false], ann.text);
    const { result } = await test.get('/api/services/app/Session/GetCurrentLoginInfo', {
      token: ann.result.accessToken,
    });
    assert.equal(result.user?.fullName, 'Ann Lee');
    assert.equal((await signIn('x', 'nobody’s code')).error.reason, 'external.couldNotValidate');
    const bob = await signIn('b2', 'bob’s code');
    assert.deepEqual(
      [bob.status, bob.result.waitingForActivation, bob.result.accessToken],
      [200, true, null],
      bob.text,
    );

    await test.set('Acme.Domain', 'elsewhere.example');
    people.eve = { id: 'e3', first: 'Eve', last: 'Poe', mail: 'eve@elsewhere.example' };
    assert.equal((await signIn('e3', 'eve')).result.waitingForActivation, false);
  });

  it('alarm.ts tells the room which account is locked out, once it is switched on', async () => {
    const guess = async (userName: string) => {
      await test.createUser(userName);
      const body = { userNameOrEmailAddress: userName, password: 'a wrong one' };
      const statuses: string[] = [];
      for (let tries = 0; tries < 5; tries++) {
        const { error } = await test.post('/api/TokenAuth/Authenticate', { body, ip: '192.0.2.9' });
        statuses.push(error.reason);
      }
      assert.equal(statuses.at(-1), 'signIn.lockedOut');
    };
    const told: string[] = [];
    room.on('told', (text) => told.push(text));
    await guess('early');
    await test.set('Acme.Alarm', { isOn: true, url: `${url}/room` });
    const next = once(room, 'told');
    await guess('late');
    await next;
    assert.deepEqual(told, ['late is locked out, from 192.0.2.9.']);
  });

  it('relay.ts forwards e-mails, and reports their outcome', async () => {
    assert.deepEqual([channel.name, channel.means], ['relay', 'email']);
    const message = { id: '1', to: 'ann@acme.example', subject: 'Pin', text: '482913' };
    const send = () => channel.send(message, { signal: new AbortController().signal });
    await send();
    assert.deepEqual(relayed, [message]);
    for (const [status, kind] of [
      [422, 'refused'],
      [503, 'notSent'],
      [200, 'uncertain'],
    ] as const) {
      relayAnswers = status;
      await assert.rejects(send(), { name: 'DeliveryError', kind, message: `The relay answered ${status}.` });
    }
  });
});
