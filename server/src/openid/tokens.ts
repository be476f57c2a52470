// The token endpoint: exchanges codes, refresh tokens and device codes for tokens, each once (RFC 6749, 4 and 6).
import { createHash, timingSafeEqual } from 'node:crypto';
import { type Account, type AccountStore, fullName } from '../accounts/index.ts';
import {
  type Application,
  type Applications,
  admits,
  DEVICE_CODE_GRANT,
  STANDARD_SCOPES,
} from '../applications/index.ts';
import type { SecondFactors } from '../authentication/index.ts';
import { addSeconds, type Clock, type Instant, toInstant, toNumericDate } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Given, Grant, Grants } from '../grants/index.ts';
import type { Parameters } from '../oauth/index.ts';
import { OAuthError } from '../oauth/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { ApplicationTokens, IdTokens, Sessions } from '../tokens/index.ts';
import { claimsOf } from './claims.ts';
import { deviceCodeMac } from './devices.ts';
import { toGrantee } from './grantee.ts';
import { findAudience, findScopes, mayHaveAudience } from './request.ts';
import type { OpenIdStore } from './store.sql.ts';

/** A device that asks too often waits this much longer, in seconds (RFC 8628, 3.5). */
const SLOWER_SECONDS = 5;

/** A successful answer (RFC 6749, 5.1). */
export type TokenAnswer = {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly scope: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
};

/** An application that has proven who it is. `secret`: by this one, or undefined by a key, or by nothing if it is public. */
export type Caller = { readonly application: Application; readonly secret: string | undefined };

type Exchange = (caller: Caller, parameters: Parameters, origin: Origin) => Promise<TokenAnswer>;

const invalidGrant = (description: string) => new OAuthError('invalid_grant', description);

