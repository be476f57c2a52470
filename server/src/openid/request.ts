// Authorization requests: what an application asks for (RFC 6749, 4.1.1; OpenID Connect Core, 3.1.2.1).
import { type Application, spellScopes } from '../applications/index.ts';
import type { Parameters } from '../oauth/index.ts';
import { OAuthError } from '../oauth/index.ts';

const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;
type Prompt = (typeof PROMPTS)[number];

/** Where the answer goes, and how. */
export type ReturnAddress = {
  readonly redirectUri: string;
  readonly mode: 'query' | 'form_post';
  readonly state: string | null;
  /** The languages in which the person is asked, the preferred one first (BCP 47). */
  readonly uiLocales: readonly string[];
};

/** A checked authorization request. */
export type AuthorizationRequest = ReturnAddress & {
  readonly scopes: readonly string[];
  readonly audience: string;
  readonly nonce: string | null;
  readonly codeChallenge: string | null;
  readonly prompts: readonly Prompt[];
  /** In seconds. */
  readonly maxAge: number | null;
  readonly level: 'aal1' | 'aal2';
  readonly loginHint: string | null;
  /** The id of the account that the application means by an `id_token_hint`. Absent: any. */
  readonly subject?: string;
};

/** The parameters that are read. */
export const PARAMETERS: ReadonlySet<string> = new Set([
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'resource',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'acr_values',
  'login_hint',
  'ui_locales',
  'id_token_hint',
]);

/** What a person may be asked for. */
export type Demands = Pick<AuthorizationRequest, 'prompts' | 'maxAge' | 'level'>;

/** How long a request waits for its person, in seconds. The browser keeps its cookie for as long. */
// Mutation: `600` becomes `601`. It waits a second longer.
export const REQUEST_SECONDS = 600;

/** The longest question whether to sign out, in characters: it stands in an address. */
// Mutation: `8192` becomes `8193`. An address with one more character works too.
export const MAX_QUESTION = 8192;

const MAX_RESOURCE_LENGTH = 2000;
/** The most languages that a request names, and the form of each one (RFC 5646, 2.1). */
const MOST_LOCALES = 10;
const LOCALE = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/;

const CHALLENGE = /^[\w-]{43}$/;

/** Returns the scopes that an application gets of those that it asks. @throws OAuthError `invalid_scope` if there is none. */
export function findScopes(application: Application, asked: string | undefined): string[] {
  const scopes = new Set(spellScopes((asked ?? '').split(' ')));
  const granted = application.scopes.filter((scope) => scopes.has(scope));
  if (granted.length > 0) return granted;
  const hint =
    application.scopes.length === 0 ? 'It may ask for none.' : `It may ask: ${application.scopes.join(' ')}.`;
  throw new OAuthError('invalid_scope', `The application asks for no scope that it may have. ${hint}`);
}

/** Returns the audience of access tokens (RFC 8707). @throws OAuthError `invalid_target`. */
export function findAudience(application: Application, resources: readonly string[]): string {
  const [resource, ...more] = new Set(resources);
  if (resource === undefined) return application.clientId;
  if (more.length > 0) throw new OAuthError('invalid_target', 'Ask for one resource at a time.');
  if (resource.length <= MAX_RESOURCE_LENGTH && application.resources.includes(resource)) return resource;
  throw new OAuthError('invalid_target', 'The application may not ask for this resource.');
}

/** Whether the application may have access tokens of this audience now. */
export const mayHaveAudience = ({ clientId, resources }: Application, audience: string): boolean =>
  audience === clientId || resources.includes(audience);

/** Returns where an answer goes. For a mode that does not exist, an error goes in the query. */
export function readReturnAddress(parameters: Parameters, redirectUri: string): ReturnAddress {
  const mode = parameters.get('response_mode');
  const state = parameters.get('state') ?? null;
  const uiLocales = readLocales(parameters.get('ui_locales'));
  return { redirectUri, mode: mode === 'form_post' ? mode : 'query', state, uiLocales };
}

