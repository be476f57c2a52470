// Authorizations: an application asks, a person signs in and perhaps agrees, and the application gets a code.
import type { Account, AccountStore } from '../accounts/index.ts';
import { type Application, type Applications, admits, matchesRedirectUri } from '../applications/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { SecondFactors } from '../authentication/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import { addSeconds, type Clock, type Instant, toInstant } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Grants } from '../grants/index.ts';
import { OAuthError, type OAuthErrorCode, type Parameters, readParameters } from '../oauth/index.ts';
import { type Settings, securitySettings } from '../settings/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { IdTokens, Session, Sessions } from '../tokens/index.ts';
import type { Answers } from './answers.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import { authorizationActions, authorizationErrors } from './declarations.ts';
import { toGrantee } from './grantee.ts';
import {
  type AuthorizationRequest,
  type Demands,
  mayHaveAudience,
  PARAMETERS,
  REQUEST_SECONDS,
  type ReturnAddress,
  readRequest,
  readReturnAddress,
} from './request.ts';
import type { HeldSession, OpenIdStore, StoredRequest } from './store.sql.ts';

/** How long a pushed request waits for its browser, in seconds. */
const PUSHED_SECONDS = 60;

const SECRET_BYTES = 32;
const REQUEST_URI = 'urn:ietf:params:oauth:request_uri:';
const PUSHED = /^urn:ietf:params:oauth:request_uri:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** A request that no application may get an answer to: it is shown to the person. */
export class UnknownApplication extends Error {}

/** The request that the sign-in page is opened for, and how the page is shown. */
export type SignInPage = {
  readonly id: string;
  readonly frontEnd: string;
  readonly uiLocales: readonly string[];
};

/** What a browser does next. `signIn`: it goes to the sign-in page, and keeps the secret. */
export type Next =
  | { readonly kind: 'answer'; readonly address: string }
  | ({ readonly kind: 'signIn'; readonly secret: string } & SignInPage);

/** The answer of a person who is signed in. `shownTo`: the id of the account that the page named when it asked. */
export type Reply = {
  readonly id: string;
  readonly secret: string | undefined;
  readonly consent: boolean | undefined;
  readonly shownTo: number | undefined;
};

/** What a person is told or goes to. `browserSecret`: the handle of the session that the browser keeps. */
export type Outcome =
  | { readonly redirectTo: string | null; readonly browserSecret: string | null; readonly expiresAt: Instant | null }
  | { readonly consentNeeded: { readonly application: string; readonly scopes: readonly string[] } };

/** A request that has come. `wasCounted`: when it was pushed. */
type Begun = { readonly application: Application; readonly parameters: Parameters; readonly wasCounted: boolean };

/** Who is signed in, and how. */
type Person = { readonly session: Session; readonly account: Account };

/** Why a person does not get through as signed in now. */
type Obstacle = 'denied' | 'login' | 'level' | 'consent';

const promptErrors: Record<Obstacle, OAuthErrorCode> = {
  denied: 'access_denied',
  login: 'login_required',
  level: 'interaction_required',
  consent: 'consent_required',
};

/** A request that waits for its person. */
export type Waiting = {
  readonly stored: StoredRequest;
  readonly application: Application;
  readonly request: AuthorizationRequest | DeviceRequest;
};

/** What a device asks for. It waits, and is not redirected to. */
export type DeviceRequest = Demands & Pick<AuthorizationRequest, 'scopes' | 'audience' | 'loginHint'>;

export interface Authorizations {
  /**
   * Begins an authorization.
   * @param count is called before a request is stored. It throws to refuse.
   * @throws UnknownApplication if nobody may get the answer.
   */
  begin(
    given: URLSearchParams,
    browserSecret: string | undefined,
    origin: Origin,
    count: () => Promise<void>,
  ): Promise<Next>;
  /** Keeps a request of an authenticated application (RFC 9126). @returns its address. @throws OAuthError. */
  push(application: Application, parameters: Parameters): Promise<{ requestUri: string; expiresIn: number }>;
  /** Returns a request that waits in this browser. @throws AuthError `authorization.notFound`. */
  find(id: string, secret: string | undefined): Promise<Waiting>;
  /** Lets a device's request wait in a browser. @returns its id, and the secret that the browser keeps. */
  wait(device: { mac: string; application: Application } & DeviceRequest): Promise<{ id: string; secret: string }>;
  /**
   * Answers a request for a person who is signed in.
   * @throws AuthError `authorization.notFound`, `authorization.denied`, `authorization.loginRequired`,
   *   `authorization.levelRequired`.
   */
  proceed(caller: SignedIn, reply: Reply, origin: Origin): Promise<Outcome>;
}

