// What signs people in to applications. It is loaded with the first application.
import type { AccountStore } from '../accounts/index.ts';
import type { Applications } from '../applications/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { SecondFactors } from '../authentication/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import { DEFAULT_FRONT_END, type Links } from '../front-ends/index.ts';
import type { Grants } from '../grants/index.ts';
import { type ClientAuthentication, type Parameters, readPresented } from '../oauth/index.ts';
import type { Roles } from '../roles/index.ts';
import type { Settings } from '../settings/index.ts';
import type { SignOuts } from '../sign-outs/index.ts';
import type { Database } from '../storage/database.ts';
import type { ApplicationTokens, IdTokens, Sessions } from '../tokens/index.ts';
import { addQuery, createAnswers } from './answers.ts';
import { createAuthorizations, type SignInPage, UnknownApplication } from './authorizations.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import { createConsents } from './consents.ts';
import { createDevices } from './devices.ts';
import { createEndSession } from './end-session.ts';
import type { OpenIdStore } from './store.sql.ts';
import { type Caller, createTokenExchange } from './tokens.ts';
import { createUserinfo } from './userinfo.ts';

const NONCE_BYTES = 16;

export type OpenIdDeps = {
  readonly database: Database;
  readonly store: OpenIdStore;
  readonly applications: Applications;
  readonly accounts: AccountStore;
  readonly sessions: Sessions;
  readonly secondFactors: SecondFactors;
  readonly grants: Grants;
  readonly applicationTokens: ApplicationTokens;
  readonly idTokens: IdTokens;
  readonly browserSessions: BrowserSessions;
  readonly clientAuthentication: ClientAuthentication;
  readonly signOuts: SignOuts;
  readonly roles: Roles;
  readonly links: Links;
  readonly settings: Settings;
  readonly audit: AuditTrail;
  readonly issuer: string;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly random: Random;
};

export type OpenId = ReturnType<typeof createOpenId>;

export function createOpenId(given: OpenIdDeps) {
  const { clientAuthentication, links, random, roles } = given;
  const deps = { ...given, isIn: roles.isIn, answers: createAnswers(given) };
  const authorizations = createAuthorizations(deps);
  return {
    answers: deps.answers,
    authorizations,
    devices: createDevices({ ...deps, authorizations }),
    exchange: createTokenExchange(deps),
    readUserinfo: createUserinfo(deps),
    endSession: createEndSession(deps),
    consents: createConsents(deps),
    UnknownApplication,
    randomNonce: () => random.bytes(NONCE_BYTES).toString('base64'),
    /** @throws OAuthError `invalid_client`, also when too many of them have failed. */
    async authenticate(authorization: string | undefined, parameters: Parameters, from: string): Promise<Caller> {
      const presented = readPresented(authorization, parameters);
      const application = await clientAuthentication.authenticate(presented, from);
      return { application, secret: presented.way === 'secret' ? presented.secret : undefined };
    },
    /** Returns the address of the sign-in page for a request. */
    signInAddress({ id, frontEnd, uiLocales }: SignInPage) {
      return addQuery(links.signInPage(frontEnd), {
        authorization: id,
        ...(frontEnd !== DEFAULT_FRONT_END && { frontEnd }),
        ...(uiLocales.length > 0 && { ui_locales: uiLocales.join(' ') }),
      });
    },
  };
}