export function createTokenExchange(deps: {
  database: Database;
  store: OpenIdStore;
  applications: Applications;
  accounts: AccountStore;
  secondFactors: SecondFactors;
  sessions: Sessions;
  grants: Grants;
  applicationTokens: ApplicationTokens;
  idTokens: IdTokens;
  isIn: (role: string, roles: readonly string[]) => boolean;
  issuer: string;
  secrets: Secrets;
  clock: Clock;
}): Exchange {
  const { database, store, applications, accounts, secondFactors, sessions, grants } = deps;
  const { applicationTokens, idTokens, isIn, issuer, secrets, clock } = deps;

  /** Whether the person must agree and has not, as an administrator who lacks permissions has changed the application. */
  async function lacksConsent(tx: Tx, { id, roleNames }: Account, { applicationId, scopes }: Grant) {
    const since = await applications.findUntrustedSince(tx, applicationId, roleNames);
    if (since === null) return false;
    const shared = await store.findConsent(tx.sql, id, applicationId, since);
    return scopes.some((scope) => !shared.includes(scope));
  }

  /**
   * Returns the person of a grant, if the application may still have tokens for it. Otherwise the grant ends.
   * @throws OAuthError `invalid_grant` if the person must first change the password or enrol a second factor. The rollback undoes the
   *   exchange: the grant goes on afterwards.
   */
  async function findPerson(tx: Tx, application: Application, grant: Grant): Promise<Account | undefined> {
    // Mutation: `grant.accountId ?? 0` becomes `grant.accountId`, `0` becomes `1`. The default is only for the compiler: the grant is a person's.
    const account = await accounts.findIn(tx.sql, grant.accountId ?? 0);
    if (
      !account?.isActive ||
      !admits(application, account.roleNames, isIn) ||
      (await lacksConsent(tx, account, grant))
    ) {
      await grants.end(tx, { ids: [grant.id] });
      return undefined;
    }
    // The restriction of the session may have been committed while the exchange waited for the grant.
    if (account.mustChangePassword) throw invalidGrant('The person must change the password first.');
    if (await secondFactors.mustEnroll(tx, account, application.frontEnd, true)) {
      throw invalidGrant('The person must enrol a second factor first.');
    }
    return account;
  }

  /**
   * Whether the session of a grant was restricted to enrolling a second factor, and nothing demands one any more. It is then lifted: a
   * session of an application's own has no token whose refresh would lift it.
   */
  async function liftsRestriction(tx: Tx, refreshToken: string): Promise<boolean> {
    const grant = await grants.findByRefreshToken(refreshToken, undefined, tx);
    const session = grant?.sessionId ? await sessions.findOpen(tx, grant.sessionId) : undefined;
    // Mutation: `false` becomes `true`. Another try finds the same.
    if (!session?.mustEnroll) return false;
    const account = await accounts.findIn(tx.sql, session.accountId);
    // Mutation: `false` becomes `true`. As above.
    if (!account || (await secondFactors.mustEnroll(tx, account, session.frontEnd))) return false;
    await sessions.liftEnrollment(tx, session.id);
    return true;
  }

  /**
   * Runs an exchange in one transaction. It commits what an exchange that is refused has ended.
   * @param findAsked returns the scopes that are asked for. What it throws undoes the exchange.
   */
  async function exchange(
    application: Application,
    refusal: string,
    work: (tx: Tx) => Promise<Given | undefined>,
    findAsked = ({ scopes }: Grant) => scopes,
  ): Promise<TokenAnswer> {
    // What is exchanged once must not be lost because there is no key yet.
    await idTokens.ensureKeys();
    const found = await database.transaction(async (tx) => {
      const given = await work(tx);
      const account = given && (await findPerson(tx, application, given.grant));
      if (!given || !account) return undefined;
      return { ...given, account, scopes: await requireAllowed(tx, application, given.grant, findAsked(given.grant)) };
    });
    if (!found) throw invalidGrant(refusal);
    return answer(application, found.grant, found.account, found.refreshToken, found.scopes);
  }

  /**
   * Returns the scopes that an exchange gives. An administrator may have taken scopes or the resource from the application since the
   * person approved them.
   * @throws OAuthError `invalid_grant` if nothing is left. The rollback undoes the exchange.
   */
  async function requireAllowed(tx: Tx, known: Application, { audience }: Grant, asked: readonly string[]) {
    const allows = (application: Application) =>
      mayHaveAudience(application, audience) && asked.every((scope) => application.scopes.includes(scope));
    // What was added a moment ago, this node may not know yet. A change of the application may wait for the grant: do not wait for it.
    // Mutation: `allows(known) ? known : await applications.findIn(tx, known.id)` becomes `await applications.findIn(tx, known.id)`. One statement more.
    const present = allows(known) ? known : await applications.findIn(tx, known.id);
    const left = asked.filter((scope) => present?.scopes.includes(scope));
    if (present && left.length > 0 && mayHaveAudience(present, audience)) return left;
    throw invalidGrant('The application may not ask any more for what the person approved.');
  }

  async function answer(
    application: Application,
    grant: Grant,
    account: Account,
    refreshToken: string | null,
    scopes: readonly string[],
  ): Promise<TokenAnswer> {
    const { accessToken, expiresIn, expiresAt } = applicationTokens.issue({
      grantId: grant.id,
      subject: String(account.id),
      audience: grant.audience,
      clientId: application.clientId,
      scope: scopes.join(' '),
      generation: grant.generation,
      authenticatedAt: grant.authenticatedAt,
      amr: grant.amr,
      // Never after `tokensExpireAt`: a revocation is kept until then.
      expiresAt: earliest(
        grant.expiresAt,
        grant.tokensExpireAt,
        addSeconds(clock.now(), application.accessTokenLifetime),
      ),
      claims: {
        ...(scopes.includes('profile') && { preferred_username: account.userName, name: fullName(account) }),
        ...(scopes.includes('email') &&
          account.emailAddress !== null && { email: account.emailAddress, email_verified: account.isEmailConfirmed }),
        ...(scopes.includes('roles') && { roles: account.roleNames }),
      },
    });
    const claims = {
      iss: issuer,
      sub: String(account.id),
      aud: application.clientId,
      azp: application.clientId,
      exp: toNumericDate(expiresAt),
      iat: toNumericDate(clock.now()),
      auth_time: toNumericDate(grant.authenticatedAt),
      // Only the first ID token answers the request (OpenID Connect Core, 12.2).
      ...(grant.nonce !== null && grant.generation === 0 && { nonce: grant.nonce }),
      acr: grant.amr.includes('mfa') ? 'aal2' : 'aal1',
      amr: grant.amr,
      sid: grant.id,
      at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
      ...(application.claimsInIdToken && claimsOf(account, scopes)),
    };
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: expiresIn,
      scope: scopes.join(' '),
      ...(refreshToken !== null && { refresh_token: refreshToken }),
      ...(scopes.includes('openid') && {
        id_token: await idTokens.sign({ typ: 'JWT', claims, algorithm: application.idTokenAlgorithm }),
      }),
    };
  }

  const byCode: Exchange = async ({ application }, parameters, origin) => {
    const code = parameters.require('code');
    const redirectUri = parameters.require('redirect_uri');
    const verifier = parameters.get('code_verifier');
    return exchange(application, 'The code is wrong, has expired, or was used.', async (tx) => {
      const grant = await grants.findByCode(tx, code);
      if (grant?.applicationId !== application.id) return undefined;
      // A code that was used ends what it gave, whatever comes with it.
      if (grant.redeemedAt === null) {
        requireProof(grant, redirectUri, verifier);
        requireAudience(application, grant, parameters);
      }
      return grants.redeem(tx, toGrantee(application), grant, origin);
    });
  };

  const byRefreshToken: Exchange = async ({ application }, parameters, origin) => {
    const token = parameters.require('refresh_token');
    const asked = parameters.get('scope');
    const refusal = 'The refresh token is wrong, has expired, or was used.';
    const refresh = (tx: Tx) => grants.refresh(tx, toGrantee(application), token, origin);
    const work = async (tx: Tx) =>
      (await refresh(tx)) ?? ((await liftsRestriction(tx, token)) ? refresh(tx) : undefined);
    // After the refresh: a former token ends the grant, whatever comes with it.
    return exchange(application, refusal, work, (grant) => {
      requireAudience(application, grant, parameters);
      return narrow(application, grant, asked);
    });
  };

  const byDeviceCode: Exchange = async ({ application }, parameters, origin) => {
    const mac = deviceCodeMac(secrets, parameters.require('device_code'));
    const refusal = 'The device code is wrong, or was used.';
    const device = await database.transaction(async (tx) => {
      const found = await store.findDevice(tx.sql, { mac });
      if (found?.applicationId !== application.id || found.state !== 'pending')
        // Mutation: `&&` becomes `||`, `false` becomes `true`. Only one that is pending can be early.
        return found && { ...found, isEarly: false };
      const now = clock.now();
      const isEarly = found.polledAt !== null && now < addSeconds(found.polledAt, found.intervalSeconds);
      const interval = found.intervalSeconds + (isEarly ? SLOWER_SECONDS : 0);
      await store.notePoll(tx.sql, mac, now, interval);
      return { ...found, isEarly };
    });
    if (device?.applicationId !== application.id) throw invalidGrant(refusal);
    if (device.expiresAt <= clock.now() && device.state === 'pending') {
      throw new OAuthError('expired_token', 'The code has expired. Start again.');
    }
    if (device.state === 'denied') throw new OAuthError('access_denied', 'The person has refused.');
    if (device.state === 'pending') {
      throw device.isEarly
        ? new OAuthError('slow_down', `Ask ${SLOWER_SECONDS} seconds less often.`)
        : new OAuthError('authorization_pending', 'The person has not answered yet.');
    }
    return exchange(application, refusal, async (tx) => {
      const grantId = await store.redeemDevice(tx.sql, mac);
      // Mutation: `grantId ?? device.grantId ?? ''` becomes `grantId ?? device.grantId`. The default is only for the compiler: a device that was answered has a grant.
      // Mutation: `grantId ?? device.grantId` becomes `device.grantId`. Both name the same one.
      const grant = await grants.findById(tx, grantId ?? device.grantId ?? '');
      if (grant?.redeemedAt === null) requireAudience(application, grant, parameters);
      return grant && grants.redeem(tx, toGrantee(application), grant, origin);
    });
  };

  const byClientCredentials: Exchange = async ({ application, secret }, parameters) => {
    const free = application.scopes.filter((scope) => !STANDARD_SCOPES.some((one) => one === scope));
    const words = new Set(parameters.get('scope')?.split(' ') ?? free);
    // In the order of the application, so that each set of scopes has one grant.
    const asked = free.filter((scope) => words.has(scope));
    if (words.size > 0 && asked.length === 0) {
      throw new OAuthError('invalid_scope', `The application may ask for itself: ${free.join(' ') || 'no scope'}.`);
    }
    const audience = findAudience(application, parameters.all('resource'));
    const grant = await database.transaction(async (tx) => {
      const present = await applications.findProven(tx, application, secret);
      if (!present)
        throw new OAuthError('invalid_client', 'The application was disabled, or its secret or key replaced.');
      return grants.grantOwn(tx, toGrantee(application), { scopes: asked, audience });
    });
    const { accessToken, expiresIn } = applicationTokens.issue({
      grantId: grant.id,
      subject: application.clientId,
      audience,
      clientId: application.clientId,
      scope: asked.join(' '),
      generation: grant.generation,
      expiresAt: earliest(grant.tokensExpireAt, addSeconds(clock.now(), application.accessTokenLifetime)),
      claims: {},
    });
    return { access_token: accessToken, token_type: 'Bearer', expires_in: expiresIn, scope: asked.join(' ') };
  };

  const exchanges: Readonly<Record<string, Exchange>> = {
    authorization_code: byCode,
    refresh_token: byRefreshToken,
    [DEVICE_CODE_GRANT]: byDeviceCode,
    client_credentials: byClientCredentials,
  };

  return (caller, parameters, origin) => {
    const { application } = caller;
    const type = parameters.require('grant_type');
    const run = Object.hasOwn(exchanges, type) ? exchanges[type] : undefined;
    if (!run)
      throw new OAuthError('unsupported_grant_type', `The grant_type is one of ${Object.keys(exchanges).join(', ')}.`);
    if (!application.grants.some((grant) => grant === type)) {
      throw new OAuthError('unauthorized_client', 'The application may not use this grant_type.');
    }
    return run(caller, parameters, { ...origin, frontEnd: application.frontEnd });
  };
}

