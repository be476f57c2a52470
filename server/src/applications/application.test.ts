// The rules of applications: redirect URIs, what each kind may have, keys, secrets.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { AuthError } from '../foundation/errors.ts';
import { systemRandom } from '../foundation/random.ts';
import {
  APPLICATION_KINDS,
  type Application,
  checkApplication,
  DEVICE_CODE_GRANT,
  defaultsOf,
  formatClientSecret,
  matchesRedirectUri,
  originsOf,
} from './application.ts';

const applicationOf = (kind: Application['kind'], more: Partial<Application> = {}): Application => ({
  id: 'id',
  clientId: 'app',
  name: 'App',
  kind,
  redirectUris: [],
  postLogoutRedirectUris: [],
  jwks: null,
  jwksUri: null,
  resources: [],
  allowedRoles: [],
  consent: 'none',
  frontEnd: 'default-app',
  idTokenAlgorithm: 'RS256',
  claimsInIdToken: true,
  accessTokenLifetime: 600,
  backchannelLogoutUri: null,
  isEnabled: true,
  createdAt: 0 as Application['createdAt'],
  ...defaultsOf(kind),
  ...more,
});

/** Returns the reason and the member of the refusal, or nothing. */
function refusalOf(kind: Application['kind'], more: Partial<Application>): string | undefined {
  try {
    checkApplication(applicationOf(kind, more));
    return undefined;
  } catch (error) {
    assert.ok(error instanceof AuthError);
    return `${error.reason} ${error.validationErrors?.[0]?.members[0]}`;
  }
}

