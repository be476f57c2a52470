// The authorization request to an external provider (OpenID Connect): sends it, keeps it in this tab, and reads the response.
import { REQUEST_KEY } from './authorization-request-key.ts';
import { at } from './base-path.ts';
import { latchkey } from './latchkey.ts';
import { makeSecret, toBase64Url } from './secret.ts';

/** Each provider has its own redirect path, so that a provider cannot pass on the response of another (RFC 9700, 4.4). */
const returnPath = (provider: string) => at(`/login/external/${encodeURIComponent(provider)}`);

/** To sign in, to sign in again in the session that there is, or to link the provider to the account that is signed in. */
type Purpose = 'signIn' | 'again' | 'link';

/** What this tab keeps while the person is at the provider. */
export type AuthorizationRequest = {
  readonly provider: string;
  /** What people call the provider. */
  readonly displayName: string;
  readonly purpose: Purpose;
  /** Whether the sign-in outlives the browser. */
  readonly isPersistent: boolean;
  /** The query of the page that redirects. It holds the target after the sign-in. */
  readonly search: string;
  /** Protects against responses to the requests of other people. */
  readonly state: string;
  /** The secret of the request that the service has made, or what this page has made the request from. */
  readonly origin:
    | { readonly request: string; readonly mayBeHybrid: boolean }
    | { readonly nonce: string; readonly verifier: string };
  /** The error that a request by the code flow got, if this one repeats it by the hybrid flow. */
  readonly firstError?: string;
};

/** The members that the service needs to verify the response. */
export type Proof =
  | { readonly authProvider: string; readonly providerKey: string; readonly providerAccessCode: string }
  | { authProvider: string; request: string; state: string; code: string; iss?: string; user?: string };

const redirectUri = (provider: string) => location.origin + returnPath(provider);

function leave(address: string | URL, request: AuthorizationRequest) {
  sessionStorage.setItem(REQUEST_KEY, JSON.stringify(request));
  const url = new URL(address);
  // A provider shall not answer from a session of its own (OpenID Connect Core, 3.1.2.1). One without this parameter ignores it.
  if (request.purpose === 'again') url.searchParams.set('max_age', '0');
  // The parameters write a space as a plus, which Apple's native sign-in sheet does not read as a space.
  url.search = url.search.replaceAll('+', '%20');
  location.assign(url);
}

/** Redirects to the provider's sign-in page. @throws LatchkeyError when the service does not return that page. */
export async function redirectToProvider(
  { name: provider, displayName }: { readonly name: string; readonly displayName: string },
  purpose: Purpose,
  isPersistent = false,
): Promise<void> {
  const wanted = { name: provider, redirectUri: redirectUri(provider) };
  const { address, clientId, request, mayBeHybrid } = await latchkey.call('ExternalLogin/Begin', wanted);
  const kept = { provider, displayName, purpose, isPersistent, search: location.search };
  if (request === null) return redirectByOwnRequest({ address, clientId }, kept);
  const state = new URL(address).searchParams.get('state') ?? '';
  leave(address, { ...kept, state, origin: { request, mayBeHybrid } });
}

/** The errors with which providers refuse a code to a client that is registered for the hybrid flow only. */
const REFUSED_FLOW = ['unauthorized_client', 'unsupported_response_type', 'invalid_request'];

/** Returns whether the provider might accept the request by the hybrid flow. */
export const needsHybridFlow = ({ origin }: AuthorizationRequest, error: string): boolean =>
  'request' in origin && origin.mayBeHybrid && REFUSED_FLOW.includes(error);

/** Repeats a refused request by the hybrid flow. @throws LatchkeyError as {@link redirectToProvider}. */
export async function redirectByHybridFlow(request: AuthorizationRequest, firstError: string): Promise<void> {
  const page = await latchkey.call('ExternalLogin/GetSignInPage', { name: request.provider });
  await redirectByOwnRequest(page, { ...request, firstError });
}

/** Redirects with a request of this page: by the hybrid flow of OpenID, or to a provider of another kind. */
async function redirectByOwnRequest(
  page: { readonly address: string; readonly clientId: string },
  kept: Omit<AuthorizationRequest, 'state' | 'origin'>,
) {
  const [state, nonce, verifier] = [makeSecret(), makeSecret(), makeSecret()];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const query = {
    response_type: 'code id_token',
    client_id: page.clientId,
    redirect_uri: redirectUri(kept.provider),
    scope: 'openid profile email',
    code_challenge: toBase64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    nonce,
    state,
  };
  const url = new URL(page.address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  leave(url, { ...kept, state, origin: { nonce, verifier } });
}

/** Returns the request that this response belongs to, once. `undefined` if this tab did not ask, or asked another provider. */
export function takeRequest(answer: URLSearchParams): AuthorizationRequest | undefined {
  const kept = sessionStorage.getItem(REQUEST_KEY);
  sessionStorage.removeItem(REQUEST_KEY);
  const request: AuthorizationRequest | null = JSON.parse(kept ?? 'null');
  const isAnswered =
    request && location.pathname === returnPath(request.provider) && answer.get('state') === request.state;
  return isAnswered ? request : undefined;
}

/** Returns the proof in the response. `undefined` if it is incomplete, such as a refusal. */
export function readProof(request: AuthorizationRequest, answer: URLSearchParams): Proof | undefined {
  const [code, token, key, issuer] = ['code', 'id_token', 'provider_key', 'iss'].map((name) => answer.get(name));
  if (!code) return undefined;
  const { provider: authProvider, state, origin } = request;
  if ('request' in origin) {
    const posted = answer.get('user');
    const user = request.purpose === 'signIn' ? keepUser(authProvider, posted) : posted;
    return {
      authProvider,
      request: origin.request,
      state,
      code,
      ...(issuer && { iss: issuer }),
      ...(user && { user }),
    };
  }
  if (!token) return key ? { authProvider, providerKey: key, providerAccessCode: code } : undefined;
  const { iss, sub } = readClaims(token);
  if (!iss || !sub || iss !== (issuer ?? iss)) return undefined;
  const { nonce, verifier: code_verifier } = origin;
  const accessCode = new URLSearchParams({ code, code_verifier, redirect_uri: redirectUri(authProvider), nonce, iss });
  return { authProvider, providerKey: sub, providerAccessCode: accessCode.toString() };
}

/** What a provider has posted about a person. */
const USER_KEY = 'latchkey:external-user';

/** The person who begins again is the same for so long. */
const USER_MILLISECONDS = 600_000;

/**
 * Returns what the provider has told of the person beside a code. Apple tells the name with the first code only, so this tab keeps
 * it for a while, in case this sign-in fails.
 */
function keepUser(provider: string, user: string | null): string | null {
  if (user) sessionStorage.setItem(USER_KEY, JSON.stringify({ provider, user, at: Date.now() }));
  const kept = JSON.parse(sessionStorage.getItem(USER_KEY) ?? '{}');
  return kept.provider === provider && Date.now() - kept.at < USER_MILLISECONDS ? kept.user : null;
}

/** Forgets it when the sign-in has succeeded. */
export const forgetUser = (): void => sessionStorage.removeItem(USER_KEY);

/** Reads the claims without verification: they only tell which key the code is for. The service verifies the token. */
function readClaims(token: string): { iss?: string; sub?: string } {
  try {
    return JSON.parse(atob(token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '')) ?? {};
  } catch {
    return {};
  }
}
