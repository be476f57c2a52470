// Whoever loses the last role that an application allows has nothing of it left, whatever happens at the same moment.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { claimsOf } from '../support/forge.ts';
import {
  begin,
  type Client,
  createClient,
  createVerifier,
  openBrowser,
  proceed,
  readAnswer,
  redeem,
  refresh,
  signInTo,
  toRequest,
} from '../support/oauth.ts';
import type { TestService } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app';
const ROUNDS = 8;

for (const [name, start] of Object.entries(setUps)) {
  describe(`a lost role, with ${name}`, () => {
    let setUp: SetUp;
    let admin: string;
    let count = 0;
    before(async () => {
      setUp = await start();
      admin = await setUp.here.admin();
      for (const role of ['Editor', 'Other']) {
        const body = { name: role, displayName: role, description: '', grantedPermissions: [] };
        await setUp.here.post(`${API}/Role/Create`, { token: admin, body });
      }
    });
    after(() => setUp.close());

    const put = async (path: string, body: object) => {
      const answer = await setUp.there.send('PUT', `${API}/${path}`, { token: admin, body });
      assert.equal(answer.status, 200, answer.text);
    };

    /** Signs in, exchanges the code and refreshes, as far as that goes. */
    async function useApplication(test: TestService, client: Client, token: string) {
      const browser = openBrowser(test);
      const verifier = createVerifier();
      const answer = await proceed(browser, await begin(browser, toRequest(client, verifier)), token);
      if (answer.status !== 200) return assert.equal(answer.status, 403, answer.text);
      const { code = '' } = readAnswer((answer.result as { redirectTo: string }).redirectTo);
      let given = (await redeem(test, client, code, verifier)).body;
      for (let step = 0; step < 3 && given.refresh_token; step += 1) {
        given = (await refresh(test, client, given.refresh_token)).body;
      }
    }

    const losses: Record<string, (id: number, client: Client) => Promise<void>> = {
      'an account gets other roles': (id) => put('User/Update', { id, roleNames: ['Other'] }),
      'an application allows other roles': (_id, client) =>
        put('Application/Update', { id: client.id, allowedRoles: ['Other'] }),
      async 'both change to each other’s former roles'(id, client) {
        await put('Application/Update', { id: client.id, allowedRoles: ['Editor', 'Other'] });
        await Promise.all([
          put('User/Update', { id, roleNames: ['Other'] }),
          put('Application/Update', { id: client.id, allowedRoles: ['Editor'] }),
        ]);
      },
    };

    for (const [loss, lose] of Object.entries(losses)) {
      it(`leaves no open grant when ${loss}`, async () => {
        const { here, there } = setUp;
        for (let round = 0; round < ROUNDS; round += 1) {
          count += 1;
          const userName = `person${count}`;
          const id = await here.createUser(userName, { roleNames: ['Editor'] });
          const client = await createClient(here, { allowedRoles: ['Editor'] });
          // The other node knows the application now, and not two seconds later.
          for (const node of new Set([here, there])) await node.service.applications.load();
          const before = await signInTo(here, client, userName);
          const tokens = [await here.signIn(userName), await here.signIn(userName)];
          const use = tokens.map((token, place) => useApplication(place === 0 ? here : there, client, token));
          await Promise.all([...use, refresh(there, client, before.refresh_token), lose(id, client)]);
          const open = await here.service.database.sql
            .selectFrom('application_grant')
            .select('id')
            .where('account_id', '=', id)
            .where('ended_at', 'is', null)
            .execute();
          assert.deepEqual(open, []);
          const headers = { authorization: `Bearer ${before.access_token}` };
          assert.equal((await there.app.inject({ url: '/oauth/userinfo', headers })).statusCode, 401);
          const { items } = await here.service.feed.read('');
          assert.ok(items.some(({ sid }) => sid === claimsOf(before.access_token).sid));
        }
      });
    }
  });
}