describe('redirect URIs', () => {
  const https = [
    'https://app.example.com/callback',
    'https://app.example.com',
    'https://app/cb?of=us&n=1',
    'https://[2001:db8::1]:8443/',
  ];
  const loopback = ['http://localhost:3000/cb', 'http://127.0.0.1/cb', 'http://[::1]:5000/cb?x', 'http://127.9.8.7'];
  const ownScheme = ['com.example.app:/callback', 'app.immich:///oauth-callback', 'com.example.app:callback'];
  const never = [
    '',
    'callback',
    '/callback',
    'https://app.example.com/#',
    'https://app.example.com/#part',
    'https://*.example.com/',
    'https://app.example.com/a b',
    'https://app.example.com\\@evil.example',
    'https:app.example.com',
    'https:/app.example.com',
    'https:///app.example.com/',
    'https://user@app.example.com/',
    'https://user:password@app.example.com/',
    'https://bücher.example/',
    'https://app..example.com/',
    'http://app.example.com/',
    'http://localhost.evil.example/',
    'http://127.0.0.1.evil.example/',
    'http://0.0.0.0/',
    'ftp://app.example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'myapp:/callback',
    'urn:ietf:wg:oauth:2.0:oob',
    '.app:/callback',
    'app.:/callback',
    '//app.example.com/',
  ];

  it('are https, or http on a loopback host; those of native applications may have a scheme with a dot', () => {
    for (const member of ['redirectUris', 'postLogoutRedirectUris'] as const) {
      const refused = (kind: Application['kind'], uris: string[]) =>
        uris.filter((uri) => refusalOf(kind, { [member]: [uri] }) === `application.redirectUriInvalid ${member}`);
      for (const kind of ['web', 'browser', 'native'] as const) {
        assert.deepEqual(refused(kind, [...https, ...loopback]), [], kind);
        assert.deepEqual(refused(kind, never), never, kind);
        assert.deepEqual(refused(kind, ownScheme), kind === 'native' ? [] : ownScheme, kind);
      }
      assert.deepEqual(refused('machine', https), https);
    }
  });

  it('are compared as exact strings', () => {
    const uri = 'https://app.example.com/callback?of=us';
    const near = [
      `${uri}&x=1`,
      `${uri}#`,
      ` ${uri}`,
      'https://app.example.com/callback',
      'https://app.example.com/callback/?of=us',
      'https://APP.example.com/callback?of=us',
      'https://app.example.com:443/callback?of=us',
      'https://app.example.com/x/../callback?of=us',
      'https://app.example.com/callback%3Fof=us',
      'http://app.example.com/callback?of=us',
    ];
    for (const kind of ['web', 'browser', 'native'] as const) {
      const application = applicationOf(kind, { redirectUris: ['https://app.example.com/', uri] });
      assert.ok(matchesRedirectUri(application, uri));
      assert.deepEqual(
        near.filter((one) => matchesRedirectUri(application, one)),
        [],
      );
    }
  });

  it('of native applications on a loopback host match with any port', () => {
    const redirectUris = ['http://127.0.0.1/cb?of=us', 'http://[::1]:4000/cb', 'http://localhost'];
    const same = [
      'http://127.0.0.1:49152/cb?of=us',
      'http://127.0.0.1:80/cb?of=us',
      'http://[::1]/cb',
      'http://[::1]:1/cb',
      'http://localhost:65535',
    ];
    const other = [
      'http://127.0.0.1:49152/cb',
      'http://127.0.0.1:49152/cb?of=us#x',
      'http://127.0.0.1:49152/cb/?of=us',
      'http://127.0.0.2:49152/cb?of=us',
      'http://localhost:49152/cb?of=us',
      'https://127.0.0.1:49152/cb?of=us',
      'http://127.0.0.1:99999/cb?of=us',
      'http://127.0.0.1:1@evil.example/cb?of=us',
      'http://127.0.0.1:/cb?of=us',
      'http://localhost:1/',
      'http://localhost:1.evil.example',
      'http://localhost:1@evil.example',
      'http://localhost:1\n',
    ];
    const native = applicationOf('native', { redirectUris });
    assert.deepEqual(
      same.filter((uri) => !matchesRedirectUri(native, uri)),
      [],
    );
    assert.deepEqual(
      other.filter((uri) => matchesRedirectUri(native, uri)),
      [],
    );
    const web = applicationOf('web', { redirectUris });
    assert.deepEqual(
      same.filter((uri) => matchesRedirectUri(web, uri)),
      [],
    );
  });

  it('give the origins of enabled browser applications', () => {
    const redirectUris = ['https://app.example.com/a', 'https://app.example.com:443/b', 'http://localhost:5173/'];
    const all = [
      applicationOf('browser', { redirectUris }),
      applicationOf('browser', { redirectUris: ['https://off.example.com/'], isEnabled: false }),
      applicationOf('web', { redirectUris: ['https://web.example.com/'] }),
    ];
    assert.deepEqual(originsOf(all), ['https://app.example.com', 'http://localhost:5173']);
  });
});

