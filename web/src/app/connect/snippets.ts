// The lines that connect an application or a front end with the service, with its real addresses filled in.
import type { Application } from '../applications/application.ts';

/** Stands for a client secret, which the service shows once. */
const SECRET = 'CLIENT_SECRET';

/** Returns the text as JavaScript. */
const quote = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** Returns the text as a word of a shell. */
const quoteForShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns the environment of a confidential application. @param sessionSecret of its cookies. */
export const toVariables = ({ clientId }: Application, url: string, sessionSecret: string, clientSecret = SECRET) =>
  `LATCHKEY_URL=${url}
LATCHKEY_CLIENT_ID=${clientId}
LATCHKEY_CLIENT_SECRET=${clientSecret}
SESSION_SECRET=${sessionSecret}`;

/** Returns the code of an application that signs people in at its first redirect address, or of a machine that calls its first API. */
export function toCode(application: Application, url: string, clientSecret = SECRET): string {
  const { kind, clientId, redirectUris, postLogoutRedirectUris, scopes, resources } = application;
  const [redirectUri = ''] = redirectUris;
  const [signedOut] = postLogoutRedirectUris;
  const [resource] = resources;
  const target = resource === undefined ? '' : `\n  --data-urlencode ${quoteForShell(`resource=${resource}`)} \\`;
  if (kind === 'machine')
    return `curl --user ${clientId}:${clientSecret} \\
  --data grant_type=client_credentials \\${target}
  ${url}/oauth/token`;
  if (kind === 'web')
    return `// npm install latchkey-sdk
import { createSessions } from 'latchkey-sdk/session';

export const sessions = createSessions({
  baseUrl: process.env.LATCHKEY_URL,
  secret: process.env.SESSION_SECRET,
  application: {
    clientId: process.env.LATCHKEY_CLIENT_ID,
    clientSecret: process.env.LATCHKEY_CLIENT_SECRET,
    redirectUri: ${quote(redirectUri)},${signedOut === undefined ? '' : `\n    postLogoutRedirectUri: ${quote(signedOut)},`}
  },
});`;
  const scope = scopes.filter((one) => kind === 'native' || one !== 'offline_access');
  if (kind === 'native')
    return `// npm install react-native-app-auth. AppAuth for Android and iOS takes the same values.
import { authorize } from 'react-native-app-auth';

const tokens = await authorize({
  issuer: ${quote(url)},
  clientId: ${quote(clientId)},
  redirectUrl: ${quote(redirectUri)},
  scopes: [${scope.map(quote).join(', ')}],
});`;
  return `// npm install oidc-client-ts
import { UserManager, WebStorageStateStore } from 'oidc-client-ts';

export const users = new UserManager({
  authority: ${quote(url)},
  client_id: ${quote(clientId)},
  redirect_uri: ${quote(redirectUri)},${signedOut === undefined ? '' : `\n  post_logout_redirect_uri: ${quote(signedOut)},`}
  scope: ${quote(scope.join(' '))},
  userStore: new WebStorageStateStore({ store: sessionStorage }),
});

// Sign in:               await users.signinRedirect();
// At the redirect URI:   const user = await users.signinRedirectCallback();
// Sign out:              await users.signoutRedirect();`;
}

/** Returns the code of a front end with forms of its own. */
export const toFrontEndCode = (url: string, appKey: string): string =>
  `// npm install latchkey-sdk
import { createLatchkey } from 'latchkey-sdk';

export const latchkey = createLatchkey({
  baseUrl: ${quote(url)},
  frontEnd: ${quote(appKey)},
});

await latchkey.call('TokenAuth/Authenticate', { userNameOrEmailAddress, password });`;

/** Returns the variable that allows an origin besides those that are listed now. The first of these is the service's own. */
export const toOrigins = ([, ...origins]: readonly string[], origin: string): string =>
  `LATCHKEY_CORS_ORIGINS=${[...origins, origin].join(',')}`;

/** Returns the origin that was typed, as browsers send it. Undefined if it is none. */
export function readOrigin(typed: string): string | undefined {
  const text = typed.trim();
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol, host } = new URL(text);
  if (/^https?:$/.test(protocol)) return origin;
  return /^(capacitor|ionic):$/.test(protocol) && host !== '' ? `${protocol}//${host}` : undefined;
}
