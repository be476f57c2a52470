// server.mjs: an application of Express that people sign in to with Latchkey.
import express from 'express';
import { createSessions, expressSend, expressSessions, toSessionRequest } from 'latchkey-sdk/session/express';

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

const app = express();

app.get('/sign-in', async (request, response) => {
  expressSend(response, await sessions.signIn(toSessionRequest(request), { returnTo: '/orders' }));
});
app.get('/auth/callback', async (request, response) => {
  expressSend(response, await sessions.callback(toSessionRequest(request)));
});
app.post('/sign-out', async (request, response) => {
  // If the service cannot be reached, the cookie goes all the same.
  const signedOut = sessions.signOut(toSessionRequest(request));
  expressSend(response, await signedOut.catch((error) => error.parts ?? Promise.reject(error)));
});

app.get('/', (_request, response) => {
  response.send('<a href="/sign-in">Sign in</a>');
});
app.get('/orders', expressSessions(sessions), (request, response) => {
  if (!request.signedIn) return response.redirect('/sign-in');
  const name = request.signedIn.user.userName.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  response.send(`<h1>The orders of ${name}</h1>
    <form method="post" action="/sign-out"><button>Sign out</button></form>
    <a href="${service}/app/account">My sessions</a>`);
});

app.listen(3000);
