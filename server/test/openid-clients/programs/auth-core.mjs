// A server with Auth.js: `@auth/core`, which is what its packages for frameworks use.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Auth, skipCSRFCheck } from '@auth/core';
import { CLIENT_ID, CLIENT_SECRET, ISSUER, ORIGIN, PORT, whoIs } from './answers.mjs';

const config = {
  basePath: '/auth',
  secret: 'a secret of at least thirty-two characters',
  trustHost: true,
  skipCSRFCheck,
  providers: [
    {
      id: 'latchkey',
      name: 'Latchkey',
      type: 'oidc',
      issuer: ISSUER,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      authorization: { params: { scope: 'openid profile email roles' } },
    },
  ],
  callbacks: {
    jwt: ({ token, profile }) => ({ ...token, ...(profile && { who: whoIs(profile) }) }),
    session: ({ session, token }) => ({ ...session, who: token.who }),
  },
};

createServer(async (request, response) => {
  const { method, url = '/', headers } = request;
  const body = method === 'POST' ? await text(request) : undefined;
  const ask = (path, init) =>
    Auth(new Request(`${ORIGIN}${path}`, { ...init, headers: { ...headers, ...init?.headers } }), config);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const post = (path, sent) => ask(path, { method: 'POST', body: sent, headers: form });
  const toHome = new URLSearchParams({ callbackUrl: `${ORIGIN}/` });
  if (url === '/login') return send(response, await post('/auth/signin/latchkey', toHome));
  if (url === '/') {
    const session = await (await ask('/auth/session')).json();
    return response.end(JSON.stringify(session?.who ?? null));
  }
  return send(response, await ask(url, { method, ...(body !== undefined && { body }) }));
}).listen(Number(PORT), 'localhost');

async function send(response, answer) {
  response.statusCode = answer.status;
  response.setHeaders(answer.headers);
  response.end(await answer.text());
}
