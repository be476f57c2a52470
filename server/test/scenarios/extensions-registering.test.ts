// What extensions register: valid providers, settings, reviewers and listeners, and the error line for invalid ones.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settingDefinitions } from '../../src/app/catalogue.ts';
import { ExternalAuthProviderApiBase } from '../../src/extensions/index.ts';
import { failure, importExtension, load, writeExtension, writeInitializing } from '../support/extensions.ts';

const CANARY = 'canary-client-secret';

/** Source of a valid registration, changed by the given members: each as source, null to leave it out. */
function registration(changed: Record<string, string | null> = {}): string {
  const valid = { name: "'Acme'", clientId: "'latchkey'", clientSecret: `'${CANARY}'`, providerApiType: 'Api' };
  const members = Object.entries({ ...valid, ...changed }).filter(([, value]) => value !== null);
  return `{ ${members.map(([name, value]) => `${name}: ${value}`).join(', ')} }`;
}

const pushing = (...registrations: string[]) => writeInitializing(`providers.push(${registrations.join(', ')});`);

describe('providers that extensions register', () => {
  const typed = `
    import {
      ExternalAuthProviderApiBase, type ExternalAuthUserInfo, type ExtensionContext,
    } from 'latchkey/extension';
    class AcmeApi extends ExternalAuthProviderApiBase {
      override async getUserInfoAsync(accessCode: string): Promise<ExternalAuthUserInfo | null> {
        const { name } = this.providerInfo;
        return { provider: name, providerKey: accessCode, name: '', surname: '', emailAddress: 'a@acme.example' };
      }
    }
    export function initialize({ externalAuth }: ExtensionContext): void {
      externalAuth.providers.push({ name: 'Typed', clientId: 'a', clientSecret: '', providerApiType: AcmeApi });
    }`;

  it('work in TypeScript and in JavaScript, on one list, in the order of registration', async () => {
    const first = writeInitializing(`providers.push(${registration()});`);
    const typedPath = writeExtension('typed.ts', typed);
    const last = writeInitializing(`
      if (providers.length !== 2) throw new Error('others are not seen');
      class Local extends Api {}
      providers.push(${registration({ name: "'Other'", providerApiType: 'Local' })});`);
    const { additions } = await load([first, typedPath, last]);
    assert.deepEqual(
      additions.providers.map(({ name, clientId, clientSecret }) => [name, clientId, clientSecret]),
      [
        ['Acme', 'latchkey', CANARY],
        ['Typed', 'a', ''],
        ['Other', 'latchkey', CANARY],
      ],
    );
    const contexts = await Promise.all([first, last].map(async (path) => (await importExtension(path)).context));
    assert.equal(contexts[0]?.externalAuth, contexts[1]?.externalAuth);
    assert.equal(contexts[0]?.externalAuth.providers, additions.providers);
    const info = additions.providers[1] ?? assert.fail();
    const api = new info.providerApiType(info);
    assert.ok(api instanceof ExternalAuthProviderApiBase);
    assert.deepEqual(
      [await api.isValidUserAsync('key', 'key'), await api.isValidUserAsync('key', 'kez')],
      [true, false],
    );
  });

  it('stay as they were when initialize ended, even when the extension changes its objects later', async () => {
    const path = writeInitializing(`
      const mine = ${registration()};
      mine.extra = 'of no interest';
      providers.push(mine);
      setImmediate(() => setImmediate(() => { mine.name = 'Changed'; }));`);
    const { additions } = await load([path]);
    const [info] = additions.providers;
    for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
    const { context } = await importExtension(path);
    const { providers } = context.externalAuth;
    assert.deepEqual(Object.keys(info ?? {}), ['name', 'clientId', 'clientSecret', 'providerApiType']);
    assert.equal(info?.name, 'Acme');
    const changes: (() => unknown)[] = [
      () => providers.push(info),
      () => providers.pop(),
      () => Object.assign(providers[0] ?? {}, { clientSecret: 'x' }),
      () => Object.assign(context.externalAuth, { providers: [] }),
    ];
    for (const change of changes) assert.throws(change, TypeError);
    assert.deepEqual(additions.providers, [info]);
  });

  it('are dropped when they come between the check and the start', async () => {
    const path = writeInitializing(`
      const mine = ${registration()};
      providers.push(mine);
      void (async () => {
        while (providers[0] === mine) await null;
        providers.push(null);
      })();`);
    const { additions } = await load([path]);
    assert.deepEqual(
      additions.providers.map(({ name }) => name),
      ['Acme'],
    );
  });

  const NAME = /The name of provider 1 of the list must be a text of 1 to 100 characters, with no spaces around it/;
  const refused: [what: string, body: string, reason: RegExp][] = [
    ...['null', "'Acme'", '() => {}', 'undefined'].map((entry): [string, string, RegExp] => [
      `${entry} for a registration`,
      `providers.push(${entry});`,
      /Provider 1 of the list is no object\.$/,
    ]),
    ['a hole in the list', 'providers.length = 3;', /Provider 1 of the list is no object\.$/],
    ...[
      null,
      "''",
      '5',
      "' Acme'",
      "'Acme\\t'",
      "'Ac\\u0000me'",
      "'Ac\\nme'",
      "'\\ud800'",
      "'Ac\\u200bme'",
      `'${'a'.repeat(101)}'`,
    ].map((name): [string, string, RegExp] => [`the name ${name}`, `providers.push(${registration({ name })});`, NAME]),
    ...[null, "''", '5', 'undefined'].map((clientId): [string, string, RegExp] => [
      `the clientId ${clientId}`,
      `providers.push(${registration({ clientId })});`,
      /The clientId of provider "Acme" must be a text that is not empty\.$/,
    ]),
    ...[null, '5', `['${CANARY}']`].map((clientSecret): [string, string, RegExp] => [
      `the clientSecret ${clientSecret}`,
      `providers.push(${registration({ clientSecret })});`,
      /The clientSecret of provider "Acme" must be a text, empty when there is none\.$/,
    ]),
    ...[
      null,
      'new Api({})',
      '() => new Api({})',
      'class { async getUserInfoAsync() {} }',
      'ExternalAuthProviderApiBase',
      "Object.assign(() => {}, { prototype: 'Api' })",
    ].map((type): [string, string, RegExp] => [
      `the providerApiType ${type}`,
      `providers.push(${registration({ providerApiType: type })});`,
      /The providerApiType of provider "Acme" must be a class that extends ExternalAuthProviderApiBase of latchkey\/exte/,
    ]),
    [
      'a class without getUserInfoAsync',
      `class Lazy extends ExternalAuthProviderApiBase {}
       providers.push(${registration({ providerApiType: 'Lazy' })});`,
      /The providerApiType of provider "Acme" must have a method getUserInfoAsync\.$/,
    ],
    [
      'a registration that cannot be read',
      `providers.push({ get name() { throw new Error('not\\ntoday'); } });`,
      /registers a provider that cannot be used: not today/,
    ],
    [
      'the list replaced',
      `context.externalAuth.providers = [${registration()}];`,
      /fails to initialize: Cannot assign to read only property 'providers'/,
    ],
    [
      'a name twice',
      `providers.push(${registration()}, ${registration()});`,
      /The name of provider "Acme" is taken: .*extension\.mjs has registered "Acme"\.$/,
    ],
    [
      'a name twice but for its case',
      `providers.push(${registration({ name: "'Straße'" })}, ${registration({ name: "'STRASSE'" })});`,
      /The name of provider "STRASSE" is taken: .*extension\.mjs has registered "Straße"\.$/,
    ],
  ];
  for (const [what, body, reason] of refused) {
    it(`stop the start: ${what}`, async () => {
      const path = writeInitializing(body);
      const message = await failure([path]);
      assert.ok(message.startsWith(`LATCHKEY_EXTENSIONS: ${path} `), message);
      assert.match(message, reason);
      assert.doesNotMatch(message, new RegExp(CANARY));
    });
  }

  it('stop the start: the name of a provider of another extension; both modules are named', async () => {
    for (const name of ['Acme', 'ACME']) {
      const [first, second] = [pushing(registration()), pushing(registration({ name: `'${name}'` }))];
      assert.equal(
        await failure([first, second]),
        `LATCHKEY_EXTENSIONS: ${second} registers a provider that cannot be used: The name of provider "${name}" is taken: ${first} has registered "Acme".`,
      );
    }
  });

  const other = registration({ name: "'Other'" });
  for (const [what, meddling] of [
    ['taken away', 'providers.length = 0;'],
    ['moved', `providers.unshift(${other});`],
    ['replaced', `providers[0] = { ...providers[0] };`],
  ] as const) {
    it(`stop the start: a provider of another extension ${what}`, async () => {
      const meddler = writeInitializing(meddling);
      const message = await failure([pushing(registration()), meddler]);
      assert.ok(message.startsWith(`LATCHKEY_EXTENSIONS: ${meddler} registers a provider that cannot be used: `));
      assert.match(
        message,
        /The providers in the list must stay unchanged and in place: add yours to its end, by push\.$/,
      );
    });
  }
});

