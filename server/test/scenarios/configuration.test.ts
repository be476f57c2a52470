// Configuration as code: a file of every kind of thing is planned and applied, and what is there becomes a file again.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { operator } from '../../src/app/first-start.ts';
import {
  configurationOf,
  describeDifferences,
  formatConfiguration,
  parseConfiguration,
} from '../../src/configuration/index.ts';
import { systemRandom } from '../../src/foundation/random.ts';
import { createSecrets } from '../../src/foundation/secrets.ts';
import { createManualClock } from '../support/clock.ts';
import { engines } from '../support/databases.ts';
import { readGuideFile, root } from '../support/guide.ts';
import { png } from '../support/pictures.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** One thing of each kind, with every secret that a file can give. */
const WHOLE = `
settings:
  Latchkey.Tokens: { audience: shop }
  Latchkey.Links: { allowedOrigins: ['https://shop.example.com'] }
frontEnds:
  shop:
    name: Shop
    settings:
      Abp.Zero.UserManagement.PasswordComplexity.RequiredLength: 14
      Latchkey.Links.BaseAddress: https://shop.example.com/account
brands:
  shop: { name: The shop, accent: '#1f5f8b' }
roles:
  Editor: { description: Writes, grantedPermissions: [Pages.Articles] }
  Reader:
applications:
  grafana:
    name: Grafana
    kind: web
    redirectUris: [https://grafana.example.com/login/generic_oauth]
    allowedRoles: [editor]
    frontEnd: shop
    clientSecret: \${ENV:GRAFANA}
externalProviders:
  Acme:
    type: oidc
    clientId: latchkey
    issuer: https://id.acme.example
    allowedDomains: [Acme.Example]
    roleForNewUsers: reader
    clientSecret: \${ENV:ACME}
webhooks:
  https://events.example.com/latchkey:
    actions: [account.*]
    description: Shop
    secret: \${ENV:WEBHOOK}
serviceKeys:
  shop: { permissions: [introspect], key: '\${ENV:SERVICE_KEY}' }
`;

const VARIABLES = {
  GRAFANA: 'a-client-secret-that-the-operator-has-made-0',
  ACME: 'the secret at acme',
  WEBHOOK: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  SERVICE_KEY: `lks_${Buffer.alloc(32, 9).toString('base64url')}`,
};

