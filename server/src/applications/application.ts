// An application that people sign in to with this service: what it is, and which of its settings are allowed.
import { createPublicKey } from 'node:crypto';
import type { Instant } from '../foundation/clock.ts';
import { invalidMember } from '../foundation/errors.ts';
import { isProperHost } from '../foundation/host-name.ts';
import { isLoopbackHost } from '../foundation/secure-url.ts';
import { applicationErrors } from './declarations.ts';

/** `web` keeps a secret, `browser` and `native` cannot, `machine` acts for itself and for no person. */
export const APPLICATION_KINDS = ['web', 'browser', 'native', 'machine'] as const;
export type ApplicationKind = (typeof APPLICATION_KINDS)[number];

export const AUTHENTICATIONS = ['secret', 'private_key_jwt', 'none'] as const;
/** `orNonce`: the request has a code challenge, or a nonce for the ID token. Either stops injected codes (RFC 9700, 4.5.3). */
export const PKCE_RULES = ['orNonce', 'required', 'optional'] as const;
export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
export const GRANT_TYPES = ['authorization_code', 'refresh_token', DEVICE_CODE_GRANT, 'client_credentials'] as const;
export type GrantType = (typeof GRANT_TYPES)[number];
export const CONSENTS = ['none', 'ask'] as const;
export const ID_TOKEN_ALGORITHMS = ['RS256', 'ES256'] as const;

/** The scopes that mean something to this service. All others are names for the APIs of an application. */
export const STANDARD_SCOPES = ['openid', 'profile', 'email', 'phone', 'roles', 'offline_access'] as const;

/** Returns scopes as this service names them. Many programs ask for `groups`, whose claims come with the scope `roles`. */
export const spellScopes = (scopes: readonly string[]): string[] => [
  ...new Set(scopes.map((scope) => (scope === 'groups' ? 'roles' : scope))),
];

/** A public key of RSA or an elliptic curve (RFC 7517). */
export type PublicJwk = {
  readonly kty: 'RSA' | 'EC' | 'OKP';
  readonly kid?: string;
  readonly use?: string;
  readonly alg?: string;
  readonly n?: string;
  readonly e?: string;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
};

/** A registered application. Its client secret is not part of it. */
export type Application = {
  readonly id: string;
  readonly clientId: string;
  readonly name: string;
  readonly kind: ApplicationKind;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly authentication: (typeof AUTHENTICATIONS)[number];
  /** Public keys of `private_key_jwt`. One of `jwks` and `jwksUri` is null. */
  readonly jwks: { readonly keys: readonly PublicJwk[] } | null;
  readonly jwksUri: string | null;
  readonly pkce: (typeof PKCE_RULES)[number];
  readonly grants: readonly GrantType[];
  /** The scopes that it may ask. */
  readonly scopes: readonly string[];
  /** What it may ask as `resource` (RFC 8707). */
  readonly resources: readonly string[];
  /** The roles of which an account needs one. Empty: everybody may sign in. */
  readonly allowedRoles: readonly string[];
  readonly consent: (typeof CONSENTS)[number];
  /** The key of a front end. */
  readonly frontEnd: string;
  readonly idTokenAlgorithm: (typeof ID_TOKEN_ALGORITHMS)[number];
  /** Whether ID tokens have the claims of the granted scopes. */
  readonly claimsInIdToken: boolean;
  /** In seconds. */
  readonly accessTokenLifetime: number;
  readonly backchannelLogoutUri: string | null;
  readonly isEnabled: boolean;
  readonly createdAt: Instant;
};

/** What an administrator chooses when an application is changed. Absent members stay as they are. */
export type ApplicationChanges = {
  [Name in keyof Omit<Application, 'id' | 'createdAt'>]?: Application[Name] | undefined;
};

/** What an administrator chooses of a new application. Absent members have the defaults of its kind. */
export type ApplicationInput = ApplicationChanges & Pick<Application, 'name' | 'kind'>;

type ByKind = Pick<Application, 'authentication' | 'pkce' | 'grants' | 'scopes'>;

/** What each kind may have. The first of each list is the default, and of the grants all are. */
const kinds: Record<
  ApplicationKind,
  Pick<Application, 'grants'> & {
    readonly authentications: readonly [Application['authentication'], ...Application['authentication'][]];
    readonly pkce: readonly [Application['pkce'], ...Application['pkce'][]];
  }
> = {
  web: {
    authentications: ['secret', 'private_key_jwt'],
    pkce: PKCE_RULES,
    grants: ['authorization_code', 'refresh_token'],
  },
  browser: { authentications: ['none'], pkce: ['required'], grants: ['authorization_code', 'refresh_token'] },
  native: {
    authentications: ['none'],
    pkce: ['required'],
    grants: ['authorization_code', 'refresh_token', DEVICE_CODE_GRANT],
  },
  machine: { authentications: ['secret', 'private_key_jwt'], pkce: PKCE_RULES, grants: ['client_credentials'] },
};

