// A token of an application at the service itself: it is no token of the person, whatever it says.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { claimsOf } from '../support/forge.ts';
import type { TestService } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const SESSIONS = '/api/services/app/Session/GetAll';

for (const [name, start] of Object.entries(setUps)) {
  describe(`a token of an application on ${name}`, () => {
    let setUp: SetUp;
    let nodes: TestService[];
    let own: string;
    let tokens: string[];

    before(async () => {
      setUp = await start();
      const { here, there } = setUp;
      nodes = [here, there];
      own = await here.admin();
      const { sub, sid, aud } = claimsOf(own) as { sub: string; sid: string; aud: string };
      const { applicationTokens, idTokens } = here.service;
      // Worse than any that the service issues: with the id of the person's session, and its audience.
      const content = {
        grantId: sid,
        subject: sub,
        audience: aud,
        clientId: 'default-app',
        scope: 'openid profile email roles',
        generation: 0,
        authenticatedAt: here.clock.now(),
        amr: ['pwd', 'mfa'],
        expiresAt: (here.clock.now() + 3_600_000) as ReturnType<typeof here.clock.now>,
        claims: { preferred_username: 'admin', name: 'admin', roles: ['Administrator'] },
      };
      const { scope: _, ...claims } = claimsOf(own);
      tokens = [
        applicationTokens.issue(content).accessToken,
        applicationTokens.issue({ ...content, scope: '' }).accessToken,
        await idTokens.sign({ typ: 'JWT', claims, algorithm: 'ES256' }),
        await idTokens.sign({ typ: 'JWT', claims, algorithm: 'RS256' }),
        await idTokens.sign({ typ: 'logout+jwt', claims, algorithm: 'ES256' }),
      ];
    });
    after(() => setUp.close());

    it('opens no call of the API, and ends nothing', async () => {
      for (const token of tokens)
        for (const { method, path, access } of setUp.here.service.routes) {
          if (access === 'public') continue;
          const answer = await setUp.here.send(method, path, { token, ...(method !== 'GET' && { body: {} }) });
          assertRefused(answer, 401, 'token.invalid', path);
        }
      for (const node of nodes) assert.equal((await node.get(SESSIONS, { token: own })).status, 200);
    });

    it('is nobody to proxies, and to services that ask', async () => {
      const key = await setUp.here.createServiceKey('shop', ['introspect']);
      for (const node of nodes)
        for (const token of tokens) {
          assertRefused(await node.get('/api/forward-auth', { token }), 401, 'token.invalid', token);
          const form = (path: string) =>
            node.app.inject({
              method: 'POST',
              url: path,
              headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `Bearer ${key}` },
              payload: new URLSearchParams({ token }).toString(),
            });
          assert.deepEqual((await form('/oauth/introspect')).json(), { active: false });
          assert.equal((await form('/oauth/revoke')).statusCode, 200);
          assert.equal((await node.get(SESSIONS, { token: own })).status, 200);
        }
    });

    it('is verified on every node for what it is', async () => {
      const [first = '', , ...others] = tokens;
      for (const { service } of nodes) {
        assert.equal((await service.applicationTokens.verify(first)).scope, 'openid profile email roles');
        for (const token of [own, ...others])
          await assert.rejects(service.applicationTokens.verify(token), { reason: 'token.invalid' });
      }
    });
  });
}
