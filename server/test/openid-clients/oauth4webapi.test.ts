// oauth4webapi: a public client that checks each answer by itself, as strictly as the standards allow.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as oauth from 'oauth4webapi';
import { createClient, REDIRECT_URI } from '../support/oauth.ts';
import { openPerson, type Provider, startProvider } from '../support/real-clients.ts';

const insecure = { [oauth.allowInsecureRequests]: true };
const API = 'https://orders.example.com';

describe('oauth4webapi', () => {
  let provider: Provider;
  let server: oauth.AuthorizationServer;
  before(async () => {
    provider = await startProvider();
    const issuer = new URL(provider.url);
    server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
  });
  after(() => provider.close());

  /** Signs a person in. @returns the client, and the answer of the token endpoint as a function, which may be called twice. */
  async function begin(input: Parameters<typeof createClient>[1], authenticate: oauth.ClientAuth) {
    const { clientId } = await createClient(provider.test, input);
    const client: oauth.Client = {
      client_id: clientId,
      id_token_signed_response_alg: input?.idTokenAlgorithm ?? 'RS256',
    };
    const verifier = oauth.generateRandomCodeVerifier();
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const request = {
      client_id: clientId,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'openid email',
      resource: API,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    };
    const pushed = await oauth.processPushedAuthorizationResponse(
      server,
      client,
      await oauth.pushedAuthorizationRequest(server, client, authenticate, request, insecure),
    );
    const address = new URL(server.authorization_endpoint ?? '');
    address.search = new URLSearchParams({ client_id: clientId, request_uri: pushed.request_uri }).toString();
    const { url } = await openPerson(provider).open(address, { until: REDIRECT_URI });
    const answer = oauth.validateAuthResponse(server, client, url, state);
    const redeem = async () => {
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authenticate,
        answer,
        REDIRECT_URI,
        verifier,
        insecure,
      );
      const options = { expectedNonce: nonce, requireIdToken: true };
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, options);
      await oauth.validateApplicationLevelSignature(server, response, insecure);
      return tokens;
    };
    return { client, redeem };
  }

  const browserKind = { kind: 'browser', redirectUris: [REDIRECT_URI], resources: [API] } as const;

  for (const idTokenAlgorithm of ['RS256', 'ES256'] as const) {
    it(`pushes a request, gets tokens and refreshes, with ID tokens in ${idTokenAlgorithm}`, async () => {
      const { client, redeem } = await begin({ ...browserKind, idTokenAlgorithm }, oauth.None());
      const tokens = await redeem();
      const claims = oauth.getValidatedIdTokenClaims(tokens);
      const sub = claims?.sub ?? '';
      assert.deepEqual([sub, claims?.email], [provider.sub, 'ann@example.com']);
      const token = tokens.refresh_token ?? '';
      const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, insecure);
      const next = await oauth.processRefreshTokenResponse(server, client, response);
      const info = await oauth.userInfoRequest(server, client, next.access_token, insecure);
      assert.equal((await oauth.processUserInfoResponse(server, client, sub, info)).email, 'ann@example.com');
    });
  }

  it('accepts the access token as one of RFC 9068 for the API that it is meant for, and for no other', async () => {
    const { client, redeem } = await begin(browserKind, oauth.None());
    const { access_token } = await redeem();
    const request = () => new Request(API, { headers: { authorization: `Bearer ${access_token}` } });
    const claims = await oauth.validateJwtAccessToken(server, request(), API, insecure);
    assert.deepEqual([claims.sub, claims.client_id, claims.scope], [provider.sub, client.client_id, 'openid email']);
    await assert.rejects(oauth.validateJwtAccessToken(server, request(), 'https://other.example.com', insecure));
  });

  it('reads the refusals: a code that was used, a token that has ended, a client that is unknown', async () => {
    const { client, redeem } = await begin(browserKind, oauth.None());
    const { access_token } = await redeem();
    await assert.rejects(redeem(), { error: 'invalid_grant', status: 400 });
    const info = await oauth.userInfoRequest(server, client, access_token, insecure);
    await assert.rejects(oauth.processUserInfoResponse(server, client, oauth.skipSubjectCheck, info), (error) => {
      assert.ok(error instanceof oauth.WWWAuthenticateChallengeError);
      const [challenge] = error.cause;
      assert.deepEqual(
        [error.status, challenge?.scheme, challenge?.parameters.error],
        [401, 'bearer', 'invalid_token'],
      );
      return true;
    });
    const unknown = { client_id: 'unknown' };
    const secret = oauth.ClientSecretBasic('wrong');
    const response = await oauth.clientCredentialsGrantRequest(server, unknown, secret, {}, insecure);
    await assert.rejects(oauth.processClientCredentialsResponse(server, unknown, response), (error) => {
      assert.ok(error instanceof oauth.WWWAuthenticateChallengeError);
      assert.deepEqual([error.status, error.cause[0]?.scheme], [401, 'basic']);
      return true;
    });
  });
});
