// Signing out at the request of an application (OpenID Connect RP-Initiated Logout 1.0).
import type { AccountStore } from '../accounts/index.ts';
import { type Application, type Applications, matchesPostLogoutRedirectUri } from '../applications/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { addSeconds, type Clock, toInstant } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Grant, Grants } from '../grants/index.ts';
import type { Parameters } from '../oauth/index.ts';
import type { SignOuts } from '../sign-outs/index.ts';
import type { Database } from '../storage/database.ts';
import { type IdTokens, type Sessions, sessionActions } from '../tokens/index.ts';
import { addQuery } from './answers.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import { authorizationErrors } from './declarations.ts';
import { MAX_QUESTION, readLocales } from './request.ts';
import type { HeldSession } from './store.sql.ts';

/** How long the page that asks may wait for its person, in seconds. */
const QUESTION_SECONDS = 600;
const LABEL = 'end-session';

/** Where the browser goes: to the application, or to a page of this service. Null: to the page that says "signed out". */
type Destination = string | null;

/** The languages in which the application asks, the preferred one first (BCP 47). */
type InLanguages = { readonly uiLocales: readonly string[] };

/** What a question holds while the page asks. */
type Question = InLanguages & {
  sessionId: string;
  clientId?: string | undefined;
  /** The application's grant that the hint proves. It is of another session. */
  grantId?: string | undefined;
  to: Destination;
  expiresAt: number;
};

/** Who asks for a sign-out, with which grant, and what comes then. */
type Asked = InLanguages & { application: Application | undefined; grant: Grant | undefined; to: Destination };

/** `question`: the page asks first, and sends this back. */
export type SignOutStep =
  /** `receipt`: lets the person look at what came of it. */
  | (InLanguages & { readonly kind: 'done'; readonly to: Destination; readonly receipt: string | null })
  | (InLanguages & { readonly kind: 'ask'; readonly question: string });

export interface EndSession {
  /** Signs out, or asks first unless the request proves that it is about the session of this browser. */
  begin(parameters: Parameters, browserSecret: string | undefined, origin: Origin): Promise<SignOutStep>;
  /** Signs out the person who was asked. @throws AuthError `authorization.notFound` for a question of another session or time. */
  confirm(question: string, browserSecret: string | undefined, origin: Origin): Promise<SignOutStep>;
}

export function createEndSession(deps: {
  database: Database;
  applications: Applications;
  accounts: AccountStore;
  sessions: Sessions;
  grants: Grants;
  idTokens: IdTokens;
  browserSessions: BrowserSessions;
  signOuts: Pick<SignOuts, 'makeReceipt'>;
  audit: AuditTrail;
  secrets: Secrets;
  clock: Clock;
}): EndSession {
  const {
    database,
    applications,
    accounts,
    sessions,
    grants,
    idTokens,
    browserSessions,
    signOuts,
    audit,
    secrets,
    clock,
  } = deps;

  /** Reads the hint, which may have expired. A hint that this service has not made counts as none. */
  async function readHint(hint: string | undefined) {
    const claims = hint === undefined ? undefined : await idTokens.verify(hint, 'JWT');
    const { aud, sid } = claims ?? {};
    return typeof aud === 'string' && typeof sid === 'string' ? { clientId: aud, grantId: sid } : undefined;
  }

  /** Only addresses that the application has registered are gone to (RP-Initiated Logout, 3). */
  function findDestination(application: Application | undefined, parameters: Parameters): Destination {
    const uri = parameters.get('post_logout_redirect_uri');
    if (uri === undefined || !application || !matchesPostLogoutRedirectUri(application, uri)) return null;
    const state = parameters.get('state');
    return addQuery(uri, state === undefined ? {} : { state });
  }

  const findApplication = (clientId: string | undefined) =>
    clientId === undefined ? undefined : applications.find(clientId);

  /** Ends a session that may have ended meanwhile. @param application that asked, if any. */
  async function signOut({ sessionId, accountId }: HeldSession, application: Application | undefined, origin: Origin) {
    await database.transaction(async (tx) => {
      const session = await sessions.findOpen(tx, sessionId);
      if (!session) return;
      await sessions.end(tx, accountId, sessionId);
      const user = await accounts.readUser(tx.sql, accountId);
      const details = application === undefined ? {} : { details: { application: application.name } };
      await audit.record(tx, { action: sessionActions.signedOff, outcome: 'success', user, origin, ...details });
    });
  }

  const findGrant = (id: string) => database.transaction((tx) => grants.findById(tx, id));

  const endGrant = (grant: Grant, application: Application, origin: Origin) =>
    database.transaction((tx) => grants.endByRequest(tx, grant, application, origin));

  /** Ends the session of this browser, and a grant of the application, which may be of another session. */
  async function finish(held: HeldSession, { application, grant, to, uiLocales }: Asked, origin: Origin) {
    await signOut(held, application, origin);
    if (grant && application) await endGrant(grant, application, origin);
    // The receipt shows sign-outs of its person alone. With the hint of another person, it leaves out the grant's session: the person
    // here may not learn where another one was signed in.
    const further = grant?.sessionId ? [grant.sessionId] : [];
    return { kind: 'done', to, receipt: signOuts.makeReceipt(held, further), uiLocales } as const;
  }

  return {
    async begin(parameters, browserSecret, origin) {
      const hint = await readHint(parameters.get('id_token_hint'));
      const clientId = parameters.get('client_id') ?? hint?.clientId;
      const application = findApplication(clientId);
      const to = findDestination(application, parameters);
      const uiLocales = readLocales(parameters.get('ui_locales'));
      const held = await browserSessions.find(browserSecret);
      const isOfHint = application !== undefined && hint?.clientId === application.clientId;
      // It may have ended: some programs revoke their tokens before they send the person here.
      const grant = isOfHint ? await findGrant(hint.grantId) : undefined;
      if (!held) {
        // Nobody is signed in here. What the application was given ends all the same.
        if (grant && application) await endGrant(grant, application, origin);
        return { kind: 'done', to, receipt: null, uiLocales };
      }
      const givenIn = grant?.approvedSessionId ?? grant?.sessionId;
      if (givenIn === held.sessionId) return finish(held, { application, grant, to, uiLocales }, origin);
      const asked = { sessionId: held.sessionId, clientId: application?.clientId, grantId: grant?.id, uiLocales };
      return { kind: 'ask', question: ask(asked, to), uiLocales };
    },

    async confirm(question, browserSecret, origin) {
      const held = await browserSessions.find(browserSecret);
      const { sessionId, clientId, grantId, to, uiLocales, expiresAt } = unseal(question);
      const isAsked = held?.sessionId === sessionId && toInstant(expiresAt) > clock.now();
      if (!held || !isAsked) throw authorizationErrors.notFound();
      const grant = grantId === undefined ? undefined : await findGrant(grantId);
      return finish(held, { application: findApplication(clientId), grant, to, uiLocales }, origin);
    },
  };

  /** A person can sign out also where a program sends a `state` that does not fit. The way back is left out then. */
  function ask(asked: Omit<Question, 'to' | 'expiresAt'>, to: Destination): string {
    const expiresAt = addSeconds(clock.now(), QUESTION_SECONDS);
    const question = secrets.seal(LABEL, JSON.stringify({ ...asked, to, expiresAt } satisfies Question));
    return to !== null && question.length > MAX_QUESTION ? ask(asked, null) : question;
  }

  function unseal(question: string): Question {
    try {
      return JSON.parse(secrets.unseal(LABEL, question));
    } catch {
      throw authorizationErrors.notFound();
    }
  }
}
