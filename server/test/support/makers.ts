// The makers of providers as their documentation describes them: addresses, metadata, and what each wants of a client.
import { generateKeyPairSync } from 'node:crypto';

export const TENANT = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490';
export const CLIENT_ID = 'client-of-latchkey';
export const CLIENT_SECRET = 'canary: secret & of % latchkey';
/** Of Google, Microsoft and GitLab. */
export const PLAIN_SECRET = "gloas-canary_of.latchkey~8Q!*'()";
export const APPLE = (() => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    teamId: 'A1B2C3D4E5',
    keyId: 'F6G7H8I9J0',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
})();

/** How an OpenID provider differs from one without peculiarities. */
export type Peculiarities = {
  authorization: string;
  token: string;
  keys: string;
  userinfo?: string;
  /** Publishes no metadata at the usual place. */
  isSilent?: boolean;
  metadata?: Record<string, unknown>;
  /**
   * How the client must authenticate. `plain basic`: secrets have {@link PLAIN_SECRET}'s characters only, and the provider does not
   * decode what a client encodes (GitLab's Doorkeeper; RFC 6749, 2.3.1 would have it decoded).
   */
  authentication: 'basic' | 'plain basic' | 'post' | 'apple';
  /** Absent: it checks the verifier of a request with a challenge. */
  pkce?: 'refused' | 'ignored';
  repeatsNonce?: boolean;
  /** False: its token answers lack `token_type`. */
  namesTokenType?: false;
  mode?: 'query' | 'form_post';
  /** The scopes that it knows. */
  scopes: readonly string[];
};

/** The OpenID providers, by the address of their issuer. */
export const openIds: Readonly<Record<string, Peculiarities>> = {
  'https://accounts.google.com': {
    authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    keys: 'https://www.googleapis.com/oauth2/v3/certs',
    userinfo: 'https://openidconnect.googleapis.com/v1/userinfo',
    metadata: {
      code_challenge_methods_supported: ['plain', 'S256'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    },
    authentication: 'plain basic',
    scopes: ['openid', 'profile', 'email'],
  },
  [`https://login.microsoftonline.com/${TENANT}/v2.0`]: {
    authorization: `https://login.microsoftonline.com/${TENANT}/oauth2/v2.0/authorize`,
    token: `https://login.microsoftonline.com/${TENANT}/oauth2/v2.0/token`,
    keys: `https://login.microsoftonline.com/${TENANT}/discovery/v2.0/keys`,
    userinfo: 'https://graph.microsoft.com/oidc/userinfo',
    metadata: {
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    },
    authentication: 'plain basic',
    scopes: ['openid', 'profile', 'email'],
  },
  'https://appleid.apple.com': {
    authorization: 'https://appleid.apple.com/auth/authorize',
    token: 'https://appleid.apple.com/auth/token',
    keys: 'https://appleid.apple.com/auth/keys',
    isSilent: true,
    authentication: 'apple',
    pkce: 'ignored',
    mode: 'form_post',
    scopes: ['name', 'email'],
  },
  'https://gitlab.com': {
    authorization: 'https://gitlab.com/oauth/authorize',
    token: 'https://gitlab.com/oauth/token',
    keys: 'https://gitlab.com/oauth/discovery/keys',
    userinfo: 'https://gitlab.com/oauth/userinfo',
    metadata: { code_challenge_methods_supported: ['plain', 'S256'] },
    authentication: 'plain basic',
    scopes: ['openid', 'profile', 'email'],
  },
  'https://www.linkedin.com/oauth': {
    authorization: 'https://www.linkedin.com/oauth/v2/authorization',
    token: 'https://www.linkedin.com/oauth/v2/accessToken',
    keys: 'https://www.linkedin.com/oauth/openid/jwks',
    userinfo: 'https://api.linkedin.com/v2/userinfo',
    authentication: 'post',
    metadata: { token_endpoint_auth_methods_supported: ['client_secret_post'] },
    pkce: 'refused',
    repeatsNonce: false,
    namesTokenType: false,
    scopes: ['openid', 'profile', 'email'],
  },
  'https://sso.acme.example/realms/staff': {
    authorization: 'https://sso.acme.example/realms/staff/auth',
    token: 'https://sso.acme.example/realms/staff/token',
    keys: 'https://sso.acme.example/realms/staff/certs',
    userinfo: 'https://sso.acme.example/realms/staff/userinfo',
    metadata: { code_challenge_methods_supported: ['S256'], authorization_response_iss_parameter_supported: true },
    authentication: 'basic',
    scopes: ['openid', 'profile', 'email'],
  },
};

/** The providers of OAuth 2, by name. */
export const oauths = {
  github: {
    authorization: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    userinfo: 'https://api.github.com/user',
    emails: 'https://api.github.com/user/emails',
    iss: 'https://github.com/login/oauth',
    scopes: ['read:user', 'user:email'],
    /** Errors come with the status 200. */
    refusal: {
      status: 200,
      body: { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' },
    },
  },
  facebook: {
    authorization: 'https://www.facebook.com/dialog/oauth',
    token: 'https://graph.facebook.com/oauth/access_token',
    userinfo: 'https://graph.facebook.com/me',
    emails: null,
    iss: null,
    scopes: ['email', 'public_profile'],
    refusal: {
      status: 400,
      body: { error: { message: 'This authorization code has been used.', type: 'OAuthException', code: 100 } },
    },
  },
  acme: {
    authorization: 'https://oauth.acme.example/authorize',
    token: 'https://oauth.acme.example/token',
    userinfo: 'https://oauth.acme.example/me',
    emails: null,
    iss: null,
    scopes: [],
    refusal: { status: 400, body: { error: 'invalid_grant' } },
  },
} as const;

export const ACME_ENDPOINTS = {
  authorization: oauths.acme.authorization,
  token: oauths.acme.token,
  userinfo: oauths.acme.userinfo,
};

/** Which scope a claim, or a member of userinfo, needs. Others are always there. */
const SCOPE_OF: Readonly<Record<string, string>> = {
  ...{ name: 'profile', given_name: 'profile', family_name: 'profile' },
  ...{ email: 'email', email_verified: 'email' },
  // Of Microsoft.
  ...{ oid: 'profile', tid: 'profile', upn: 'profile' },
};

/** Returns the members that these scopes give. */
export const withinScopes = (members: object, scopes: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(members).filter(([name]) => SCOPE_OF[name] === undefined || scopes.includes(SCOPE_OF[name])),
  );

/** The pages on which people sign in. */
export const signInPages: ReadonlySet<string> = new Set(
  [...Object.values(openIds), ...Object.values(oauths)].map(({ authorization }) => authorization),
);