export function createAuthorizations(deps: {
  database: Database;
  store: OpenIdStore;
  applications: Applications;
  accounts: AccountStore;
  secondFactors: SecondFactors;
  sessions: Sessions;
  grants: Grants;
  browserSessions: BrowserSessions;
  settings: Settings;
  answers: Answers;
  idTokens: IdTokens;
  audit: AuditTrail;
  isIn: (role: string, roles: readonly string[]) => boolean;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): Authorizations {
  const { database, store, applications, accounts, secondFactors, sessions, grants, browserSessions } = deps;
  const { settings, answers, idTokens, audit, isIn, secrets, clock, random } = deps;
  const macOf = (secret: string) => secrets.mac('authorization-request', secret);

  /**
   * Returns where the refusal of parameters that cannot be read goes, if that is certain.
   * @throws OAuthError the refusal.
   */
  function findReturnAddress(given: URLSearchParams, refusal: unknown): ReturnAddress {
    const [[clientId = '', ...ids], [redirectUri = '', ...uris]] = [
      given.getAll('client_id'),
      given.getAll('redirect_uri'),
    ];
    const application = ids.length === 0 && uris.length === 0 ? applications.find(clientId) : undefined;
    if (!application?.isEnabled || !matchesRedirectUri(application, redirectUri)) throw refusal;
    const [state = null, ...states] = given.getAll('state');
    const mode = given.getAll('response_mode').join(' ') === 'form_post' ? 'form_post' : 'query';
    return { redirectUri, mode, state: states.length === 0 ? state : null, uiLocales: [] };
  }

  /**
   * Finds the application of a request, and its parameters if they were pushed. A public client's was counted then.
   * @throws UnknownApplication, OAuthError.
   */
  async function readBegun(shown: Parameters): Promise<Begun> {
    const application = applications.find(shown.get('client_id') ?? '');
    if (!application?.isEnabled) throw new UnknownApplication('No application is registered under this client_id.');
    const requestUri = shown.get('request_uri');
    if (requestUri === undefined) return { application, parameters: shown, wasCounted: false };
    const [, id] = PUSHED.exec(requestUri) ?? [];
    if (id === undefined) {
      throw new OAuthError('request_uri_not_supported', 'The request_uri is one that /oauth/par has given.');
    }
    const pushed = await store.takeRequest(database.sql, id, 'pushed', clock.now());
    if (pushed?.applicationId !== application.id) {
      const description = 'The request_uri has expired, or was used. Start again in the application.';
      throw new OAuthError('invalid_request_uri', description);
    }
    const parameters = readParameters(new URLSearchParams(JSON.parse(pushed.parameters)));
    return { application, parameters, wasCounted: application.authentication === 'none' };
  }

  async function keep(request: Omit<StoredRequest, 'id' | 'createdAt' | 'expiresAt'>, seconds: number) {
    const createdAt = clock.now();
    const stored = { ...request, id: random.uuid(), createdAt, expiresAt: addSeconds(createdAt, seconds) };
    await store.addRequest(database.sql, stored);
    return stored.id;
  }

  /** Keeps a request for the person in this browser. */
  async function keepForBrowser(application: Application, request: unknown, deviceMac: string | null) {
    const secret = random.bytes(SECRET_BYTES).toString('base64url');
    const common = { kind: 'authorization', cookieMac: macOf(secret), applicationId: application.id } as const;
    const id = await keep({ ...common, parameters: JSON.stringify(request), deviceMac }, REQUEST_SECONDS);
    return { id, secret };
  }

  /** Finds what stands between a session and an application. */
  async function findObstacle(
    tx: Tx,
    {
      application,
      request,
      askedAt,
    }: { application: Application; request: Demands & { scopes: readonly string[] }; askedAt: Instant },
    { session, account }: Person,
    consent: boolean | undefined,
  ): Promise<Obstacle | undefined> {
    if (!admits(application, account.roleNames, isIn)) return 'denied';
    // The person may have signed in at a front end that asks for less than that of the application.
    if (await secondFactors.mustEnroll(tx, account, application.frontEnd, !session.mustEnroll)) return 'level';
    if (!isFresh(request, askedAt, session.authenticatedAt, clock.now())) return 'login';
    if (request.level === 'aal2' && !session.amr.includes('mfa')) return 'level';
    if (consent === true) return undefined;
    const mustAsk = request.prompts.includes('consent');
    const untrustedSince = await applications.findUntrustedSince(tx, application.id, account.roleNames);
    if (application.consent === 'none' && untrustedSince === null && !mustAsk) return undefined;
    const shared = mustAsk ? [] : await store.findConsent(tx.sql, session.accountId, application.id, untrustedSince);
    return request.scopes.every((scope) => shared.includes(scope)) ? undefined : 'consent';
  }

  /** Records that a person may not use an application, or refused. Nothing bounds how often a caller tries. */
  async function recordDenied(tx: Tx, { session, account }: Person, { name }: Application, origin: Origin) {
    const { reason } = authorizationErrors.denied;
    const user = toUser(account);
    const details = { application: name };
    const denied = { action: authorizationActions.denied, outcome: 'refused', reason, user, origin, details } as const;
    await audit.recordRepeatable(session.id, denied, tx);
  }

  /** Keeps what a person agreed to share, besides what they agreed to before that still counts. */
  async function keepConsent(
    tx: Tx,
    account: Account,
    application: Application,
    asked: readonly string[],
    origin: Origin,
  ) {
    const accountId = account.id;
    const untrustedSince = await applications.findUntrustedSince(tx, application.id, account.roleNames);
    const shared = await store.findConsent(tx.sql, accountId, application.id, untrustedSince);
    const scopes = [...new Set([...shared, ...asked])];
    // The clock may have been set back since the change that it must follow.
    const at = toInstant(Math.max(clock.now(), untrustedSince ?? 0));
    const consent = { id: random.uuid(), accountId, applicationId: application.id, scopes, at };
    await store.saveConsent(tx.sql, consent);
    const user = toUser(account);
    const details = { application: application.name, scopes: scopes.join(' ') };
    const action = authorizationActions.consented;
    await audit.record(tx, { action, outcome: 'success', user, origin, details });
  }

  /**
   * Whether the person may have been inactive for so long that automatic log-off should have ended the session. It happens in open
   * pages, and an application may have taken their place: the sign-in page knows, and lets those through who were active.
   */
  function mayBeIdle({ authenticatedAt }: Session): boolean {
    const { useAutoLogoff, autoLogoffTimeout } = settings.read(securitySettings);
    return useAutoLogoff && addSeconds(authenticatedAt, autoLogoffTimeout) <= clock.now();
  }

  /** Answers with a code if the session of this browser needs nothing else. @returns the obstacle otherwise. */
  function passThrough(application: Application, request: AuthorizationRequest, held: HeldSession, origin: Origin) {
    return database.transaction(async (tx): Promise<{ code: string } | Obstacle> => {
      const { sessionId, accountId } = held;
      const account = await accounts.findForUpdate(tx.sql, accountId);
      const session = account?.isActive ? await sessions.findOpen(tx, sessionId) : undefined;
      if (!account || !session || session.mustChangePassword || session.mustEnroll) return 'login';
      if (mayBeIdle(session)) return 'login';
      const present = await applications.findForUpdate(tx, application.id);
      if (!present?.isEnabled || !mayStillAsk(present, request)) return 'login';
      const asked = { application: present, request, askedAt: clock.now() };
      const obstacle = await findObstacle(tx, asked, { session, account }, undefined);
      if (obstacle) return obstacle;
      const { code } = await grants.approve(tx, toGrantee(present), session, request, {
        ...origin,
        frontEnd: present.frontEnd,
      });
      return { code };
    });
  }

  /**
   * Returns whom the application means by a hint, and the session of the browser unless it is another person's (OpenID Connect Core,
   * 3.1.2.1).
   */
  async function findHeld(browserSecret: string | undefined, hint: string | undefined) {
    const held = await browserSessions.find(browserSecret);
    if (hint === undefined) return { held };
    const subject = (await idTokens.verify(hint, 'JWT'))?.sub;
    return { held: subject === String(held?.accountId) ? held : undefined, ...(subject !== undefined && { subject }) };
  }

  async function findWaiting(id: string, secret: string | undefined, tx?: Tx): Promise<Waiting> {
    const stored = await store.findRequest(tx?.sql ?? database.sql, id, macOf(secret ?? ''), clock.now());
    const application = stored && applications.findById(stored.applicationId);
    if (!stored || !application?.isEnabled) throw authorizationErrors.notFound();
    return { stored, application, request: JSON.parse(stored.parameters) };
  }

  /** Takes a request, so that it is answered once. */
  async function take(tx: Tx, { stored }: Waiting): Promise<void> {
    const taken = await store.takeRequest(tx.sql, stored.id, 'authorization', clock.now());
    if (!taken) throw authorizationErrors.notFound();
  }

  /** Answers the device that a request is for, if it is for one. */
  async function answerDevice(
    tx: Tx,
    { stored }: Waiting,
    answer: { state: 'approved' | 'denied'; grantId: string | null },
  ): Promise<void> {
    if (stored.deviceMac === null) return;
    const isAnswered = await store.answerDevice(tx.sql, stored.deviceMac, { ...answer, now: clock.now() });
    if (!isAnswered) throw authorizationErrors.notFound();
  }

  async function approve(tx: Tx, waiting: Waiting, application: Application, session: Session, origin: Origin) {
    const { request } = waiting;
    await take(tx, waiting);
    const from = { ...origin, frontEnd: application.frontEnd };
    if ('redirectUri' in request) {
      const { code } = await grants.approve(tx, toGrantee(application), session, request, from);
      return answers.toAddress(request, { code });
    }
    const none = { nonce: null, codeChallenge: null, redirectUri: null };
    const approval = { ...request, ...none, redeemableSeconds: REQUEST_SECONDS };
    const { grant } = await grants.approve(tx, toGrantee(application), session, approval, from);
    await answerDevice(tx, waiting, { state: 'approved', grantId: grant.id });
    return null;
  }

  return {
    async begin(given, browserSecret, origin, count) {
      let begun: Begun;
      try {
        begun = await readBegun(readParameters(given));
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error;
        const members = { error: error.code, error_description: error.description };
        return { kind: 'answer', address: answers.toAddress(findReturnAddress(given, error), members) };
      }
      const { application, parameters, wasCounted } = begun;
      const redirectUri = parameters.get('redirect_uri');
      if (redirectUri === undefined || !matchesRedirectUri(application, redirectUri)) {
        throw new UnknownApplication('The redirect_uri is not one that is registered for this application.');
      }
      const address = readReturnAddress(parameters, redirectUri);
      const refuse = (error: OAuthErrorCode, description?: string): Next => ({
        kind: 'answer',
        address: answers.toAddress(address, { error, ...(description && { error_description: description }) }),
      });
      let request: AuthorizationRequest;
      try {
        request = readRequest(application, parameters, address);
      } catch (error) {
        if (error instanceof OAuthError) return refuse(error.code, error.description);
        throw error;
      }
      const { held, ...meant } = await findHeld(browserSecret, parameters.get('id_token_hint'));
      const passed = held === undefined ? 'login' : await passThrough(application, request, held, origin);
      if (typeof passed === 'object') return { kind: 'answer', address: answers.toAddress(address, passed) };
      if (request.prompts.includes('none')) return refuse(promptErrors[passed]);
      if (!wasCounted) await count();
      const waiting = await keepForBrowser(application, { ...request, ...meant }, null);
      return { kind: 'signIn', ...waiting, frontEnd: application.frontEnd, uiLocales: request.uiLocales };
    },

    async push(application, parameters) {
      const redirectUri = parameters.require('redirect_uri');
      if (parameters.get('request_uri') !== undefined) {
        throw new OAuthError('invalid_request', 'A pushed request has no request_uri.');
      }
      if (!matchesRedirectUri(application, redirectUri)) {
        throw new OAuthError('invalid_request', 'The redirect_uri is not one that is registered for this application.');
      }
      readRequest(application, parameters, readReturnAddress(parameters, redirectUri));
      const kept = JSON.stringify(parameters.entries().filter(([name]) => PARAMETERS.has(name)));
      const common = { kind: 'pushed', cookieMac: null, applicationId: application.id, deviceMac: null } as const;
      const id = await keep({ ...common, parameters: kept }, PUSHED_SECONDS);
      return { requestUri: `${REQUEST_URI}${id}`, expiresIn: PUSHED_SECONDS };
    },

    find: (id, secret) => findWaiting(id, secret),

    wait: ({ mac, application, ...request }) => keepForBrowser(application, request, mac),

    async proceed(caller, { id, secret, consent, shownTo }, origin) {
      const outcome = await database.transaction(async (tx): Promise<Outcome | 'denied'> => {
        await caller.authorize(tx);
        const waiting = await findWaiting(id, secret, tx);
        const { stored, request } = waiting;
        const application = await applications.findForUpdate(tx, stored.applicationId);
        const session = await sessions.findOpen(tx, caller.sessionId);
        const account = await accounts.findIn(tx.sql, caller.accountId);
        if (!application?.isEnabled || !session || !account) throw authorizationErrors.notFound();
        if (!mayStillAsk(application, request)) throw authorizationErrors.notFound();
        if (consent === false) {
          await take(tx, waiting);
          await answerDevice(tx, waiting, { state: 'denied', grantId: null });
          await recordDenied(tx, { session, account }, application, origin);
          const refused = { error: 'access_denied' } as const;
          const redirectTo = 'redirectUri' in request ? answers.toAddress(request, refused) : null;
          return { redirectTo, browserSecret: null, expiresAt: null };
        }
        if (isAnother(account, request)) {
          // The person can still sign in as who is meant.
          if (session.authenticatedAt < stored.createdAt) throw authorizationErrors.loginRequired();
          await take(tx, waiting);
          const redirectTo = answers.toAddress(request, { error: 'login_required' });
          return { redirectTo, browserSecret: null, expiresAt: null };
        }
        const asked = { application, request, askedAt: stored.createdAt };
        // Another person has signed in since the page asked, in another tab. Who agreed is not who would share now.
        const isOther = shownTo !== undefined && shownTo !== account.id;
        // A device's request may come from anybody: its person always agrees.
        const mustAsk = consent === true ? isOther : stored.deviceMac !== null;
        const obstacle =
          (await findObstacle(tx, asked, { session, account }, consent)) ?? (mustAsk ? 'consent' : undefined);
        if (obstacle === 'denied') {
          await recordDenied(tx, { session, account }, application, origin);
          return obstacle;
        }
        if (obstacle === 'login') throw authorizationErrors.loginRequired();
        if (obstacle === 'level') throw authorizationErrors.levelRequired();
        if (obstacle === 'consent') return { consentNeeded: { application: application.name, scopes: request.scopes } };
        if (consent === true) await keepConsent(tx, account, application, request.scopes, origin);
        const redirectTo = await approve(tx, waiting, application, session, origin);
        const browserSecret = await browserSessions.open(tx, session);
        return { redirectTo, browserSecret, expiresAt: session.expiresAt };
      });
      if (outcome === 'denied') throw authorizationErrors.denied();
      return outcome;
    },
  };
}

/** Whether an application may ask now what it has asked. An administrator may have changed it since. */
const mayStillAsk = (application: Application, request: Waiting['request']) =>
  (!('redirectUri' in request) || matchesRedirectUri(application, request.redirectUri)) &&
  request.scopes.every((scope) => application.scopes.includes(scope)) &&
  mayHaveAudience(application, request.audience);

/** Whether the application means another person than this one. */
const isAnother = ({ id }: Account, request: Waiting['request']): request is AuthorizationRequest =>
  'subject' in request && request.subject !== String(id);

const toUser = ({ id, userName }: Account) => ({ id, name: userName });

/**
 * Whether a person has authenticated recently enough. `prompt=login`, and a `max_age` that has passed, want an authentication
 * that is later than the request.
 */
function isFresh({ prompts, maxAge }: Demands, askedAt: Instant, authenticatedAt: Instant, now: Instant): boolean {
  if (authenticatedAt >= askedAt) return true;
  if (prompts.includes('login') || prompts.includes('select_account')) return false;
  return maxAge === null || now <= addSeconds(authenticatedAt, maxAge);
}