for (const engine of engines) {
  describe(`Configuration as code on ${engine}`, () => {
    let latchkey: TestService;
    before(async () => {
      latchkey = await startTestService(engine);
    });
    after(() => latchkey.close());

    const options = { by: operator('test'), variables: VARIABLES, prunes: false, takesSecrets: false };
    const read = (text: string) => parseConfiguration(text, 'latchkey.yaml');
    const run = (what: 'plan' | 'apply', text: string, more: object = {}) =>
      configurationOf(latchkey.service)[what](read(text), { ...options, ...more });
    const plan = async (text: string, more: object = {}) =>
      describeDifferences((await run('plan', text, more)).differences);
    const exported = async ({ service } = latchkey) =>
      formatConfiguration(await configurationOf(service).list(), './schema.json');

    it('applies one thing of each kind, and finds no difference after that', async () => {
      const planned = await plan(WHOLE);
      assert.equal(planned.length, 12, planned.join('\n'));
      const { differences, secrets, after: version } = await run('apply', WHOLE);
      assert.deepEqual(describeDifferences(differences), planned);
      assert.deepEqual(secrets, {});
      assert.deepEqual(await plan(WHOLE), []);
      assert.equal((await run('plan', WHOLE)).before, version);
      assert.deepEqual((await run('apply', WHOLE)).differences, []);
    });

    /** Applies an exported file, with its secrets, to an empty service. @returns what that exports. */
    async function applyElsewhere(text: string): Promise<string> {
      const other = await startTestService(engine);
      try {
        const complete = text.replace(/# (\w+): .*$/gm, (_, member) => `${member}: \${ENV:${variables[member]}}`);
        await configurationOf(other.service).apply(read(complete), options);
        return await exported(other);
      } finally {
        await other.close();
      }
    }

    it('writes a file that makes the same of an empty service', async () => {
      const text = await exported();
      assert.deepEqual(await plan(text, { prunes: true }), []);
      assert.equal(await applyElsewhere(text), text);
    });

    it('leaves what the file does not name, and removes it only when it prunes', async () => {
      await run('apply', WHOLE);
      assert.deepEqual(await plan('roles: {}\n'), []);
      assert.deepEqual(await plan('roles: { Reader: }\n', { prunes: true }), ['- roles.Editor']);
      const { differences } = await run('apply', 'roles: {}\nbrands: {}\nwebhooks: {}\nfrontEnds: { default-app: }\n', {
        prunes: true,
      });
      assert.deepEqual(describeDifferences(differences), [
        '- roles.Editor',
        '- roles.Reader',
        '- frontEnds.shop',
        '- webhooks."https://events.example.com/latchkey"',
      ]);
      const text = await exported();
      assert.doesNotMatch(text, /^ {2}(Editor|Reader):|Latchkey\.Links\.Base|Latchkey\.Brand|events\.example/m);
      assert.match(text, /Administrator:/);
      assert.match(text, /frontEnd: default-app/);
      // The only role of the application is deleted. Nobody may sign in to it, here as wherever the file is applied.
      assert.match(text, /isEnabled: false\n/);
      assert.match(text, /allowedRoles: \[\]\n/);
      assert.equal(await applyElsewhere(text), text);
      const [change = '', ...others] = await plan(text);
      assert.deepEqual(others, []);
      assert.match(
        change,
        /^~ applications\.grafana: (?=.*allowedRoles \["Editor"\] → \[\])(?=.*isEnabled true → false)/,
      );
      assert.match(text, /roleForNewUsers: null/);
    });

    it('applies nothing if one of eight sections is wrong, and names the line', async () => {
      await run(
        'apply',
        '{ roles: {}, webhooks: {}, applications: {}, externalProviders: {}, serviceKeys: {}, frontEnds: {} }',
        {
          prunes: true,
        },
      );
      const before = await exported();
      const wrong: [from: string, to: string, problem: string][] = [
        ['audience: shop', "audience: ''", 'settings.Latchkey.Tokens.audience: audience must not have fewer than 1'],
        ['    name: Shop', "    name: ''", 'frontEnds.shop.name: name must not have fewer than 1 characters.'],
        ["'#1f5f8b'", 'blue', 'brands.shop.accent: accent must match pattern'],
        ['  shop: { name: The', '  shops: { name: The', 'brands.shops: There is no such front end.'],
        ['Pages.Articles', 'Pages Articles', 'roles.Editor.grantedPermissions.0: grantedPermissions.0 has characters'],
        ['[editor]', '[editors]', 'applications.grafana.allowedRoles: There is no role "editors". Add it first.'],
        ['https://id.acme', 'http://id.acme', 'externalProviders.Acme.issuer: '],
        ['[account.*]', '[accounts.*]', 'webhooks."https://events.example.com/latchkey".actions: No event is named'],
        ['[introspect]', '[inspect]', 'serviceKeys.shop.permissions.0: permissions.0 must be one of: introspect'],
      ];
      for (const [from, to, problem] of wrong) {
        const text = WHOLE.replace(from, () => to);
        const line = text.slice(0, text.indexOf(to)).split('\n').length;
        for (const what of ['plan', 'apply'] as const) {
          await assert.rejects(run(what, text), ({ name, message }: Error) => {
            assert.equal(name, 'ConfigurationError', message);
            assert.equal(message.replace(/:\d+: .*/, ''), `latchkey.yaml:${line}`, message);
            assert.ok(message.includes(`: ${problem}`), message);
            return true;
          });
        }
      }
      assert.equal(await exported(), before);
    });

    it('makes a secret only if somebody takes it, and makes none twice', async () => {
      const text = 'serviceKeys:\n  ci: { permissions: [audit] }\n';
      await assert.rejects(run('apply', text), {
        message: `latchkey.yaml:2:3: serviceKeys.ci: Latchkey would make its key, and nobody would see it. Give one with key: \${ENV:NAME}, or apply with --print-secrets.`,
      });
      const { secrets, differences } = await run('apply', text, { takesSecrets: true });
      assert.deepEqual(describeDifferences(differences), ['+ serviceKeys.ci: key (Latchkey makes it)']);
      const key = secrets['serviceKeys.ci.key'];
      assert.ok(await latchkey.service.serviceKeys.authenticate(key, 'audit'));
      assert.deepEqual((await run('apply', text, { takesSecrets: true })).secrets, {});
      const given = `serviceKeys: { ci: { permissions: [audit], key: '\${ENV:CI}' } }`;
      const variables = { CI: `lks_${Buffer.alloc(32, 10).toString('base64url')}` };
      assert.deepEqual(await plan(given, { variables }), ['~ serviceKeys.ci: key (another secret)']);
      await run('apply', given, { variables });
      assert.ok(await latchkey.service.serviceKeys.authenticate(variables.CI, 'audit'));
      const twin = `serviceKeys: { two: { permissions: [audit], key: '\${ENV:CI}' } }`;
      await assert.rejects(run('apply', twin, { variables }), /serviceKeys\.two\.key: Another service key is the same/);
      await assert.rejects(latchkey.service.serviceKeys.authenticate(key, 'audit'));
    });

    it('replaces secrets that differ, so that the new ones hold', async () => {
      await run('apply', WHOLE);
      const variables = {
        ...VARIABLES,
        GRAFANA: `${VARIABLES.GRAFANA}1`,
        ACME: 'another secret',
        WEBHOOK: `whsec_${Buffer.alloc(32, 8).toString('base64')}`,
      };
      const { differences } = await run('apply', WHOLE, { variables });
      assert.deepEqual(describeDifferences(differences), [
        '~ applications.grafana: clientSecret (another secret)',
        '~ externalProviders.Acme: clientSecret (another secret)',
        '~ webhooks."https://events.example.com/latchkey": secret (another secret)',
      ]);
      const { applications, externalProviders } = latchkey.service;
      const grafana = applications.find('grafana');
      assert.ok(grafana);
      assert.equal(await applications.verifySecret(grafana, variables.GRAFANA), true);
      assert.equal(await applications.verifySecret(grafana, VARIABLES.GRAFANA), false);
      assert.equal(externalProviders.list()[0]?.clientSecret, 'another secret');
      await run('apply', WHOLE);
    });

    it('takes the secrets of the file for other ones where the service has another secret since', async () => {
      const { database } = latchkey.service;
      const former = createSecrets('the secret of the service until it was lost', systemRandom);
      const sealed = { sealed_secret: former.seal('any', VARIABLES.ACME) };
      await database.sql.updateTable('external_provider').set(sealed).execute();
      await database.sql.updateTable('webhook').set(sealed).execute();
      assert.deepEqual(await plan(WHOLE), [
        '~ externalProviders.Acme: clientSecret (another secret)',
        '~ webhooks."https://events.example.com/latchkey": secret (another secret)',
      ]);
      await run('apply', WHOLE);
      assert.deepEqual(await plan(WHOLE), []);
      assert.equal(latchkey.service.externalProviders.list()[0]?.clientSecret, VARIABLES.ACME);
    });

    it('refuses what is based on other secrets than those that are there', async () => {
      await run('apply', WHOLE);
      const { applications, externalProviders, webhooks } = latchkey.service;
      const rotations = [
        () => applications.rotateSecret(applications.find('grafana')?.id ?? '', 60, options.by),
        async () => webhooks.rotateSecret((await webhooks.list())[0]?.id ?? '', options.by),
        () => externalProviders.update(externalProviders.list()[0]?.id ?? '', { clientSecret: 'rotated' }, options.by),
        async () => {
          await latchkey.service.serviceKeys.withdraw('shop', options.by);
          await latchkey.service.serviceKeys.create({ name: 'shop', permissions: ['introspect'] }, options.by);
        },
      ];
      for (const rotate of rotations) {
        const { before: version } = await run('plan', WHOLE);
        await rotate();
        await assert.rejects(run('apply', WHOLE, { expected: version }), /has changed since version/, String(rotate));
      }
      assert.equal((await plan(WHOLE)).length, 4);
      await run('apply', WHOLE);
    });

    it('finds a thing again whose name has blanks around it, or is that of a member of every object', async () => {
      const text = `
roles: { ' Night watch ': , __proto__: { description: P }, constructor: }
frontEnds: { ' kiosk ': }
webhooks: { ' https://events.example.com/blank ': { actions: ['*'], secret: '\${ENV:WEBHOOK}' } }
serviceKeys: { ' blank ': { permissions: [introspect], key: '\${ENV:BLANK}' } }
`;
      const variables = { ...VARIABLES, BLANK: `lks_${Buffer.alloc(32, 11).toString('base64url')}` };
      await run('apply', text, { variables });
      assert.deepEqual(await plan(text, { variables }), []);
      assert.deepEqual(await plan(await exported(), { prunes: true }), []);
      const twin = 'serviceKeys: { blank: { permissions: [audit] }, " blank": { permissions: [audit] } }';
      await assert.rejects(run('plan', twin, { takesSecrets: true }), /This is the name of another one/);
      await run('apply', 'roles: {}\nfrontEnds: {}\nwebhooks: {}\nserviceKeys: {}\n', { prunes: true });
      await run('apply', WHOLE);
    });

    it('keeps a service key whose permissions the file names in another order', async () => {
      const variables = { KEY: `lks_${Buffer.alloc(32, 12).toString('base64url')}` };
      const text = (permissions: string) =>
        `serviceKeys: { ci: { permissions: [${permissions}], key: '\${ENV:KEY}' } }`;
      await run('apply', text('audit, introspect'), { variables });
      const orders = ['audit, introspect', 'introspect, audit'];
      for (const order of orders) assert.deepEqual(await plan(text(order), { variables }), []);
      await latchkey.service.serviceKeys.withdraw('ci', options.by);
    });

    it('reads secrets as text, and no member that every object has', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'latchkey-secrets-'));
      const apply = (reference: string) => {
        const text = `applications: { ci: { name: CI, kind: machine, clientSecret: '\${${reference}}' } }`;
        const file = parseConfiguration(text, join(folder, 'latchkey.yaml'));
        return configurationOf(latchkey.service).apply(file, { ...options, variables: process.env });
      };
      try {
        writeFileSync(join(folder, 'marked'), `\ufeff${VARIABLES.GRAFANA}\n`);
        writeFileSync(join(folder, 'bytes'), Buffer.from([...Buffer.alloc(40, 'a'), 0xff]));
        await apply('FILE:marked');
        const ci = latchkey.service.applications.find('ci') ?? assert.fail();
        assert.equal(await latchkey.service.applications.verifySecret(ci, VARIABLES.GRAFANA), true);
        await assert.rejects(apply('FILE:bytes'), /clientSecret: The file \S+bytes is no text in UTF-8\.$/);
        for (const name of ['constructor', 'toString', '__proto__'])
          await assert.rejects(apply(`ENV:${name}`), { message: new RegExp(`The variable ${name} is not set`) });
      } finally {
        rmSync(folder, { recursive: true });
        await latchkey.service.applications.remove(latchkey.service.applications.find('ci')?.id ?? '', options.by);
      }
    });

    it('stores the logos that a brand names as files, and stores none twice', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'latchkey-logos-'));
      const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
      const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';
      write('logo.svg', drawing);
      write('logo.png', png(4, 4));
      write('page.html', '<p>logo</p>');
      const brand = (logo: string) =>
        `brands: { default-app: { logo: '\${FILE:${logo}}', logoDark: '\${FILE:logo.png}' } }`;
      const apply = async (logo: string) => {
        const file = parseConfiguration(brand(logo), join(folder, 'latchkey.yaml'));
        return (await configurationOf(latchkey.service).apply(file, options)).differences.length;
      };
      try {
        assert.equal(await apply('logo.svg'), 1);
        assert.equal(await apply('logo.svg'), 0);
        const { logo, logoDark } = latchkey.service.brands.find('default-app');
        assert.match(String(await latchkey.service.brands.readLogo(logo)), /<path/);
        assert.ok((await latchkey.service.brands.readLogo(logoDark))?.includes('IHDR'));
        await assert.rejects(apply('page.html'), /latchkey\.yaml:1:26: brands\.default-app\.logo: /);
        await assert.rejects(apply('none.svg'), /brands\.default-app\.logo: The file \S+none\.svg does not exist/);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    it('keeps all logos that the brands of a file name, and stores one again that is gone', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'latchkey-many-logos-'));
      const keys = Array.from({ length: 60 }, (_, index) => `shop-${index}`);
      const draw = (name: string, size: string) =>
        writeFileSync(
          join(folder, name),
          `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h${size}v1z"/></svg>`,
        );
      for (const [index, key] of keys.entries()) {
        draw(`${key}.svg`, `1.${index}1`);
        draw(`${key}-dark.svg`, `2.${index}1`);
      }
      const ofEach = (describe: (key: string) => string) => keys.map((key) => `  ${key}: ${describe(key)}\n`).join('');
      const text = `frontEnds:\n${ofEach(() => '{}')}brands:\n${ofEach((key) => `{ logo: '\${FILE:${key}.svg}', logoDark: '\${FILE:${key}-dark.svg}' }`)}`;
      const apply = async () => {
        const file = parseConfiguration(text, join(folder, 'latchkey.yaml'));
        return describeDifferences((await configurationOf(many.service).apply(file, options)).differences);
      };
      // Each logo is used at a moment of its own, as on a real clock.
      const clock = createManualClock();
      const now = () => {
        clock.advance(0.001);
        return clock.now();
      };
      const many = await startTestService(engine, { clock: { ...clock, now } });
      const { brands, database } = many.service;
      const named = () => keys.map((key) => brands.find(key)).flatMap(({ logo, logoDark }) => [logo, logoDark]);
      try {
        await apply();
        assert.equal(new Set(named()).size, 120);
        for (const name of named()) assert.ok(await brands.readLogo(name), name);
        assert.deepEqual(await apply(), []);
        const [gone = ''] = named();
        await database.sql.deleteFrom('logo').where('file_name', '=', gone).execute();
        assert.deepEqual(await apply(), ['~ brands.shop-0: logo (stored again)']);
        assert.ok(await brands.readLogo(gone));
        assert.deepEqual(await apply(), []);
      } finally {
        await many.close();
        rmSync(folder, { recursive: true });
      }
    });

    it('writes history and the audit trail as the pages do', async () => {
      await run('apply', 'settings: { Latchkey.Application: { name: Hall } }\nroles: { Porter: }\n');
      const token = await latchkey.admin();
      const { result } = await latchkey.get('/api/services/app/Settings/GetHistory', {
        query: { name: 'Latchkey.Application' },
        token,
      });
      assert.deepEqual([result.items[0]?.by, result.items[0]?.newValue], ['test', { name: 'Hall', colour: 'blue' }]);
      const trail = await latchkey.get('/api/services/app/Audit/GetAll', { query: { maxResultCount: 20 }, token });
      const found = trail.result.items.filter(({ userName }) => userName === 'test').map(({ action }) => action);
      assert.ok(found.includes('setting.changed') && found.includes('role.created'), found.join());
    });

    it('refuses what is based on something else than what is there', async () => {
      const { before: version } = await run('plan', 'roles: { Guard: }\n');
      await latchkey.set('Latchkey.Application', { name: 'Somebody else' });
      await assert.rejects(run('apply', 'roles: { Guard: }\n', { expected: version }), /has changed since version/);
      assert.deepEqual(await plan('roles: { Guard: }\n'), ['+ roles.Guard']);
      const { before: now } = await run('plan', 'roles: { Guard: }\n');
      await run('apply', 'roles: { Guard: }\n', { expected: now });
    });

    it('lets one of two nodes apply, and the other find nothing to do', async () => {
      const text =
        'roles: { Baker: , Butcher: }\nfrontEnds: { bakery: { settings: { Latchkey.Links.SignIn: true } } }\n';
      const outcomes = await Promise.all(Array.from({ length: 6 }, () => run('apply', text)));
      const changed = outcomes.filter(({ differences }) => differences.length > 0);
      assert.deepEqual(
        changed.map(({ differences }) => describeDifferences(differences).length),
        [4],
      );
    });

    it('loses no change that the pages make meanwhile', async () => {
      const token = await latchkey.admin();
      const names = Array.from({ length: 5 }, (_, index) => `Seat ${index}`);
      const pages = names.flatMap((name, index) => [
        latchkey.post('/api/services/app/Role/Create', { body: { name, grantedPermissions: ['Pages.Own'] }, token }),
        latchkey.post('/api/services/app/Settings/UpdateValue', {
          body: { name: 'Latchkey.Tokens', value: { sessionLifetime: 86_400 + index } },
          token,
        }),
      ]);
      const files = names.map((name) =>
        run('apply', `roles: { Row ${name}: }\nsettings: { Latchkey.Application: { name: ${name} } }\n`),
      );
      const [answers] = await Promise.all([Promise.all(pages), ...files]);
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      const text = await exported();
      for (const name of names) assert.ok(text.includes(`\n  Row ${name}:`) && text.includes(`\n  ${name}:`), text);
    });
  });
}

