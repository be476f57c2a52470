// Registered providers between loading and the start: issuers are checked, and late registrations are dropped.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failure, importExtension, load, writeExtension, writeInitializing } from '../support/extensions.ts';
import { clients, startOpenidProvider, toAccessCode } from '../support/openid-provider.ts';
import { startTestService } from '../support/service.ts';

const CANARY = 'canary-client-secret';

/** A module that registers a class with this body. */
function registering(classBody: string, providerApiType = 'Company'): string {
  return writeExtension(
    'company.mjs',
    `import { OidcProviderApiBase } from 'latchkey/extension';
     export let setting;
     class Company extends OidcProviderApiBase { ${classBody} }
     export function initialize({ externalAuth, defineSetting }) {
       setting = defineSetting({
         name: 'Acme.Issuer', scope: 'general', category: 'Acme', label: 'Issuer',
         schema: { type: 'string', maxLength: 200 }, default: 'http://id.example.com',
       });
       externalAuth.providers.push({
         ...${JSON.stringify(clients.latchkey)}, name: 'company', providerApiType: ${providerApiType},
       });
     }`,
  );
}

describe('the issuer of an OpenID provider', () => {
  const bad = 'The issuer of provider "company" must be a URL with https, or with http and a loopback address.';
  const refused: [path: string, reason: string][] = [
    [
      registering('', 'OidcProviderApiBase'),
      'The providerApiType of provider "company" must be a class that extends OidcProviderApiBase.',
    ],
    ...[
      '',
      'issuer = 5',
      "issuer = ''",
      "issuer = 'id.example.com'",
      "issuer = 'http://id.example.com'",
      "issuer = 'http://127.0.0.1.example.com'",
      "issuer = 'ftp://localhost'",
      "issuer = new URL('https://id.example.com')",
    ].map((body): [string, string] => [registering(body), bad]),
  ];
  it('stops the start when it is invalid: one line, without the secret', async () => {
    for (const [path, reason] of refused) {
      const message = (await failure([path])).replace(/ \(line \d+\)$/, '');
      assert.equal(message, `LATCHKEY_EXTENSIONS: ${path} registers a provider that cannot be used: ${reason}`);
    }
    const throwing = registering("get issuer() { throw new Error('not today'); }");
    assert.match(await failure([throwing]), /registers a provider that cannot be used: not today/);
  });

  it('is https, or http to this machine', async () => {
    const urls = ['https://id.example.com/tenant', 'http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1/a'];
    for (const url of urls) {
      assert.equal((await load([registering(`issuer = '${url}'`)])).additions.providers.length, 1, url);
    }
  });

  for (const body of ['get issuer() { return setting.read(); }', 'issuer = setting.read()']) {
    it(`may be a setting, and a change applies to the next sign-in: ${body}`, async () => {
      const { additions } = await load([registering(body)]);
      const service = await startTestService('sqlite', { additions });
      const providers = [await startOpenidProvider(), await startOpenidProvider()];
      try {
        for (const [turn, provider] of providers.entries()) {
          const key = `ann-${turn}`;
          provider.people.set(key, { email: `${key}@example.com`, email_verified: true, given_name: 'Ann' });
          await service.set('Acme.Issuer', provider.issuer);
          const providerAccessCode = toAccessCode(await provider.signIn(key));
          const answer = await service.post('/api/TokenAuth/ExternalAuthenticateAsync', {
            body: { authProvider: 'company', providerKey: key, providerAccessCode },
          });
          assert.equal(answer.status, 200, answer.text);
        }
      } finally {
        await service.close();
        for (const provider of providers) await provider.stop();
      }
    });
  }
});

describe('registrations that come after initialize has ended', () => {
  const registration = (name: string) =>
    `{ name: '${name}', clientId: 'a', clientSecret: '${CANARY}', providerApiType: Api }`;

  it('do not count for the next extension: they are dropped, with a warning that names them', async () => {
    const first = writeInitializing(`providers.push(${registration('First')});`);
    globalThis.pushLate = async () => {
      const { context } = await importExtension(first);
      const { providers } = context.externalAuth;
      const [accepted = assert.fail()] = providers;
      providers.push({ ...accepted, name: 'Late' }, JSON.parse('null'), { ...accepted, name: 'Ann\nLee' });
    };
    // The first module has ended long before the second is loaded.
    const second = writeExtension(
      'second.mjs',
      `await globalThis.pushLate();
       export function initialize({ externalAuth: { providers } }) {
         providers.push({ ...providers[0], name: 'Second' });
       }`,
    );
    const { additions, lines } = await load([first, second]);
    assert.deepEqual(
      additions.providers.map(({ name }) => name),
      ['First', 'Second'],
    );
    const warnings = lines.filter(({ level }) => level === 'warn');
    assert.deepEqual(
      warnings.map(({ msg, dropped }) => [msg, dropped]),
      [
        [
          'providers were pushed after initialize had ended, and dropped',
          ['provider "Late"', 'provider 3 of the list', 'provider 4 of the list'],
        ],
      ],
    );
    assert.ok(!JSON.stringify(lines).includes(CANARY));
  });

  it('are dropped at the end as well', async () => {
    const path = writeInitializing(`
      const mine = ${registration('Mine')};
      providers.push(mine);
      void (async () => {
        while (providers[0] === mine) await null;
        providers.push(${registration('Late')});
      })();`);
    const { additions, lines } = await load([path]);
    assert.deepEqual(
      additions.providers.map(({ name }) => name),
      ['Mine'],
    );
    const [warning] = lines.filter(({ level }) => level === 'warn');
    assert.deepEqual(warning?.dropped, ['provider "Late"']);
    assert.ok(!JSON.stringify(lines).includes(CANARY));
  });
});

declare global {
  /** Set by a test, called by the module that it writes. */
  var pushLate: () => Promise<void>;
}