/**
 * A refresh may ask for less than the grant. Many clients ask again for what they asked first, also for what they did not get.
 * @throws OAuthError `invalid_scope` if nothing is left.
 */
function narrow(application: Application, { scopes }: Grant, asked: string | undefined): readonly string[] {
  if (asked === undefined) return scopes;
  const left = findScopes(application, asked).filter((scope) => scopes.includes(scope));
  if (left.length === 0) throw new OAuthError('invalid_scope', 'A refresh cannot add scopes.');
  return left;
}

/** @throws OAuthError `invalid_target` for another resource than that of the grant (RFC 8707, 2.2). */
function requireAudience(application: Application, { audience }: Grant, parameters: Parameters) {
  const resources = parameters.all('resource');
  if (resources.length > 0 && findAudience(application, resources) !== audience) {
    throw new OAuthError('invalid_target', 'The resource is not the one of the authorization.');
  }
}

const earliest = (...instants: readonly Instant[]): Instant => toInstant(Math.min(...instants));

/** @throws OAuthError `invalid_grant` unless the exchange comes with what the authorization request had. */
function requireProof({ redirectUri, codeChallenge }: Grant, uri: string, verifier: string | undefined) {
  if (redirectUri !== uri) throw invalidGrant('The redirect_uri is not the one of the authorization request.');
  if (fitsChallenge(codeChallenge, verifier)) return;
  throw invalidGrant(
    codeChallenge === null
      ? 'The authorization request had no code_challenge. Send no code_verifier, or a code_challenge with the request.'
      : 'The code_verifier is missing, or does not fit the code_challenge of the authorization request.',
  );
}

/** Whether a verifier fits the challenge (RFC 7636, 4.6). A verifier without a challenge fits none: no downgrade (RFC 9700, 2.1.1). */
function fitsChallenge(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined;
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  const computed = createHash('sha256').update(verifier).digest();
  const expected = Buffer.from(challenge, 'base64url');
  return expected.length === computed.length && timingSafeEqual(computed, expected);
}
