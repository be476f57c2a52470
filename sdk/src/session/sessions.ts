// Sessions of server-rendered applications: the tokens stay in an encrypted cookie that scripts cannot read.
import { requireUrl, toBase, withoutRedirects } from '../service-url.ts';
import { machine, type System, within } from '../verify/system.ts';
import { type ApplicationTokens, createApplicationTokens } from './application-tokens.ts';
import {
  type Credentials,
  type Parts,
  SessionRefused,
  type SessionRequest,
  type Sessions,
  type SessionsOptions,
  type SignedIn,
  type SignInOptions,
  SignOutFailed,
} from './interface.ts';
import { createJar, toLocalPath } from './jar.ts';
import { createLateVerifier } from './late-verifier.ts';
import { createOwnTokens } from './own-tokens.ts';
import { createRefreshes } from './refreshes.ts';
import { createSeals } from './seal.ts';
import { CALL_MS, type Held, type Origin, readTimes, readUser } from './tokens.ts';

/** After a refresh that failed, one request in this time tries again, while the tokens are still valid. */
const RETRY_MS = 5000;

/** Creates the sessions of an application. Create them once for each process. @throws TypeError if an option is wrong. */
export function createSessions(options: SessionsOptions): Sessions {
  return createSessionsOn(machine, options);
}

/** @param system tells the time. */
export function createSessionsOn(system: System, options: SessionsOptions): Sessions {
  checkOptions(options);
  const { application, clientAddress = ({ ip }) => ip } = options;
  const verifier =
    typeof options.verifier === 'function' ? createLateVerifier(options.verifier, system) : options.verifier;
  const places = { baseUrl: toBase(options.baseUrl), serviceUrl: toBase(options.serviceUrl ?? options.baseUrl) };
  const request = withoutRedirects(places.serviceUrl, options.fetch ?? fetch.bind(globalThis));
  const seals = createSeals(options.secret);
  const jar = createJar(options, seals);
  const own = createOwnTokens({ baseUrl: places.serviceUrl, frontEnd: options.frontEnd, fetch: request }, system.now);
  const ofApplication =
    application && createApplicationTokens({ ...places, application, fetch: request, now: system.now });
  const tokens = ofApplication ?? own;
  const refreshes = createRefreshes(tokens, seals, options.store, system);
  /** When a request may try again after a refresh that failed. 0: the last one succeeded. */
  let retryAt = 0;

  /** Hands on what the service wants to know of a browser. */
  function originOf(from: SessionRequest): Origin {
    const browser = from.headers.get('user-agent');
    const address = clientAddress(from);
    return {
      ...(browser !== null && { 'user-agent': browser }),
      ...(address !== undefined && { 'x-forwarded-for': address }),
    };
  }

  /** @param isExchanged whether the service has just given the tokens. If the verifier cannot tell, they would be lost with the answer. */
  async function isOpen(held: Held, origin: Origin, isExchanged = false): Promise<boolean> {
    if (!verifier) return tokens.isOpen(held, origin);
    return verifier.verify(held.token).then(
      () => true,
      (error) => {
        if (isRejection(error)) return false;
        if (isExchanged) return tokens.isOpen(held, origin);
        throw error;
      },
    );
  }

  /** @throws Error if the verifier is for other tokens: people would sign in again and again. */
  async function requireAccepted(held: Held, origin: Origin) {
    await verifier?.verify(held.token).catch(async (error) => {
      if (rejectionOf(error) !== 'invalid') return;
      await tokens.end(held, origin).catch(() => undefined);
      throw new Error('The verifier refuses what the service has just issued: check its issuer and audience.', {
        cause: error,
      });
    });
  }

  /** Returns the tokens to use instead, or those given if the service does not exchange them at once and they are still valid. */
  async function renew(held: Held, origin: Origin): Promise<Held | undefined> {
    const { issuedAt, expiresAt } = readTimes(held);
    const now = system.now();
    const isOver = now >= expiresAt;
    const canRefresh = tokens.outliveToken ? held.refreshToken !== undefined : !isOver;
    if (!canRefresh || now < (issuedAt + expiresAt) / 2) return isOver ? undefined : held;
    if (!isOver && system.elapsed() < retryAt) return held;
    if (retryAt > 0) retryAt = system.elapsed() + RETRY_MS;
    let isWaiting = true;
    try {
      const exchange = refreshes
        .refresh(held, origin, () => isWaiting)
        .then((renewed) => {
          retryAt = 0;
          return renewed;
        });
      return await (isOver ? exchange : within(system, CALL_MS, 'service', exchange));
    } catch (error) {
      retryAt = system.elapsed() + RETRY_MS;
      if (isOver) throw error;
      return held;
    } finally {
      isWaiting = false;
    }
  }

  async function auth(from: SessionRequest, canSetCookies: boolean): Promise<SignedIn | null> {
    const given = await jar.read(from);
    if (!given) return null;
    const origin = originOf(from);
    const isOver = system.now() >= readTimes(given).expiresAt;
    let held: Held | undefined;
    // Look before the exchange: if nobody can tell, the new tokens would be lost with the answer.
    if (!isOver && (await isOpen(given, origin))) {
      held = canSetCookies ? await renew(given, origin) : given;
    } else {
      // They have expired, perhaps by the clock of the service alone. Or a parallel request has exchanged them.
      const canRefresh = canSetCookies && given.refreshToken !== undefined;
      const isRefused = !isOver;
      held = await (canRefresh ? refreshes.refresh(given, origin) : refreshes.find(given, { isRefused }));
    }
    if (held === given) return { user: readUser(held), token: held.token, headers: new Headers() };
    // A sign-out may have met the exchange.
    if (!held || !(await isOpen(held, origin, true))) return null;
    return { user: readUser(held), token: held.token, headers: await jar.write(from, held) };
  }

  async function signInWith(credentials: Credentials, from: SessionRequest) {
    requireOwnPage(from);
    const result = await own.signIn(credentials, await jar.readDevice(from), originOf(from));
    if ('challengeToken' in result) return { status: 200, headers: new Headers(), challenge: result };
    await requireAccepted(result.held, originOf(from));
    const headers = await jar.write(from, result.held);
    if (result.device !== undefined) addCookies(headers, await jar.keepDevice(from, result.device));
    return { status: 204, headers };
  }

  async function begin(at: ApplicationTokens, { returnTo = '/', ...wanted }: SignInOptions, from: SessionRequest) {
    const { url, begun } = await at.begin(wanted);
    return redirect(url.href, await jar.keepPending(from, { begun, returnTo: toLocalPath(returnTo) }));
  }

  return {
    async signIn(from, given = {}) {
      if (ofApplication && !isCredentials(given)) return begin(ofApplication, given, from);
      if (!ofApplication && isCredentials(given)) return signInWith(given, from);
      throw new TypeError(
        `signIn: ${ofApplication ? 'people type their credentials into the service' : 'give the credentials'}`,
      );
    },
    async callback(from) {
      if (!ofApplication) throw new TypeError('callback: people sign in without `application`');
      const { searchParams } = new URL(from.url);
      const taken = await jar.takePending(from, searchParams.get('state') ?? '');
      if (!taken)
        throw new SessionRefused(
          'request_expired',
          'This sign-in was begun too long ago, before several others, or in another browser. Begin again.',
        );
      const { pending, headers } = taken;
      const held = await ofApplication.complete(searchParams, pending.begun, originOf(from));
      await requireAccepted(held, originOf(from));
      const kept = await jar.write(from, held);
      addCookies(kept, headers);
      return redirect(pending.returnTo, kept);
    },
    async signOut(from) {
      requireOwnPage(from);
      const given = await jar.read(from);
      const headers = await jar.write(from, undefined);
      let isOpen = given !== undefined;
      try {
        // The service takes tokens that were exchanged: a store that is away holds up no sign-out.
        const held = given && ((await refreshes.find(given).catch(() => undefined)) ?? given);
        if (held) await tokens.end(held, originOf(from));
        isOpen = false;
        if (!ofApplication) return { status: 204, headers };
        return redirect((await ofApplication.signOutUrl(held)).href, headers);
      } catch (error) {
        throw new SignOutFailed({ status: 204, headers }, error, isOpen);
      }
    },
    async renew(from) {
      const given = await jar.read(from);
      const held = given && (await renew(given, originOf(from)));
      return held === given ? new Headers() : jar.write(from, held);
    },
    auth: (from, { canSetCookies = true } = {}) => auth(from, canSetCookies),
  };
}

