// An application on a port of its own, which signs people in through the service with `openid-client`.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as openid from 'openid-client';
import { createClient } from './oauth.ts';
import { findFreePort } from './ports.ts';
import type { TestService } from './service.ts';

type Input = NonNullable<Parameters<typeof createClient>[1]>;
type Tokens = Awaited<ReturnType<typeof openid.authorizationCodeGrant>>;

export interface ClientApplication {
  readonly id: string;
  readonly url: string;
  /** The tokens of the last sign-in. */
  readonly tokens: Tokens | undefined;
  /** The address that begins a sign-in with these parameters beside the usual ones. */
  signInWith(more?: Record<string, string>): string;
  /** Begins a sign-in of a device. @returns what the device shows, and a function that asks once whether it may go on. */
  beginDevice(scope: string): Promise<{ code: string; address: string; poll(): Promise<Tokens> }>;
  /** The address that begins a sign-out. Without a hint, the service asks. */
  signOutWith(hint: boolean): string;
  close(): Promise<void>;
}

const toHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

function show(response: ServerResponse, title: string) {
  const heading = toHtml(title);
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(`<!doctype html><html lang="en"><head><title>${heading}</title></head><h1>${heading}</h1></html>`);
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of request) body += String(part);
  return body;
}

/** Registers and starts an application. Its page after a sign-in says who it is, or why there is none. */
export async function startClientApplication(
  { test, url: issuer }: { test: TestService; url: string },
  input: Partial<Input> = {},
): Promise<ClientApplication> {
  const url = `http://127.0.0.1:${await findFreePort()}`;
  const uris = { redirectUris: [`${url}/callback`], postLogoutRedirectUris: [`${url}/bye`] };
  const { id, clientId, secret } = await createClient(test, { ...uris, ...input });
  const authentication = secret === null ? openid.None() : undefined;
  const config = await openid.discovery(new URL(issuer), clientId, secret ?? undefined, authentication, {
    execute: [openid.allowInsecureRequests],
  });
  let tokens: Tokens | undefined;
  const waiting = new Map<string, { pkceCodeVerifier: string; expectedNonce: string }>();

  async function begin(more: URLSearchParams): Promise<string> {
    const [state, pkceCodeVerifier, expectedNonce] = [
      openid.randomState(),
      openid.randomPKCECodeVerifier(),
      openid.randomNonce(),
    ];
    waiting.set(state, { pkceCodeVerifier, expectedNonce });
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: `${url}/callback`,
      scope: 'openid profile email',
      state,
      nonce: expectedNonce,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      ...Object.fromEntries(more),
    });
    return address.href;
  }

  async function finish(answer: URL | Request, state: string): Promise<string> {
    try {
      const kept = waiting.get(state);
      if (!kept) return 'Unknown answer';
      tokens = await openid.authorizationCodeGrant(config, answer, { ...kept, expectedState: state });
      return `Welcome ${tokens.claims()?.preferred_username}`;
    } catch (error) {
      if (error instanceof openid.AuthorizationResponseError) return `Refused: ${error.error}`;
      throw error;
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const address = new URL(request.url ?? '/', url);
    const redirect = (to: string) => response.writeHead(302, { location: to }).end();
    if (address.pathname === '/sign-in') return redirect(await begin(address.searchParams));
    if (address.pathname === '/sign-out') {
      const hint = address.searchParams.has('hint') && { id_token_hint: tokens?.id_token ?? '' };
      const members = { post_logout_redirect_uri: `${url}/bye`, state: 'left', ...hint };
      return redirect(openid.buildEndSessionUrl(config, members).href);
    }
    if (address.pathname === '/bye') return show(response, `Good bye ${address.searchParams.get('state')}`);
    if (address.pathname !== '/callback') return response.writeHead(404).end();
    if (request.method !== 'POST')
      return show(response, await finish(address, address.searchParams.get('state') ?? ''));
    const body = await readBody(request);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const state = new URLSearchParams(body).get('state') ?? '';
    show(response, `Posted. ${await finish(new Request(address, { method: 'POST', body, headers }), state)}`);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => show(response.writeHead(500), String(error)));
  }).listen(Number(new URL(url).port), '127.0.0.1');
  await once(server, 'listening');
  return {
    id,
    url,
    get tokens() {
      return tokens;
    },
    signInWith: (more = {}) => `${url}/sign-in?${new URLSearchParams(more)}`,
    async beginDevice(scope) {
      const begun = await openid.initiateDeviceAuthorization(config, { scope });
      const { user_code: code, verification_uri_complete: address = '' } = begun;
      return { code, address, poll: () => openid.pollDeviceAuthorizationGrant(config, { ...begun, interval: 0 }) };
    },
    signOutWith: (hint) => `${url}/sign-out${hint ? '?hint' : ''}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
