// A server with Express and Passport's strategy for OpenID Connect.
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import Strategy from 'passport-openidconnect';
import { CLIENT_ID, CLIENT_SECRET, discover, ISSUER, PORT, whoIs } from './answers.mjs';

const endpoints = await discover();
const app = express();
app.use(session({ secret: 'a secret of the program', resave: false, saveUninitialized: false }));
app.use(passport.session());
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));
passport.use(
  new Strategy(
    {
      issuer: ISSUER,
      authorizationURL: endpoints.authorization_endpoint,
      tokenURL: endpoints.token_endpoint,
      userInfoURL: endpoints.userinfo_endpoint,
      clientID: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      callbackURL: '/callback',
      scope: 'profile email roles',
      skipUserProfile: false,
      // It has no PKCE.
      nonce: true,
    },
    // With nine parameters it gets the answer of userinfo as it is.
    (_issuer, { _json: userinfo }, _profile, _context, _idToken, _accessToken, _refreshToken, _params, done) =>
      done(null, whoIs(userinfo)),
  ),
);
app.get('/login', passport.authenticate('openidconnect'));
app.get('/callback', passport.authenticate('openidconnect', { failureMessage: true }), (_request, response) =>
  response.redirect('/'),
);
app.get('/', (request, response) => response.json(request.user ?? null));
app.listen(Number(PORT), 'localhost');