/** Options often come from variables that are not set. */
function checkOptions({ baseUrl, serviceUrl = baseUrl, application }: SessionsOptions): void {
  for (const [name, url] of Object.entries({ baseUrl, serviceUrl, redirectUri: application?.redirectUri ?? baseUrl }))
    requireUrl(name, url);
  for (const name of ['clientId', 'clientSecret'] as const) {
    if (application && !application[name])
      throw new TypeError(`application.${name}: give what the registration has shown`);
  }
}

const isCredentials = (given: SignInOptions | Credentials): given is Credentials =>
  'call' in given || 'userNameOrEmailAddress' in given;

/** Returns why a verifier throws. The class of the error may come from another entry. */
const rejectionOf = (error: unknown) =>
  error instanceof Error && error.name === 'TokenRejected' && 'reason' in error ? error.reason : undefined;

/** Whether a verifier says that a token is not valid, and not that it cannot tell. */
const isRejection = (error: unknown) => (rejectionOf(error) ?? 'stale') !== 'stale';

function addCookies(headers: Headers, more: Headers) {
  for (const line of more.getSetCookie()) headers.append('set-cookie', line);
}

function redirect(location: string, headers: Headers): Parts {
  headers.set('location', location);
  return { status: 303, headers };
}

/** Other sites must not sign people in or out here. Browsers say where a request comes from. @throws SessionRefused */
function requireOwnPage({ url, headers }: SessionRequest): void {
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  const isOwn =
    site === null ? origin === null || hostOf(origin) === new URL(url).host : ['same-origin', 'none'].includes(site);
  if (!isOwn) throw new SessionRefused('other_site', 'This request comes from a page of another site.');
}

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : origin);
