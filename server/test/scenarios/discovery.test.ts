// Discovery: both documents name all that an application needs to sign people in, before one is registered.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ISSUER, startTestService, type TestService } from '../support/service.ts';

describe('discovery', () => {
  let test: TestService;
  before(async () => {
    test = await startTestService('sqlite');
  });
  after(() => test.close());

  const read = async (name: string) => JSON.parse((await test.get(`/.well-known/${name}`)).text);

  it('names each endpoint, and what the service supports', async () => {
    const document = await read('openid-configuration');
    const expected = {
      issuer: ISSUER,
      jwks_uri: `${ISSUER}/.well-known/jwks.json`,
      authorization_endpoint: `${ISSUER}/oauth/authorize`,
      token_endpoint: `${ISSUER}/oauth/token`,
      userinfo_endpoint: `${ISSUER}/oauth/userinfo`,
      end_session_endpoint: `${ISSUER}/oauth/end-session`,
      pushed_authorization_request_endpoint: `${ISSUER}/oauth/par`,
      device_authorization_endpoint: `${ISSUER}/oauth/device-authorization`,
      introspection_endpoint: `${ISSUER}/oauth/introspect`,
      revocation_endpoint: `${ISSUER}/oauth/revoke`,
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'form_post'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
        'client_credentials',
      ],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['openid', 'profile', 'email', 'phone', 'roles', 'offline_access'],
      acr_values_supported: ['aal1', 'aal2'],
      ui_locales_supported: ['en', 'de', 'fr'],
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      request_uri_parameter_supported: false,
      authorization_response_iss_parameter_supported: true,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    };
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, document[name]])), expected);
    for (const claim of ['sub', 'email_verified', 'roles', 'groups', 'sid', 'updated_at'])
      assert.ok(document.claims_supported.includes(claim), claim);
    for (const endpoint of ['token', 'introspection', 'revocation'])
      assert.ok(document[`${endpoint}_endpoint_auth_signing_alg_values_supported`].includes('RS256'), endpoint);
    assert.deepEqual(document.introspection_endpoint_auth_methods_supported.slice(0, 2), [
      'client_secret_basic',
      'Bearer',
    ]);
    assert.equal(document.revocation_endpoint_auth_methods_supported[0], 'none');
  });

  it('names endpoints that say which methods they have', async () => {
    const document = await read('openid-configuration');
    const methodsOf = {
      'GET, POST': ['authorization', 'userinfo', 'end_session'],
      POST: ['token', 'pushed_authorization_request', 'device_authorization', 'introspection', 'revocation'],
    };
    for (const [allow, names] of Object.entries(methodsOf))
      for (const name of names)
        for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'] as const) {
          if (allow.includes(method)) continue;
          const { pathname } = new URL(document[`${name}_endpoint`]);
          const isBare = method === 'GET' || method === 'HEAD';
          const answer = await test.app.inject({ method, url: pathname, ...(!isBare && { payload: {} }) });
          assert.deepEqual([answer.statusCode, answer.headers.allow], [405, allow], `${method} ${pathname}`);
          if (method !== 'HEAD') assert.equal(answer.json().error, 'invalid_request');
        }
  });

  it('is there to be read, like the health of the service', async () => {
    const names = ['openid-configuration', 'oauth-authorization-server', 'jwks.json', 'change-password'];
    const paths = [...names.map((name) => `/.well-known/${name}`), '/health/live', '/health/ready'];
    for (const url of paths)
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        const { statusCode, headers } = await test.app.inject({ method, url });
        assert.deepEqual([statusCode, headers.allow], [405, 'GET'], `${method} ${url}`);
      }
    for (const url of ['/.well-known/nothing', '/health/LIVE']) {
      for (const method of ['GET', 'POST'] as const) {
        assert.equal((await test.app.inject({ method, url })).statusCode, 404, `${method} ${url}`);
      }
    }
  });

  it('is the same in the document of OAuth', async () => {
    assert.deepEqual(await read('oauth-authorization-server'), await read('openid-configuration'));
  });
});
