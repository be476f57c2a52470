// What an application asks for: each parameter, what it means, and why it is refused.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Application } from '../applications/index.ts';
import { toInstant } from '../foundation/clock.ts';
import { OAuthError, readParameters } from '../oauth/index.ts';
import { findAudience, findScopes, mayHaveAudience, readLocales, readRequest, readReturnAddress } from './request.ts';

const REDIRECT_URI = 'https://shop.example.com/callback';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const ORDERS = 'https://orders.example.com';
const LONGEST = `https://${'a'.repeat(1992)}`;

const shop: Application = {
  id: 'shop-id',
  clientId: 'shop',
  name: 'Shop',
  kind: 'web',
  redirectUris: [REDIRECT_URI],
  postLogoutRedirectUris: [],
  authentication: 'secret',
  jwks: null,
  jwksUri: null,
  pkce: 'required',
  grants: ['authorization_code', 'refresh_token'],
  scopes: ['openid', 'email', 'roles', 'orders'],
  resources: [ORDERS, LONGEST, `${LONGEST}a`],
  allowedRoles: [],
  consent: 'none',
  frontEnd: 'default-app',
  idTokenAlgorithm: 'RS256',
  claimsInIdToken: false,
  accessTokenLifetime: 600,
  backchannelLogoutUri: null,
  isEnabled: true,
  createdAt: toInstant(0),
};

type Given = Readonly<Record<string, string | undefined>>;

const least: Given = {
  response_type: 'code',
  scope: 'openid',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
};

const toParameters = (given: Given, resources: readonly string[] = []) => {
  const named = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return readParameters(new URLSearchParams([...named, ...resources.map((one) => ['resource', one])]));
};

function read(given: Given = {}, more: { application?: Partial<Application>; resources?: readonly string[] } = {}) {
  const parameters = toParameters({ ...least, ...given }, more.resources);
  const address = readReturnAddress(parameters, REDIRECT_URI);
  return readRequest({ ...shop, ...more.application }, parameters, address);
}

const refuses = (error: string, message: string, work: () => unknown) =>
  assert.throws(work, (refusal: unknown) => {
    assert.ok(refusal instanceof OAuthError);
    assert.deepEqual([refusal.code, refusal.description], [error, message]);
    return true;
  });

const invalid = (message: string, given: Given, application: Partial<Application> = {}) =>
  refuses('invalid_request', message, () => read(given, { application }));