describe('functions that extensions register', () => {
  it('are accepted from several extensions, in their order', async () => {
    const path = (verdict: string) =>
      writeInitializing(
        `context.onExternalUserRegistering(() => '${verdict}'); context.subscribe(() => {}); context.subscribe(() => {});`,
      );
    const { additions } = await load([path('hold'), path('refuse')]);
    const user = { provider: 'Acme', providerKey: '1', name: '', surname: '', emailAddress: 'a@acme.example' };
    assert.deepEqual(
      additions.reviewers.map((reviewer) => reviewer(user)),
      ['hold', 'refuse'],
    );
    assert.equal(additions.listeners.length, 4);
  });

  for (const taker of ['onExternalUserRegistering', 'subscribe']) {
    it(`stop the start: ${taker} with something else`, async () => {
      for (const given of ['', 'null', "'refuse'", '{}']) {
        const path = writeInitializing(`context.${taker}(${given});`);
        const message = await failure([path]);
        assert.equal(message, `LATCHKEY_EXTENSIONS: ${path} fails to initialize: ${taker} takes a function. (line 9)`);
      }
    });
  }
});

describe('settings that extensions define', () => {
  /** Source of a valid definition, changed by the given members. */
  const definition = (changed: Record<string, unknown> = {}) =>
    JSON.stringify({
      name: 'Acme.Strict',
      scope: 'general',
      category: 'Acme',
      label: 'Strict',
      schema: { type: 'boolean' },
      default: false,
      ...changed,
    });
  const defining = (...definitions: string[]) =>
    writeInitializing(definitions.map((one) => `context.defineSetting(${one});`).join('\n'));
  const form = (properties: unknown) => ({ schema: { type: 'object', properties }, default: {} });
  const field = { type: 'integer', title: 'Days', minimum: 1, maximum: 9 };

  it('become definitions like those of the service', async () => {
    const schema = {
      type: 'object',
      properties: { days: field, kind: { type: 'string', title: 'Kind', enum: ['a', 'b'] } },
    };
    const { additions } = await load([
      defining(
        definition(),
        definition({ name: 'Acme.Form', order: 5, public: true, schema, default: { days: 2, kind: 'b', more: 1 } }),
      ),
    ]);
    const [plain, compound] = additions.settings;
    assert.deepEqual(plain, {
      name: 'Acme.Strict',
      scope: 'general',
      category: 'Acme',
      label: 'Strict',
      description: '',
      kind: 'value',
      schema: { type: 'boolean' },
      default: false,
      public: false,
      order: 1000,
    });
    assert.ok(
      settingDefinitions.every(({ order }) => order < 1000),
      'that is the end of the page',
    );
    assert.deepEqual([compound?.kind, compound?.order, compound?.public], ['compound', 5, true]);
    assert.deepEqual(compound?.default, { days: 2, kind: 'b' });
    assert.deepEqual(JSON.parse(JSON.stringify(compound?.schema)), { ...schema, required: ['days', 'kind'] });
  });

  it('cannot be read before the service has started', async () => {
    const path = writeInitializing(`context.defineSetting(${definition()}).read();`);
    assert.match(
      await failure([path]),
      /fails to initialize: The setting "Acme\.Strict" cannot be read before the service has started\./,
    );
  });

  const what = 'The setting "Acme.Strict"';
  const badSchemas: [schema: unknown, initial: unknown, reason: string][] = [
    [
      { type: 'integer', minimum: 1 },
      1,
      `The schema of ${what} is not well defined: The value must have required properties maximum.`,
    ],
    [
      { type: 'number', minimum: '1', maximum: 2 },
      1,
      `The schema of ${what} is not well defined: minimum must be number.`,
    ],
    [
      { type: 'string' },
      '',
      `The schema of ${what} is not well defined: The value must have required properties maxLength.`,
    ],
    [
      { type: 'string', maxLength: 10_001 },
      '',
      `The schema of ${what} is not well defined: maxLength must be <= 10000.`,
    ],
    [
      { type: 'string', enum: [] },
      '',
      `The schema of ${what} is not well defined: enum must not have fewer than 1 items.`,
    ],
    [
      { type: 'boolean', titel: 'x' },
      true,
      `The schema of ${what} has a member "titel"; there are type, title, description, x-unit.`,
    ],
    [
      { type: 'string', maxLength: 5, pattern: '(' },
      'a',
      `The schema of ${what} is not well defined: pattern must match format "regex".`,
    ],
    [
      { type: 'object' },
      {},
      `The schema of ${what} is not well defined: The value must have required properties properties.`,
    ],
    [
      form({}).schema,
      {},
      `The schema of ${what} is not well defined: properties must not have fewer than 1 properties.`,
    ],
    [form({ days: null }).schema, {}, `The schema of ${what} is not well defined: properties.days must be object.`],
    [
      form({ days: { ...field, title: undefined } }).schema,
      {},
      `The schema of ${what} is not well defined: properties.days must have required properties title.`,
    ],
    [form({ Days: field }).schema, {}, `${what} has a field "Days", which does not match /^[a-z][A-Za-z0-9]{0,49}$/.`],
    [
      form({ days: { ...field, type: 'object' } }).schema,
      {},
      `The schema of ${what} is not well defined: properties.days.type must match pattern "^(boolean|integer|number|string)$".`,
    ],
    [
      form({ days: { ...field, maximum: undefined } }).schema,
      {},
      `The field "days" of ${what} is not well defined: The value must have required properties maximum.`,
    ],
    [
      form({ days: { ...field, step: 2 } }).schema,
      {},
      `The field "days" of ${what} has a member "step"; there are type, minimum, maximum, title, description, x-unit.`,
    ],
    [
      form({ days: field }).schema,
      {},
      `${what} has a default that it does not allow: The value must have required properties days.`,
    ],
    [form({ days: field }).schema, { days: 10 }, `${what} has a default that it does not allow: days must be <= 9.`],
    [
      { type: 'integer', minimum: 2, maximum: 1 },
      1,
      `${what} has a default that it does not allow: The value must be >= 2.`,
    ],
    [
      { type: 'string', enum: ['a'] },
      'b',
      `${what} has a default that it does not allow: The value must be equal to one of the allowed values.`,
    ],
  ];
  const refused: [source: string, reason: string][] = [
    ['', 'A setting is not well defined: The value must be object.'],
    ['null', 'A setting is not well defined: The value must be object.'],
    [
      '{}',
      'A setting is not well defined: The value must have required properties name, scope, category, label, schema, default.',
    ],
    ['{ name: () => {} }', '() => {} could not be cloned.'],
    [definition({ name: 5 }), 'A setting is not well defined: name must be string.'],
    ...['', 'a b', 'a..b', '9', 'a\nb', 'ä'].map((name): [string, string] => [
      definition({ name }),
      `The setting ${JSON.stringify(name)} is not well defined: name must match pattern "^[A-Za-z][A-Za-z0-9]*([.][A-Za-z0-9]+)*$".`,
    ]),
    [
      definition({ name: 'a'.repeat(101) }),
      `The setting "${'a'.repeat(101)}" is not well defined: name must not have more than 100 characters.`,
    ],
    [definition({ scope: 'module' }), `${what} is not well defined: scope must match pattern "^(general|frontEnd)$".`],
    [definition({ category: '' }), `${what} is not well defined: category must not have fewer than 1 characters.`],
    [definition({ label: undefined }), `${what} is not well defined: The value must have required properties label.`],
    [
      definition({ label: 'x'.repeat(101) }),
      `${what} is not well defined: label must not have more than 100 characters.`,
    ],
    [definition({ description: 5 }), `${what} is not well defined: description must be string.`],
    [definition({ public: 'yes' }), `${what} is not well defined: public must be boolean.`],
    [definition({ order: -1 }), `${what} is not well defined: order must be >= 0.`],
    [
      definition({ kind: 'list' }),
      `${what} has a member "kind"; there are name, scope, category, label, description, schema, default, public, order.`,
    ],
    [
      definition({ schema: { type: 'array' } }),
      `${what} is not well defined: schema.type must match pattern "^(boolean|integer|number|string|object)$".`,
    ],
    [definition({ default: 'no' }), `${what} has a default that it does not allow: The value must be boolean.`],
    ...badSchemas.map(([schema, initial, reason]): [string, string] => [
      definition({ schema, default: initial }),
      reason,
    ]),
    ...['Shesha.Security', 'shesha.security'].map((name): [string, string] => [
      definition({ name }),
      `The setting "${name}" already exists, from the service.`,
    ]),
  ];
  for (const [source, reason] of refused) {
    it(`stop the start: ${reason}`, async () => {
      const path = defining(source);
      assert.equal(await failure([path]), `LATCHKEY_EXTENSIONS: ${path} fails to initialize: ${reason} (line 9)`);
    });
  }

  it('stop the start: a name twice, also in two extensions', async () => {
    const [first, twice] = [defining(definition()), defining(definition(), definition())];
    assert.match(
      await failure([twice]),
      /The setting "Acme\.Strict" already exists, from .*extension\.mjs\. \(line 10\)$/,
    );
    const second = defining(definition({ label: 'Another' }));
    const message = await failure([first, second]);
    assert.ok(message.startsWith(`LATCHKEY_EXTENSIONS: ${second} fails to initialize: `), message);
    assert.ok(message.includes(`already exists, from ${first}.`), message);
  });

  it('stay as they were defined', async () => {
    const path = writeInitializing(`
      const mine = ${definition()};
      context.defineSetting(mine);
      mine.default = true;
      mine.schema.type = 'string';`);
    const { additions } = await load([path]);
    assert.deepEqual([additions.settings[0]?.default, additions.settings[0]?.schema], [false, { type: 'boolean' }]);
  });
});