/** Checks what an application asks for, apart from its redirect URI. @throws OAuthError. */
export function readRequest(
  application: Application,
  parameters: Parameters,
  address: ReturnAddress,
): AuthorizationRequest {
  if (parameters.get('request') !== undefined) {
    throw new OAuthError('request_not_supported', 'Send the parameters themselves, or push them to /oauth/par.');
  }
  if (!['query', 'form_post'].includes(parameters.get('response_mode') ?? 'query')) {
    throw new OAuthError('invalid_request', 'The response_mode is query or form_post.');
  }
  if (parameters.require('response_type') !== 'code') {
    throw new OAuthError('unsupported_response_type', 'The response_type is code.');
  }
  if (!application.grants.includes('authorization_code')) {
    throw new OAuthError('unauthorized_client', 'The application may not use the authorization code.');
  }
  const scopes = findScopes(application, parameters.get('scope'));
  const nonce = parameters.get('nonce') ?? null;
  return {
    ...address,
    scopes,
    audience: findAudience(application, parameters.all('resource')),
    nonce,
    codeChallenge: readChallenge(application, parameters, scopes),
    prompts: readPrompts(parameters.get('prompt')),
    maxAge: readMaxAge(parameters.get('max_age')),
    level: readLevel(parameters.get('acr_values')),
    loginHint: parameters.get('login_hint')?.slice(0, 256) ?? null,
  };
}

function readChallenge({ pkce }: Application, parameters: Parameters, scopes: readonly string[]): string | null {
  const challenge = parameters.get('code_challenge');
  const method = parameters.get('code_challenge_method');
  if (challenge === undefined && method !== undefined) {
    throw new OAuthError('invalid_request', 'Send code_challenge with code_challenge_method.');
  }
  if (challenge !== undefined) {
    // Without a method it would be `plain` (RFC 7636, 4.3), which protects nothing.
    if (method !== 'S256') throw new OAuthError('invalid_request', 'The code_challenge_method is S256.');
    if (!CHALLENGE.test(challenge)) throw new OAuthError('invalid_request', 'The code_challenge is no S256 challenge.');
    return challenge;
  }
  if (pkce === 'required') throw new OAuthError('invalid_request', 'Send a code_challenge (PKCE).');
  // The client finds the nonce in the ID token, or not at all.
  const hasNonce = parameters.get('nonce') !== undefined && scopes.includes('openid');
  if (pkce === 'orNonce' && !hasNonce) {
    throw new OAuthError('invalid_request', 'Send a code_challenge (PKCE), or a nonce with the scope openid.');
  }
  return null;
}

function readPrompts(text = ''): Prompt[] {
  const prompts = text.split(' ').filter((word) => word !== '');
  const known = PROMPTS.filter((prompt) => prompts.includes(prompt));
  if (new Set(prompts).size > known.length) {
    throw new OAuthError('invalid_request', `A prompt is one of ${PROMPTS.join(', ')}.`);
  }
  if (known.includes('none') && known.length > 1) {
    throw new OAuthError('invalid_request', 'The prompt none stands alone.');
  }
  return known;
}

function readMaxAge(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new OAuthError('invalid_request', 'The max_age is a number of seconds.');
}

/** Levels are asked in the order of preference, and voluntarily: an unknown one is passed over (Core, 3.1.2.1). */
function readLevel(text = ''): 'aal1' | 'aal2' {
  return text.split(' ').find((level) => level === 'aal1' || level === 'aal2') === 'aal2' ? 'aal2' : 'aal1';
}

/** A language that this service does not know is no error (Core, 3.1.2.1), and neither is a text that names none. */
export const readLocales = (text = ''): string[] =>
  text
    .split(' ')
    .filter((word) => LOCALE.test(word))
    .slice(0, MOST_LOCALES);
