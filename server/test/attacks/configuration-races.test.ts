// Races of configuration files on two nodes: against each other, and against changes of the same things on pages.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { operator } from '../../src/app/first-start.ts';
import { configurationOf, parseConfiguration } from '../../src/configuration/index.ts';
import { createMigratedUrl } from '../support/databases.ts';
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
