// Node-RED, which signs people in with the service. It reads this file as a module of CommonJS.
const Strategy = require('passport-openidconnect');

const { CLIENT_ID, CLIENT_SECRET, FOLDER, ISSUER, ORIGIN, PORT } = process.env;
const afterSignOut = new URLSearchParams({ client_id: CLIENT_ID, post_logout_redirect_uri: `${ORIGIN}/` });

/** Who has signed in, by user name. */
const people = new Map();

module.exports = {
  uiHost: '127.0.0.1',
  uiPort: Number(PORT),
  userDir: FOLDER,
  credentialSecret: false,
  telemetry: { enabled: false },
  editorTheme: { tours: false, logout: { redirect: `${ISSUER}/oauth/end-session?${afterSignOut}` } },
  adminAuth: {
    type: 'strategy',
    strategy: {
      name: 'openidconnect',
      label: 'Sign in with Latchkey',
      strategy: Strategy,
      options: {
        issuer: ISSUER,
        authorizationURL: `${ISSUER}/oauth/authorize`,
        tokenURL: `${ISSUER}/oauth/token`,
        userInfoURL: `${ISSUER}/oauth/userinfo`,
        clientID: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        callbackURL: `${ORIGIN}/auth/strategy/callback`,
        scope: 'profile roles',
        // It has no PKCE.
        nonce: true,
        /** With nine parameters it gets the answer of userinfo. The role `editor` may change flows, all others may read. */
        verify(
          _issuer,
          { username, _json: { roles } },
          _ofIdToken,
          _context,
          _idToken,
          _access,
          _refresh,
          _answer,
          done,
        ) {
          people.set(username, { username, permissions: roles.includes('editor') ? '*' : 'read' });
          done(null, username);
        },
      },
    },
    users: async (username) => people.get(username) ?? null,
  },
};
