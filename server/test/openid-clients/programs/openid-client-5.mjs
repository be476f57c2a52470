// A server with openid-client 5, which assumes RS256.
import { createServer } from 'node:http';
import { generators, Issuer } from 'openid-client-5';
import { CLIENT_ID, CLIENT_SECRET, ISSUER, ORIGIN, PORT, whoIs } from './answers.mjs';

const { Client } = await Issuer.discover(ISSUER);
const redirectUri = `${ORIGIN}/callback`;
const client = new Client({
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
  redirect_uris: [redirectUri],
  response_types: ['code'],
});
const [verifier, state, nonce] = [generators.codeVerifier(), generators.state(), generators.nonce()];
let tokens;

const answers = {
  '/login': () =>
    client.authorizationUrl({
      scope: 'openid profile email roles',
      code_challenge: generators.codeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    }),
  async '/callback'(request) {
    const checks = { code_verifier: verifier, state, nonce };
    tokens = await client.callback(redirectUri, client.callbackParams(request), checks);
    return '/';
  },
  '/': () => whoIs(tokens?.claims() ?? {}),
  async '/refresh'() {
    tokens = await client.refresh(tokens);
    return whoIs(await client.userinfo(tokens));
  },
  '/logout': () => client.endSessionUrl({ id_token_hint: tokens, post_logout_redirect_uri: `${ORIGIN}/signed-out` }),
  '/signed-out': () => ({ isSignedOut: true }),
};

createServer(async (request, response) => {
  const answer = answers[(request.url ?? '').split('?')[0]];
  try {
    const made = await answer?.(request);
    if (typeof made === 'string') response.writeHead(302, { location: made }).end();
    else response.end(JSON.stringify(made));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}).listen(Number(PORT), 'localhost');
