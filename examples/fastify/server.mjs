// server.mjs: an application of Fastify that people sign in to with Latchkey.
import Fastify from 'fastify';
import { createSessions, fastifySend, fastifySessions, toSessionRequest } from 'latchkey-sdk/session/fastify';

const service = process.env.LATCHKEY_URL;
const sessions = createSessions({
  baseUrl: service,
  secret: process.env.SESSION_SECRET,
  application: {
    clientId: process.env.LATCHKEY_CLIENT_ID,
    clientSecret: process.env.LATCHKEY_CLIENT_SECRET,
    redirectUri: 'http://localhost:3000/auth/callback',
    postLogoutRedirectUri: 'http://localhost:3000/',
  },
});

const app = Fastify();
app.decorateRequest('signedIn');
app.addContentTypeParser('application/x-www-form-urlencoded', (_request, body, done) => {
  body.resume().on('end', () => done(null));
});

app.get('/sign-in', async (request, reply) => {
  return fastifySend(reply, await sessions.signIn(toSessionRequest(request), { returnTo: '/orders' }));
});
app.get('/auth/callback', async (request, reply) => {
  return fastifySend(reply, await sessions.callback(toSessionRequest(request)));
});
app.post('/sign-out', async (request, reply) => {
  // If the service cannot be reached, the cookie goes all the same.
  const signedOut = sessions.signOut(toSessionRequest(request));
  return fastifySend(reply, await signedOut.catch((error) => error.parts ?? Promise.reject(error)));
});

app.get('/', async (_request, reply) => reply.type('text/html').send('<a href="/sign-in">Sign in</a>'));
app.get('/orders', { onRequest: fastifySessions(sessions) }, async (request, reply) => {
  if (!request.signedIn) return reply.redirect('/sign-in');
  const name = request.signedIn.user.userName.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return reply.type('text/html').send(`<h1>The orders of ${name}</h1>
    <form method="post" action="/sign-out"><button>Sign out</button></form>
    <a href="${service}/app/account">My sessions</a>`);
});

await app.listen({ port: 3000 });