describe('an authorization request', () => {
  it('that says the least has these meanings', () => {
    assert.deepEqual(read(), {
      redirectUri: REDIRECT_URI,
      mode: 'query',
      state: null,
      uiLocales: [],
      scopes: ['openid'],
      audience: 'shop',
      nonce: null,
      codeChallenge: CHALLENGE,
      prompts: [],
      maxAge: null,
      level: 'aal1',
      loginHint: null,
    });
  });

  it('that says all has those that it says', () => {
    const all = {
      response_mode: 'form_post',
      state: 'x',
      nonce: 'n',
      scope: 'orders openid unknown',
      prompt: 'consent login',
      max_age: '123456789',
      acr_values: 'aal2',
      login_hint: 'ann',
      ui_locales: 'de-AT fr',
    };
    assert.deepEqual(read(all, { resources: [ORDERS] }), {
      redirectUri: REDIRECT_URI,
      mode: 'form_post',
      state: 'x',
      uiLocales: ['de-AT', 'fr'],
      scopes: ['openid', 'orders'],
      audience: ORDERS,
      nonce: 'n',
      codeChallenge: CHALLENGE,
      prompts: ['login', 'consent'],
      maxAge: 123_456_789,
      level: 'aal2',
      loginHint: 'ann',
    });
  });

  it('gets a code, and its parameters stand in it', () => {
    const without = 'Send the parameters themselves, or push them to /oauth/par.';
    refuses('request_not_supported', without, () => read({ request: 'eyJ' }));
    refuses('unsupported_response_type', 'The response_type is code.', () => read({ response_type: 'token' }));
    invalid('Send response_type.', { response_type: undefined });
    const application = { grants: ['refresh_token'] } as const;
    const message = 'The application may not use the authorization code.';
    refuses('unauthorized_client', message, () => read({}, { application }));
  });

  it('is answered in the query or by a form; an unknown mode is refused in the query', () => {
    assert.equal(read({ response_mode: 'query' }).mode, 'query');
    invalid('The response_mode is query or form_post.', { response_mode: 'fragment' });
    assert.equal(readReturnAddress(toParameters({ response_mode: 'fragment' }), REDIRECT_URI).mode, 'query');
  });

  it('has a challenge, or a nonce where that is enough', () => {
    const none = { code_challenge: undefined, code_challenge_method: undefined };
    invalid('Send a code_challenge (PKCE).', { ...none, nonce: 'n' });
    const either = 'Send a code_challenge (PKCE), or a nonce with the scope openid.';
    invalid(either, none, { pkce: 'orNonce' });
    invalid(either, { ...none, nonce: 'n', scope: 'email' }, { pkce: 'orNonce' });
    const withoutOpenId = { pkce: 'orNonce', scopes: ['email'] } as const;
    invalid(either, { ...none, nonce: 'n', scope: 'openid email' }, withoutOpenId);
    const { nonce, codeChallenge } = read({ ...none, nonce: 'n' }, { application: { pkce: 'orNonce' } });
    assert.deepEqual([nonce, codeChallenge], ['n', null]);
    assert.equal(read({}, { application: { pkce: 'orNonce' } }).codeChallenge, CHALLENGE);
    assert.equal(read(none, { application: { pkce: 'optional' } }).codeChallenge, null);
    invalid('Send code_challenge with code_challenge_method.', { code_challenge: undefined });
    invalid('The code_challenge_method is S256.', { code_challenge_method: undefined });
    invalid('The code_challenge_method is S256.', { code_challenge_method: 'plain' });
    for (const challenge of [CHALLENGE.slice(1), `${CHALLENGE}a`, `${CHALLENGE.slice(1)}=`])
      invalid('The code_challenge is no S256 challenge.', { code_challenge: challenge });
  });

  it('has known prompts, and none alone', () => {
    assert.deepEqual(read({ prompt: 'none' }).prompts, ['none']);
    assert.deepEqual(read({ prompt: ' select_account  login login' }).prompts, ['login', 'select_account']);
    invalid('A prompt is one of none, login, consent, select_account.', { prompt: 'login create' });
    invalid('The prompt none stands alone.', { prompt: 'none login' });
  });

  it('has an age of whole seconds', () => {
    assert.equal(read({ max_age: '0' }).maxAge, 0);
    for (const max_age of ['-1', '1.5', 'x', '1234567890']) invalid('The max_age is a number of seconds.', { max_age });
  });

  it('asks for the first level that exists', () => {
    const levels = ['aal1 aal2', 'aal2 aal1', 'gold aal2', 'gold', ''].map((acr_values) => read({ acr_values }).level);
    assert.deepEqual(levels, ['aal1', 'aal2', 'aal2', 'aal1', 'aal1']);
  });

  it('has a hint of at most 256 characters', () => {
    assert.equal(read({ login_hint: `${'a'.repeat(256)}b` }).loginHint, 'a'.repeat(256));
  });

  it('has at most ten languages, of those that are languages', () => {
    const locales = Array.from({ length: 11 }, (_, index) => `de-${index}`);
    assert.deepEqual(readLocales(['x', '1', 'de_AT', ...locales].join(' ')), locales.slice(0, 10));
    assert.deepEqual(readLocales(), []);
  });
});

describe('the scopes that an application gets', () => {
  it('are those that it asks and may have, in its order; groups are roles', () => {
    assert.deepEqual(findScopes(shop, 'orders groups  email unknown'), ['email', 'roles', 'orders']);
  });

  it('are refused when there is none', () => {
    const message = 'The application asks for no scope that it may have.';
    for (const asked of [undefined, '', 'unknown'])
      refuses('invalid_scope', `${message} It may ask: openid email roles orders.`, () => findScopes(shop, asked));
    const one = { ...shop, scopes: ['openid'] };
    refuses('invalid_scope', `${message} It may ask: openid.`, () => findScopes(one, 'email'));
    const none = { ...shop, scopes: [] };
    refuses('invalid_scope', `${message} It may ask for none.`, () => findScopes(none, 'undefined'));
    const literal = { ...shop, scopes: ['undefined'] };
    refuses('invalid_scope', `${message} It may ask: undefined.`, () => findScopes(literal, undefined));
  });
});

describe('the audience of access tokens', () => {
  it('is the application, or the one resource that it asks and may have', () => {
    assert.equal(findAudience(shop, []), 'shop');
    assert.equal(findAudience(shop, [ORDERS, ORDERS]), ORDERS);
    assert.equal(findAudience(shop, [LONGEST]), LONGEST);
    refuses('invalid_target', 'Ask for one resource at a time.', () => findAudience(shop, [ORDERS, LONGEST]));
    for (const resource of ['https://evil.example.com', `${LONGEST}a`])
      refuses('invalid_target', 'The application may not ask for this resource.', () => findAudience(shop, [resource]));
  });

  it('may be that later on while the application has the resource', () => {
    const audiences = ['shop', ORDERS, 'https://evil.example.com'];
    assert.deepEqual(
      audiences.map((audience) => mayHaveAudience(shop, audience)),
      [true, true, false],
    );
  });
});
