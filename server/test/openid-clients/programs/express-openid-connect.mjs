// A server with express-openid-connect, which also receives sign-outs by the back channel.
import express from 'express';
import oidc from 'express-openid-connect';
import session from 'express-session';
import { CLIENT_ID, CLIENT_SECRET, ISSUER, ORIGIN, PORT, whoIs } from './answers.mjs';

const app = express();
app.use(
  oidc.auth({
    authRequired: false,
    issuerBaseURL: ISSUER,
    baseURL: ORIGIN,
    clientID: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    secret: 'a secret of at least thirty-two characters',
    authorizationParams: { response_type: 'code', scope: 'openid profile email roles' },
    idpLogout: true,
    routes: { postLogoutRedirect: '/signed-out' },
    session: { store: new session.MemoryStore() },
    backchannelLogout: true,
  }),
);
app.get('/', (request, response) => response.json(request.oidc.isAuthenticated() ? whoIs(request.oidc.user) : null));
app.get('/refresh', async (request, response) => {
  await request.oidc.accessToken.refresh();
  response.json(whoIs(await request.oidc.fetchUserInfo()));
});
app.get('/signed-out', (_request, response) => response.json({ isSignedOut: true }));
app.listen(Number(PORT), 'localhost');
