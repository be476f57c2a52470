// Races of configuration files on two nodes: against each other, and against changes of the same things on pages.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { operator } from '../../src/app/first-start.ts';
import { configurationOf, parseConfiguration } from '../../src/configuration/index.ts';
import { createMigratedUrl } from '../support/databases.ts';
import { ofTopic, openLocks } from '../support/locks.ts';
import { createClient, refresh, signInTo } from '../support/oauth.ts';
import { startTestService, type TestService } from '../support/service.ts';

const API = '/api/services/app';
const ROUNDS = 4;

const file = (round: number) => `
roles: { Editor: { description: 'round ${round}', grantedPermissions: [Pages.${round}] }, Role${round % 2}: }
frontEnds: { shop${round % 2}: { settings: { Latchkey.Links.SignIn: ${round % 2 === 0} } } }
settings: { Latchkey.Application: { name: 'Round ${round}' } }
applications: { spa: { name: 'Round ${round}', kind: browser, allowedRoles: [Editor], frontEnd: shop${round % 2} } }
externalProviders: { Acme${round % 2}: { type: oidc, clientId: x, issuer: 'https://id.acme.example', roleForNewUsers: Role${round % 2} } }
`;

it('No apply and no change on a page fails when both change the same things on two PostgreSQL nodes', async () => {
  const url = await createMigratedUrl('postgres');
  const [one, two] = [await startTestService('postgres', { url }), await startTestService('postgres', { url })];
  try {
    const token = await one.admin();
    const apply = ({ service }: TestService, round: number) =>
      configurationOf(service).apply(parseConfiguration(file(round), 'f'), {
        by: operator('test'),
        variables: {},
        prunes: true,
        takesSecrets: false,
      });
    await apply(one, 0);
    const role = one.service.roles.list().find(({ name }) => name === 'Editor');
    const failures: string[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const pages = [
        two.send('PUT', `${API}/Role/Update`, { body: { id: role?.id ?? 0, description: `page ${round}` }, token }),
        two.post(`${API}/Settings/UpdateValue`, {
          body: { name: 'Latchkey.Application', value: { name: `Page ${round}` } },
          token,
        }),
        two.post(`${API}/FrontEndApp/Create`, { body: { appKey: `page${round}`, name: 'Page' }, token }),
        two.post(`${API}/Role/Create`, { body: { name: `Page ${round}` }, token }),
        two.post(`${API}/User/Create`, {
          body: {
            userName: `user${round}`,
            name: 'U',
            surname: 'U',
            emailAddress: `u${round}@example.com`,
            password: 'staple gravel lantern',
            roleNames: [`Role${(round + 1) % 2}`],
          },
          token,
        }),
      ];
      const applied = [apply(one, round), apply(two, round)].map((running) =>
        running.catch((error) => failures.push(`apply ${round}: ${error.stack}`)),
      );
      for (const { status, text } of await Promise.all(pages)) if (status !== 200) failures.push(`${round}: ${text}`);
      await Promise.all(applied);
    }
    assert.deepEqual(failures, []);
    await apply(two, ROUNDS);
    assert.deepEqual((await apply(one, ROUNDS)).differences, []);
  } finally {
    await one.close();
    await two.close();
  }
});

it('A file holds up no refresh on PostgreSQL, and no sign-in unless it changes a role, where permissions need a second factor', async () => {
  const url = await createMigratedUrl('postgres');
  const test = await startTestService('postgres', { url });
  const locks = await openLocks(url);
  try {
    const by = operator('test');
    const { service } = test;
    await service.roles.create({ name: 'Editor', displayName: 'Editor', description: '', permissions: [] }, by);
    await test.createUser('ann', { roleNames: ['Editor'] });
    const client = await createClient(test);
    const value = { passkeys: true, authenticator: true, trustedDeviceDays: 0, requireForPermissions: true };
    await service.settings.update('Latchkey.Factors', '', value, by);
    let { token, refresh_token } = await signInTo(test, client, 'ann');

    /** Plans or applies the file. Ann goes on while it holds the roles, and waits for what it changes next. */
    async function meet(how: 'plan' | 'apply', roles: string, use: () => Promise<void>) {
      const content = `${roles}applications: { ${client.clientId}: { name: Grafana, kind: web, isEnabled: false } }`;
      const file = parseConfiguration(content, 'f');
      await locks.hold(ofTopic('applications'));
      const running = configurationOf(service)[how](file, { by, variables: {}, prunes: false, takesSecrets: false });
      await locks.untilWaiting(1);
      await use();
      await locks.release();
      const { differences } = await running;
      assert.equal(differences.length, roles === '' ? 1 : 2);
    }
    async function goOn() {
      const { status, result, text } = await test.post('/api/TokenAuth/RefreshTokenAsync', { token });
      assert.equal(status, 200, text);
      const exchanged = await refresh(test, client, refresh_token);
      assert.equal(exchanged.status, 200, JSON.stringify(exchanged.body));
      token = result.accessToken;
      refresh_token = exchanged.body.refresh_token;
    }
    await meet('plan', '', async () => {
      await goOn();
      await test.signIn('ann');
    });
    await meet('plan', "roles: { Editor: { description: 'Edits' } }\n", goOn);
    await meet('apply', 'roles: { Editor: { grantedPermissions: [Invoices.Read] } }\n', goOn);
    const { status, error } = await test.get('/api/services/app/Session/GetAll', { token });
    assert.deepEqual([status, error.reason], [403, 'factor.enrollmentRequired']);
    assert.equal(await service.grants.findByRefreshToken(refresh_token), undefined);
  } finally {
    await locks.close();
    await test.close();
  }
});
