// Sign-outs that are confirmed: what applications are told when a session ends, and what its person learns of it.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { createSignOutStore } from '../../src/sign-outs/index.ts';
import { createMigratedUrl } from '../support/databases.ts';
import { type Client, callAs, createClient, openBrowser, refresh, signInTo } from '../support/oauth.ts';
import { ISSUER, startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const API = '/api/services/app/Session';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`sign-outs with ${engine}`, () => {
    let test: TestService;
    let url: string;
    let receiver: WebhookReceiver;
    let client: Client;
    let personId: number;
    before(async () => {
      receiver = await startWebhookReceiver();
      url = await createMigratedUrl(engine);
      test = await startTestService(engine, { url });
      client = await createClient(test, { backchannelLogoutUri: receiver.url });
      personId = await test.createUser('ann');
    });
    after(async () => {
      await test.close();
      await receiver.stop();
    });
    beforeEach(() => {
      // Each is the newest.
      test.clock.advance(1);
      receiver.answer((response) => response.writeHead(204).end());
      receiver.take();
    });

    const deliver = (node = test) => node.service.signOutDeliveries.deliverDue(client.id);
    const signOff = (token: string) => test.post('/api/TokenAuth/SignOff', { token });
    const readToken = (body: string) => new URLSearchParams(body).get('logout_token') ?? '';
    async function newest() {
      const { result } = await test.get(`${API}/GetSignOuts`, { token: await test.signIn('ann') });
      return result.items[0]?.applications.map(({ name, state }) => [name, state]);
    }

    it('tell an application by a logout token, which it confirms', async () => {
      const { id_token, token } = await signInTo(test, client, 'ann');
      await signOff(token);
      assert.deepEqual(await newest(), [['Grafana', 'pending']]);
      await deliver();
      const [received] = receiver.take();
      assert.equal(received?.headers['content-type'], 'application/x-www-form-urlencoded');
      const keys = createLocalJWKSet((await test.app.inject('/.well-known/jwks.json')).json());
      const options = { issuer: ISSUER, audience: client.clientId, typ: 'logout+jwt' };
      const currentDate = new Date(test.clock.now());
      const { payload } = await jwtVerify(readToken(received?.body ?? ''), keys, { ...options, currentDate });
      const { sid } = (await jwtVerify(id_token, keys, { currentDate })).payload;
      assert.deepEqual(
        [payload.sub, payload.sid, payload.events, payload.nonce, (payload.exp ?? 0) - (payload.iat ?? 0)],
        [String(personId), sid, { [EVENT]: {} }, undefined, 120],
      );
      assert.deepEqual(await newest(), [['Grafana', 'confirmed']]);
    });

    it('are tried again with a fresh token until the application answers', async () => {
      receiver.answer((response) => response.writeHead(500).end());
      const { token } = await signInTo(test, client, 'ann');
      await signOff(token);
      await deliver();
      assert.deepEqual(await newest(), [['Grafana', 'pending']]);
      receiver.answer((response) => response.writeHead(200).end());
      await deliver();
      assert.equal(receiver.received.length, 2, 'not before its time');
      test.clock.advance(6);
      await deliver();
      const tokens = receiver.take().map(({ body }) => readToken(body));
      assert.equal(new Set(tokens).size, 2);
      assert.deepEqual(await newest(), [['Grafana', 'confirmed']]);
    });

    it('fail after a day without an answer, and are refused by 400 at once', async () => {
      receiver.answer((response) => response.writeHead(503).end());
      await signOff((await signInTo(test, client, 'ann')).token);
      const start = test.clock.now();
      for (let tries = 0; tries < 20 && (await newest())?.[0]?.[1] === 'pending'; tries += 1) {
        await deliver();
        test.clock.advance(34_000);
      }
      assert.deepEqual(await newest(), [['Grafana', 'failed']]);
      assert.equal(receiver.take().length, 9);
      assert.ok(test.clock.now() - start < 14 * 86_400_000);
      receiver.answer((response) => response.writeHead(400).end());
      await signOff((await signInTo(test, client, 'ann')).token);
      await deliver();
      assert.deepEqual(await newest(), [['Grafana', 'refused']]);
    });

    it('are looked for when they are due, also of an application whose address was taken away', async () => {
      const moved = await createClient(test, { name: 'Moved', backchannelLogoutUri: receiver.url });
      const listDue = async () => {
        const due = await createSignOutStore(test.service.database).listDue(test.clock.now());
        return due.filter((id) => [client.id, moved.id].includes(id));
      };
      receiver.answer((response) => response.writeHead(503).end());
      await signOff((await signInTo(test, client, 'ann')).token);
      test.clock.advance(1);
      await signOff((await signInTo(test, moved, 'ann')).token);
      assert.deepEqual((await listDue()).toSorted(), [client.id, moved.id].toSorted());
      await deliver();
      assert.deepEqual(await listDue(), [moved.id]);
      const call = { token: await test.admin(), body: { id: moved.id, backchannelLogoutUri: null } };
      assert.equal((await test.send('PUT', '/api/services/app/Application/Update', call)).status, 200);
      assert.deepEqual(await listDue(), [moved.id]);
      await test.service.signOutDeliveries.deliverDue(moved.id);
      assert.deepEqual([await listDue(), (await newest())?.[0]], [[], ['Moved', 'unreachable']]);
      test.clock.advance(6);
      assert.deepEqual(await listDue(), [client.id]);
      receiver.answer((response) => response.writeHead(204).end());
      await deliver();
    });

    it('are told no later than they can wait when the clock was ahead and is set back', async () => {
      const correct = async () => {
        await test.service.signOuts.correctDueTimes();
        await deliver();
        return receiver.take().length;
      };
      receiver.answer((response) => response.writeHead(503).end());
      await correct();
      test.clock.set(7200);
      await correct();
      await signOff((await signInTo(test, client, 'ann')).token);
      await deliver();
      await signOff((await signInTo(test, client, 'ann')).token);
      receiver.take();
      test.clock.set(-7200);
      await deliver();
      assert.equal(receiver.take().length, 0);
      assert.equal(await correct(), 2, 'one that has failed, and one that was not tried');
      assert.equal(await correct(), 0, 'both wait as after every failure');
      receiver.answer((response) => response.writeHead(204).end());
      test.clock.advance(34);
      assert.equal(await correct(), 2);
      // Those of the tests after this one are the newest again.
      test.clock.advance(7200);
    });

    it('say when the tokens of an application end that cannot be told', async () => {
      const silent = await createClient(test, { name: 'Gitea' });
      const { token } = await signInTo(test, silent, 'ann');
      await signOff(token);
      const { result } = await test.get(`${API}/GetSignOuts`, { token: await test.signIn('ann') });
      const [ended] = result.items;
      assert.deepEqual(
        ended?.applications.map(({ name, state, tokensEndAt }) => [name, state, Date.parse(tokensEndAt)]),
        [['Gitea', 'unreachable', test.clock.now() + 600_000]],
      );
    });

    it('are given up for an application that is deleted, whose consents go with it', async () => {
      const doomed = await createClient(test, { name: 'Wiki', backchannelLogoutUri: receiver.url, consent: 'ask' });
      await signInTo(test, doomed, 'ann', { reply: { consent: true } });
      const rows = (table: 'application_consent' | 'sign_out') =>
        test.service.database.sql.selectFrom(table).selectAll().where('application_id', '=', doomed.id).execute();
      assert.equal((await rows('application_consent')).length, 1);
      const query = { id: doomed.id };
      const { status } = await test.send('DELETE', '/api/services/app/Application/Delete', {
        query,
        token: await test.admin(),
      });
      assert.equal(status, 200);
      assert.deepEqual(
        [await newest(), (await rows('sign_out')).length, (await rows('application_consent')).length],
        [[['Wiki', 'unreachable']], 1, 0],
      );
    });

    it('are told once by two nodes', async () => {
      const other = await startTestService(engine, { url, clock: test.clock });
      try {
        const { token } = await signInTo(test, client, 'ann');
        await signOff(token);
        await Promise.all([deliver(), deliver(other), deliver(), deliver(other)]);
        assert.equal(receiver.take().length, 1);
      } finally {
        await other.close();
      }
    });

    it('are shown to the person who has signed out, by a receipt, and to administrators', async () => {
      const { browser, token, id_token } = await signInTo(test, client, 'ann');
      const query = { id_token_hint: id_token };
      const { headers } = await browser.send('GET', '/oauth/end-session', { query });
      const receipt = new URL(String(headers.location)).searchParams.get('receipt') ?? '';
      const { items } = (await test.get(`${API}/GetSignOut`, { query: { receipt } })).result;
      assert.deepEqual(
        items[0]?.applications.map(({ name }) => name),
        ['Grafana'],
      );
      assert.equal((await test.get(`${API}/GetAll`, { token })).status, 401);
      assert.deepEqual((await test.get(`${API}/GetSignOut`, { query: { receipt: 'made up' } })).result.items, []);
      const all = await test.get(`${API}/GetSignOuts`, { query: { userId: personId }, token: await test.admin() });
      assert.ok(all.result.items.length > 0);
      await test.createUser('bob');
      const refused = await test.get(`${API}/GetSignOuts`, {
        query: { userId: personId },
        token: await test.signIn('bob'),
      });
      assert.equal(refused.status, 403);
      const own = await signInTo(test, client, 'ann', { browser: openBrowser(test) });
      const made = await test.get(`${API}/GetSignOutReceipt`, { token: own.token });
      await signOff(own.token);
      const read = await test.get(`${API}/GetSignOut`, { query: { receipt: made.result.receipt } });
      assert.equal(read.result.items.length, 1);
      test.clock.advance(3601);
      assert.deepEqual((await test.get(`${API}/GetSignOut`, { query: { receipt } })).result.items, []);
    });

    it('name in the receipt an application with `offline_access` from which the person has signed out', async () => {
      const offline = await createClient(test, { name: 'Intranet' });
      const request = { scope: 'openid offline_access' };
      const { browser, id_token } = await signInTo(test, offline, 'ann', { request });
      const query = { id_token_hint: id_token };
      const { headers } = await browser.send('GET', '/oauth/end-session', { query });
      const receipt = new URL(String(headers.location)).searchParams.get('receipt') ?? '';
      const { items } = (await test.get(`${API}/GetSignOut`, { query: { receipt } })).result;
      const names = items.flatMap(({ applications }) => applications.map(({ name }) => name));
      assert.deepEqual(names, ['Intranet']);
    });

    it('are asked about by an application of a former session, whose tokens end with the present one', async () => {
      const [former, present] = [await createClient(test, { name: 'Former' }), await createClient(test)];
      const { browser, id_token, refresh_token, token } = await signInTo(test, former, 'ann');
      const body = { userNameOrEmailAddress: 'ann', password: USER_PASSWORD };
      assert.equal((await browser.send('POST', '/api/TokenAuth/Authenticate', { body })).status, 200);
      const second = await signInTo(test, present, 'ann', { browser });
      const asked = await browser.send('GET', '/oauth/end-session', { query: { id_token_hint: id_token } });
      const question = new URL(String(asked.headers.location)).searchParams.get('question');
      assert.equal((await refresh(test, former, refresh_token)).status, 200, 'the person has not answered yet');
      const path = '/api/services/app/Authorization/EndSession';
      const { redirectTo } = (await browser.send('POST', path, { body: { question } })).result as {
        redirectTo: string;
      };
      for (const [client, one] of [
        [former, refresh_token],
        [present, second.refresh_token],
      ] as const)
        assert.equal((await refresh(test, client, one)).body.error, 'invalid_grant');
      const receipt = new URL(redirectTo).searchParams.get('receipt') ?? '';
      const { items } = (await test.get(`${API}/GetSignOut`, { query: { receipt } })).result;
      assert.deepEqual(
        new Set(items.flatMap(({ applications }) => applications.map(({ name }) => name))),
        new Set(['Former', 'Grafana']),
      );
      assert.equal((await test.get(`${API}/GetAll`, { token })).status, 200, 'the former session stays open');
    });

    it('are not asked about by an application with `offline_access` that has just revoked its tokens', async () => {
      const offline = await createClient(test, { name: 'Wiki' });
      const request = { scope: 'openid offline_access' };
      const { browser, id_token, refresh_token } = await signInTo(test, offline, 'ann', { request });
      assert.equal((await callAs(test, offline, '/oauth/revoke', { token: refresh_token })).status, 200);
      const query = { id_token_hint: id_token };
      const { headers } = await browser.send('GET', '/oauth/end-session', { query });
      const done = new URL(String(headers.location));
      assert.equal(done.pathname, '/signed-out');
      const receipt = done.searchParams.get('receipt') ?? '';
      const { items } = (await test.get(`${API}/GetSignOut`, { query: { receipt } })).result;
      assert.deepEqual(
        items.flatMap(({ applications }) => applications.map(({ name }) => name)),
        ['Wiki'],
      );
    });

    it('are not asked about by an application whose person agreed before the service kept in which session', async () => {
      const { browser, id_token } = await signInTo(test, client, 'ann');
      await test.service.database.sql.updateTable('application_grant').set({ approved_session_id: null }).execute();
      const query = { id_token_hint: id_token };
      const { headers } = await browser.send('GET', '/oauth/end-session', { query });
      assert.equal(new URL(String(headers.location)).pathname, '/signed-out');
    });

    it('are asked about by an application with `offline_access` whose person agreed in another browser', async () => {
      const offline = await createClient(test, { name: 'Notes' });
      const request = { scope: 'openid offline_access' };
      const [here, there] = [
        await signInTo(test, offline, 'ann', { request }),
        await signInTo(test, offline, 'ann', { request }),
      ];
      const query = { id_token_hint: there.id_token };
      const asked = await here.browser.send('GET', '/oauth/end-session', { query });
      assert.equal(new URL(String(asked.headers.location)).pathname, '/sign-out');
      for (const { token, refresh_token } of [here, there]) {
        assert.equal((await test.get(`${API}/GetAll`, { token })).status, 200);
        assert.equal((await refresh(test, offline, refresh_token)).status, 200);
      }
    });
  });
}