/** Returns what an application of this kind has unless an administrator chooses otherwise. */
export const defaultsOf = (kind: ApplicationKind): ByKind => ({
  authentication: kinds[kind].authentications[0],
  pkce: kinds[kind].pkce[0],
  grants: kinds[kind].grants,
  scopes: kind === 'machine' ? [] : STANDARD_SCOPES,
});

/**
 * Returns the members that an application has when it becomes one of this kind: its own, and defaults for what the kind cannot have.
 * A machine's scopes are what it may do by itself. They never become what people are asked for, nor the reverse.
 */
export function fitToKind(application: Application, kind: ApplicationKind) {
  const { authentications, pkce } = kinds[kind];
  const defaults = defaultsOf(kind);
  const grants = application.grants.filter((grant) => defaults.grants.includes(grant));
  const becomesOther = (application.kind === 'machine') !== (kind === 'machine');
  const fits = (uri: string) => findRedirectFault(uri, kind) === undefined;
  return {
    authentication: authentications.find((one) => one === application.authentication) ?? defaults.authentication,
    pkce: pkce.find((one) => one === application.pkce) ?? defaults.pkce,
    grants: grants.length > 0 ? grants : defaults.grants,
    scopes: becomesOther ? defaults.scopes : application.scopes,
    redirectUris: application.redirectUris.filter(fits),
    postLogoutRedirectUris: application.postLogoutRedirectUris.filter(fits),
    backchannelLogoutUri: kind === 'machine' ? null : application.backchannelLogoutUri,
  };
}

/**
 * Whether people with these roles may sign in to the application.
 * @param isIn whether a role, in any spelling, is one of these.
 */
export const admits = (
  { allowedRoles }: Application,
  roleNames: readonly string[],
  isIn: (role: string, roles: readonly string[]) => boolean,
): boolean => allowedRoles.length === 0 || allowedRoles.some((role) => isIn(role, roleNames));

/** Whether the application authenticates with a client secret. */
export const usesSecret = ({ authentication }: Application): boolean => authentication === 'secret';

/** Whether the application authenticates with a key. */
export const usesKeys = ({ authentication }: Pick<Application, 'authentication'>): boolean =>
  authentication === 'private_key_jwt';

/** A machine that names no scope gets all in its token, which must fit into the header of a request. */
const MOST_SCOPE_CHARACTERS = 3000;

/**
 * Checks what can be checked of an application without a look at anything else.
 * @throws AuthError `request.invalid`, `application.redirectUriInvalid`.
 */