describe('the kinds of applications', () => {
  it('allow their defaults', () => {
    for (const kind of APPLICATION_KINDS) assert.equal(refusalOf(kind, {}), undefined, kind);
    const browser = defaultsOf('browser');
    assert.deepEqual([browser.authentication, browser.pkce], ['none', 'required']);
    assert.deepEqual(browser.grants, ['authorization_code', 'refresh_token']);
    assert.equal(defaultsOf('web').pkce, 'orNonce');
    assert.deepEqual(defaultsOf('native').grants, ['authorization_code', 'refresh_token', DEVICE_CODE_GRANT]);
    assert.deepEqual(defaultsOf('machine').grants, ['client_credentials']);
  });

  it('refuse what would weaken them', () => {
    const wrong: [Application['kind'], Partial<Application>][] = [
      ['browser', { pkce: 'optional' }],
      ['native', { pkce: 'orNonce' }],
      ['browser', { authentication: 'secret' }],
      ['native', { authentication: 'private_key_jwt' }],
      ['web', { authentication: 'none' }],
      ['machine', { authentication: 'none' }],
      ['browser', { grants: ['client_credentials'] }],
      ['native', { grants: ['client_credentials'] }],
      ['browser', { grants: [DEVICE_CODE_GRANT] }],
      ['web', { grants: ['client_credentials'] }],
      ['machine', { grants: ['authorization_code'] }],
      ['machine', { backchannelLogoutUri: 'https://app.example.com/' }],
      ['machine', { clientId: '42' }],
      ['web', { clientId: '' }],
      ['web', { clientId: 'a'.repeat(65) }],
      ['web', { clientId: 'a:b' }],
      ['web', { scopes: ['openid', 'two words'] }],
      ['web', { scopes: ['a"b'] }],
      ['machine', { scopes: ['s'.repeat(1500), 's'.repeat(1500)] }],
      ['web', { resources: ['https://api.example.com/#part'] }],
      ['web', { resources: ['two words'] }],
    ];
    for (const [kind, more] of wrong) {
      assert.equal(refusalOf(kind, more), `request.invalid ${Object.keys(more)[0]}`, `${kind} ${JSON.stringify(more)}`);
    }
    assert.equal(refusalOf('machine', { scopes: ['s'.repeat(1500), 's'.repeat(1499)] }), undefined);
    assert.equal(refusalOf('web', { clientId: '42', scopes: ['a/b:c.read'], resources: ['api', 'urn:x'] }), undefined);
  });
});

describe('public keys of an application', () => {
  const make = (type: 'rsa' | 'ec' | 'ed25519', more: object = {}) =>
    // The overloads of `generateKeyPairSync` want each type by itself.
    (generateKeyPairSync as (type: string, options: object) => ReturnType<typeof generateKeyPairSync>)(type, more);
  const jwkOf = (key: { export(options: { format: 'jwk' }): object }) => key.export({ format: 'jwk' });
  const refuse = (key: object) =>
    refusalOf('web', { authentication: 'private_key_jwt', jwks: { keys: [key] } as Application['jwks'] });

  it('are strong, and public', () => {
    const strong = [make('rsa', { modulusLength: 2048 }), make('ec', { namedCurve: 'P-256' }), make('ed25519')];
    for (const { publicKey, privateKey } of strong) {
      assert.equal(refuse(jwkOf(publicKey as never)), undefined);
      assert.equal(refuse(jwkOf(privateKey as never)), 'request.invalid jwks');
    }
    const weak = [make('rsa', { modulusLength: 1024 }), make('ec', { namedCurve: 'secp256k1' })];
    for (const { publicKey } of weak) assert.equal(refuse(jwkOf(publicKey as never)), 'request.invalid jwks');
    for (const key of [{ kty: 'oct', k: 'c2VjcmV0' }, { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }, { kty: 'RSA' }])
      assert.equal(refuse(key), 'request.invalid jwks');
  });

  it('are there if the application authenticates with one, in one place', () => {
    const byKey = { authentication: 'private_key_jwt' } as const;
    const jwks = { keys: [jwkOf(make('ed25519').publicKey as never)] } as Application['jwks'];
    const jwksUri = 'https://app.example.com/jwks';
    assert.equal(refusalOf('machine', byKey), 'request.invalid jwks');
    assert.equal(refusalOf('machine', { ...byKey, jwks, jwksUri }), 'request.invalid jwks');
    assert.equal(refusalOf('machine', { jwks }), 'request.invalid jwks');
    assert.equal(refusalOf('machine', { ...byKey, jwks }), undefined);
    assert.equal(refusalOf('machine', { ...byKey, jwksUri }), undefined);
  });
});

it('a client secret has letters and digits, of at least 256 bits', () => {
  const made = Array.from({ length: 100 }, () => formatClientSecret(systemRandom.below));
  for (const secret of made) assert.match(secret, /^[A-Za-z0-9]{43,}$/);
  assert.equal(new Set(made).size, 100);
  assert.ok(43 * Math.log2(62) >= 256);
});
