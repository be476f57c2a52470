// sessions.js
import { createNextSessions } from 'latchkey-sdk/next';

export const { proxy, auth, signIn, signOut, handlers } = createNextSessions({
  baseUrl: process.env.LATCHKEY_URL,
  secret: process.env.SESSION_SECRET,
  application: {
    clientId: process.env.LATCHKEY_CLIENT_ID,
    clientSecret: process.env.LATCHKEY_CLIENT_SECRET,
    redirectUri: 'http://localhost:3000/auth/callback',
    postLogoutRedirectUri: 'http://localhost:3000/',
  },
});