export function checkApplication(application: Application): void {
  const { kind, clientId, authentication, pkce, grants } = application;
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(clientId))
    throw invalidMember('clientId', 'A client id has 1 to 64 of these characters: A-Z a-z 0-9 . _ -');
  if (clientId === 'service')
    throw invalidMember('clientId', 'Service keys are sent under the name service. Choose another client id.');
  // It is the subject of the tokens of a machine, which must not be taken for that of an account (RFC 9700, 4.15.1).
  if (kind === 'machine' && /^\d+$/.test(clientId))
    throw invalidMember(
      'clientId',
      'The client id of a machine must not look like the id of an account. Add a letter.',
    );
  const allowed = kinds[kind];
  requireOneOf('authentication', authentication, allowed.authentications);
  requireOneOf('pkce', pkce, allowed.pkce);
  for (const grant of grants) requireOneOf('grants', grant, allowed.grants);
  checkKeys(application);
  for (const member of ['redirectUris', 'postLogoutRedirectUris'] as const) {
    for (const uri of application[member]) checkRedirectUri(uri, kind, member);
  }
  for (const scope of application.scopes) {
    if (!/^[!#-[\]-~]+$/.test(scope))
      throw invalidMember(
        'scopes',
        `"${scope}" cannot be a scope. Use ASCII characters without spaces, quotes and backslashes.`,
      );
  }
  if (application.scopes.join(' ').length > MOST_SCOPE_CHARACTERS)
    throw invalidMember(
      'scopes',
      `All scopes may have ${MOST_SCOPE_CHARACTERS} characters together, because they stand in tokens. Use fewer or shorter ones.`,
    );
  for (const resource of application.resources) {
    if (!/^[!$-[\]-~]+$/.test(resource))
      throw invalidMember(
        'resources',
        `"${resource}" cannot be a resource. Use ASCII characters without spaces, quotes, backslashes and #.`,
      );
  }
  if (kind === 'machine' && application.backchannelLogoutUri !== null)
    throw invalidMember('backchannelLogoutUri', 'Nobody signs in to a machine, so it has no address for sign-outs.');
}

function requireOneOf<Value extends string>(member: string, value: Value, allowed: readonly Value[]) {
  if (allowed.includes(value)) return;
  throw invalidMember(member, `This kind of application cannot have "${value}" here.`);
}

/** @throws AuthError `request.invalid` unless the application has keys exactly if it authenticates with one. */
function checkKeys(application: Application) {
  const { jwks, jwksUri } = application;
  const given = [jwks, jwksUri].filter((one) => one !== null).length;
  if (!usesKeys(application)) {
    if (given > 0) throw invalidMember('jwks', 'Only an application that authenticates with private_key_jwt has keys.');
    return;
  }
  if (given !== 1) throw invalidMember('jwks', 'Give the public keys as jwks, or their address as jwksUri.');
  for (const key of jwks?.keys ?? []) checkKey(key);
}

/** RSA keys of fewer bits are too weak (NIST SP 800-131A). */
const MIN_RSA_BITS = 2048;

const CURVES = ['P-256', 'P-384', 'P-521', 'Ed25519'];

function checkKey(key: PublicJwk) {
  if ('d' in key) throw invalidMember('jwks', 'A private key was sent. Replace it, and send only the public key.');
  if (key.kty !== 'RSA' && !CURVES.includes(key.crv ?? ''))
    throw invalidMember('jwks', 'A key has a curve that cannot be used. Use P-256, P-384, P-521 or Ed25519.');
  const bits = readKey(key).asymmetricKeyDetails?.modulusLength ?? MIN_RSA_BITS;
  if (bits < MIN_RSA_BITS) throw invalidMember('jwks', `An RSA key is too short. Use at least ${MIN_RSA_BITS} bits.`);
}

function readKey(key: PublicJwk) {
  try {
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    throw invalidMember('jwks', 'A key cannot be read. Send it as a JWK of RSA or an elliptic curve.');
  }
}

/** The characters of a URI without a fragment (RFC 3986, 2). */
const URI = /^[\w\-.~:/?[\]@!$&'()*+,;=%]+$/;

/** A scheme that a native application has for itself: a domain name backwards, so that it has a dot (RFC 8252, 7.1). */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

function checkRedirectUri(uri: string, kind: ApplicationKind, member: string) {
  const because = findRedirectFault(uri, kind);
  if (because === undefined) return;
  const details = `"${uri}" cannot be a redirect URI: ${because}`;
  throw applicationErrors.redirectUriInvalid({ details, validationErrors: [{ message: details, members: [member] }] });
}

function findRedirectFault(uri: string, kind: ApplicationKind): string | undefined {
  if (kind === 'machine') return 'nobody signs in to a machine.';
  if (!URI.test(uri) || !URL.canParse(uri)) return 'write a whole address of ASCII characters, without a fragment.';
  const url = new URL(uri);
  if (url.username || url.password) return 'it must have no user name and password.';
  if (url.protocol === 'https:' || url.protocol === 'http:') {
    if (!/^https?:\/\/[^/]/.test(uri) || !isProperHost(url.hostname)) return 'it has no proper host name.';
    if (url.protocol === 'https:' || isLoopbackHost(url.hostname)) return undefined;
    return 'it must begin with https://. Only a host on the same machine, such as localhost, may use http.';
  }
  if (kind !== 'native') return 'it must begin with https://.';
  if (PRIVATE_SCHEME.test(url.protocol)) return undefined;
  return 'its own scheme must have a dot, such as com.example.app:/callback.';
}

/** A redirect URI on a loopback host: before its port, its port, after it. */
const LOOPBACK_URI = /^(http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/;

const withoutPort = (uri: string) => LOOPBACK_URI.exec(uri)?.slice(1).join('');

/**
 * Whether the application registered this redirect URI. It is compared as an exact string (RFC 9700, 4.1.3). Only the port
 * of a native application on a loopback host is free (RFC 8252, 7.3).
 */
export const matchesRedirectUri = (application: Application, uri: string): boolean =>
  matches(application, application.redirectUris, uri);

/** The same for an address to which the browser goes after a sign-out. */
export const matchesPostLogoutRedirectUri = (application: Application, uri: string): boolean =>
  matches(application, application.postLogoutRedirectUris, uri);

function matches({ kind }: Application, registered: readonly string[], uri: string): boolean {
  if (registered.includes(uri)) return true;
  const portless = kind === 'native' ? withoutPort(uri) : undefined;
  return portless !== undefined && URL.canParse(uri) && registered.some((one) => withoutPort(one) === portless);
}

/** Returns the origins of the redirect URIs of enabled `browser` applications, each once. */
export function originsOf(applications: readonly Application[]): string[] {
  const inBrowsers = applications.filter(({ kind, isEnabled }) => kind === 'browser' && isEnabled);
  return [...new Set(inBrowsers.flatMap(({ redirectUris }) => redirectUris.map((uri) => new URL(uri).origin)))];
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Checks a client secret that the service did not make.
 * @throws AuthError `request.invalid`.
 */
export function checkClientSecret(secret: string): void {
  if (!/^[A-Za-z0-9._~-]{32,200}$/.test(secret))
    throw invalidMember('clientSecret', 'A client secret has 32 to 200 of these characters: A-Z a-z 0-9 . _ ~ -');
}

/** So many letters and digits have more than 256 bits. */
const SECRET_LENGTH = 43;

/** Returns a new client secret: letters and digits, because many clients forget to encode others for HTTP Basic. */
export const formatClientSecret = (below: (limit: number) => number): string =>
  Array.from({ length: SECRET_LENGTH }, () => ALPHABET[below(ALPHABET.length)]).join('');
