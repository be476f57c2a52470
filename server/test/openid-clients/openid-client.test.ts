// openid-client 6: each flow that applications use, and each of the calls that go with them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createRemoteJWKSet, exportJWK, generateKeyPair, jwtVerify } from 'jose';
import * as openid from 'openid-client';
import type { PublicJwk } from '../../src/applications/application.ts';
import { createClient, REDIRECT_URI } from '../support/oauth.ts';
import { openPerson, type Person, type Provider, startProvider } from '../support/real-clients.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const SIGNED_OUT = 'https://app.example.com/signed-out';
const SCOPE = 'openid profile email roles';

function claimsOf(tokens: openid.TokenEndpointResponseHelpers): openid.IDToken {
  const claims = tokens.claims();
  assert.ok(claims, 'There is no ID token.');
  return claims;
}

describe('openid-client 6', () => {
  let provider: Provider;
  let receiver: WebhookReceiver;
  before(async () => {
    receiver = await startWebhookReceiver();
    provider = await startProvider();
  });
  after(async () => {
    await provider.close();
    await receiver.stop();
  });

  async function configure(
    input: Parameters<typeof createClient>[1],
    authenticate = (secret: string | null) => (secret === null ? openid.None() : openid.ClientSecretBasic(secret)),
  ) {
    const { clientId, secret, id } = await createClient(provider.test, input);
    const execute = [openid.allowInsecureRequests, openid.enableNonRepudiationChecks];
    const issuer = new URL(provider.url);
    return { id, config: await openid.discovery(issuer, clientId, undefined, authenticate(secret), { execute }) };
  }

  /** Signs a person in. @returns what openid-client accepted as the answer. */
  async function signIn(
    config: openid.Configuration,
    person: Person = openPerson(provider),
    more: Record<string, string> = {},
    isPushed = false,
  ) {
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
    const parameters = {
      redirect_uri: REDIRECT_URI,
      scope: SCOPE,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
      ...more,
    };
    const build = isPushed ? openid.buildAuthorizationUrlWithPAR : openid.buildAuthorizationUrl;
    const { url, form } = await person.open(await build(config, parameters), { until: REDIRECT_URI });
    const answer = form === null ? url : new Request(url, { method: 'POST', body: new URLSearchParams(form) });
    return openid.authorizationCodeGrant(config, answer, { pkceCodeVerifier, expectedState, expectedNonce });
  }

  it('signs in with PKCE and nonce, refreshes, and reads userinfo', async () => {
    const { config } = await configure({});
    const tokens = await signIn(config);
    const { sub, email, name, groups, acr } = claimsOf(tokens);
    assert.deepEqual([sub, email, name, groups, acr], [provider.sub, 'ann@example.com', 'Ann Lee', ['editor'], 'aal1']);
    const info = await openid.fetchUserInfo(config, tokens.access_token, sub);
    assert.deepEqual([info.email_verified, info.preferred_username], [true, 'ann']);
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    assert.equal(claimsOf(next).sub, sub);
    assert.notEqual(next.refresh_token, tokens.refresh_token);
    await openid.fetchUserInfo(config, next.access_token, sub);
  });

  it('introspects and revokes', async () => {
    const { config } = await configure({}, (secret) => openid.ClientSecretPost(secret ?? ''));
    const tokens = await signIn(config);
    const { sub, scope, token_type } = await openid.tokenIntrospection(config, tokens.access_token);
    assert.deepEqual([sub, scope, token_type], [provider.sub, SCOPE, 'Bearer']);
    await openid.tokenRevocation(config, tokens.refresh_token ?? '');
    assert.equal((await openid.tokenIntrospection(config, tokens.access_token)).active, false);
    await assert.rejects(openid.refreshTokenGrant(config, tokens.refresh_token ?? ''), { error: 'invalid_grant' });
    await assert.rejects(openid.fetchUserInfo(config, tokens.access_token, provider.sub), { status: 401 });
  });

  it('pushes its request, and authenticates with a key', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const jwk = (await exportJWK(publicKey)) as PublicJwk;
    const { config } = await configure({ authentication: 'private_key_jwt', jwks: { keys: [jwk] } }, () =>
      openid.PrivateKeyJwt(privateKey),
    );
    const tokens = await signIn(config, openPerson(provider), {}, true);
    assert.equal(claimsOf(tokens).sub, provider.sub);
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    assert.equal(claimsOf(next).sub, provider.sub);
  });

  it('gets the answer as a posted form', async () => {
    const { config } = await configure({ idTokenAlgorithm: 'ES256' });
    const tokens = await signIn(config, openPerson(provider), { response_mode: 'form_post' });
    assert.equal(claimsOf(tokens).sub, provider.sub);
  });

  it('acts for itself', async () => {
    const { config } = await configure({ kind: 'machine', redirectUris: [], scopes: ['orders'] });
    const { scope, refresh_token } = await openid.clientCredentialsGrant(config, { scope: 'orders' });
    assert.deepEqual([scope, refresh_token], ['orders', undefined]);
  });

  it('signs in on a device: it waits for a person who allows it', async () => {
    const { config } = await configure({ kind: 'native', redirectUris: [] });
    const device = await openid.initiateDeviceAuthorization(config, { scope: SCOPE });
    await openPerson(provider).allowDevice(device.user_code);
    const tokens = await openid.pollDeviceAuthorizationGrant(config, { ...device, interval: 0 });
    assert.equal(claimsOf(tokens).sub, provider.sub);
  });

  it('signs out by the front channel, and learns of sign-outs by the back channel', async () => {
    const uris = { postLogoutRedirectUris: [SIGNED_OUT], backchannelLogoutUri: receiver.url };
    const { config, id } = await configure(uris);
    const person = openPerson(provider);
    const tokens = await signIn(config, person);
    const given = { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: SIGNED_OUT, state: 'bye' };
    const { url } = await person.open(openid.buildEndSessionUrl(config, given), { until: SIGNED_OUT });
    assert.equal(url.searchParams.get('state'), 'bye');
    await assert.rejects(openid.refreshTokenGrant(config, tokens.refresh_token ?? ''), { error: 'invalid_grant' });
    await provider.test.service.signOutDeliveries.deliverDue(id);
    const [received] = receiver.take();
    const logoutToken = new URLSearchParams(received?.body).get('logout_token') ?? '';
    const { jwks_uri = '', issuer } = config.serverMetadata();
    const options = { issuer, audience: config.clientMetadata().client_id, typ: 'logout+jwt' };
    const { payload } = await jwtVerify(logoutToken, createRemoteJWKSet(new URL(jwks_uri)), options);
    assert.equal(payload.sid, claimsOf(tokens).sid);
  });

  it('signs out without a question after it has revoked its tokens', async () => {
    const { config } = await configure({ postLogoutRedirectUris: [SIGNED_OUT] });
    const person = openPerson(provider);
    const { refresh_token = '', id_token = '' } = await signIn(config, person);
    await openid.tokenRevocation(config, refresh_token);
    const given = { id_token_hint: id_token, post_logout_redirect_uri: SIGNED_OUT };
    const { url } = await person.open(openid.buildEndSessionUrl(config, given), { until: SIGNED_OUT });
    assert.equal(url.href, SIGNED_OUT);
    assert.ok(![...person.jarOf(provider.url).keys()].includes('latchkey-session'));
  });
});