/** The file of the guide. */
const guideFile = () => readGuideFile('configuration-as-code.md', 'yaml-language-server');

describe('The JSON Schema of a configuration file', () => {
  const schema = JSON.parse(readFileSync(join(root, 'docs/reference/configuration.schema.json'), 'utf8'));
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  const isValid = (text: string) => validate(parseConfiguration(text, 'latchkey.yaml').content);

  it('accepts the files that the service accepts', async () => {
    const service = await startTestService('sqlite');
    try {
      const run = (text: string, what: 'plan' | 'apply') =>
        configurationOf(service.service)[what](parseConfiguration(text, 'latchkey.yaml'), {
          by: operator('test'),
          variables: { ...VARIABLES, ...ofGuide },
          prunes: false,
          takesSecrets: false,
        });
      const ofGuide = {
        GRAFANA_CLIENT_SECRET: VARIABLES.GRAFANA,
        WEBHOOK_SECRET: VARIABLES.WEBHOOK,
        SHOP_SERVICE_KEY: VARIABLES.SERVICE_KEY,
        GOOGLE_CLIENT_SECRET: VARIABLES.ACME,
      };
      const { differences } = await run(guideFile(), 'plan');
      assert.equal(differences.length, 9);
      await run(WHOLE, 'apply');
      const exported = formatConfiguration(await configurationOf(service.service).list(), './schema.json');
      for (const text of [WHOLE, guideFile(), exported]) assert.ok(isValid(text), JSON.stringify(validate.errors));
    } finally {
      await service.close();
    }
  });

  it('refuses unknown members, secrets in the file, and values out of bounds', () => {
    const wrong: [from: string, to: string][] = [
      ['roles:', 'role:'],
      ['description: Writes', 'about: Writes'],
      [`\${ENV:GRAFANA}`, VARIABLES.GRAFANA],
      ['kind: web', 'kind: site'],
      ['RequiredLength: 14', 'RequiredLength: 0'],
      ['accent:', 'color:'],
    ];
    for (const [from, to] of wrong) assert.equal(isValid(WHOLE.replace(from, () => to)), false, to);
  });
});

const variables: Record<string, string> = { secret: 'WEBHOOK', key: 'SERVICE_KEY', clientSecret: 'GRAFANA' };
