// Providers: the registered external providers, their sign-in pages, and the identities that they confirm.
import { createBoundedFetch } from '../foundation/bounded-fetch.ts';
import { addSeconds, type Clock, type Instant } from '../foundation/clock.ts';
import { createEgressFetch, type Egress } from '../foundation/egress.ts';
import type { AuthError } from '../foundation/errors.ts';
import { isSecureUrl } from '../foundation/secure-url.ts';
import { within } from '../foundation/time-limit.ts';
import type { Tx } from '../storage/database.ts';
import { externalDetails, externalErrors } from './declarations.ts';
import { type ProviderStep, type ProviderWithSecret, sourceOf } from './external-provider.ts';
import type { ExternalProviders } from './external-providers.ts';
import { toLoggable } from './loggable.ts';
import { markOf, toDataAddress } from './marks.ts';
import {
  type AnswerProblem,
  type ConfirmedRules,
  type IdentifiedUser,
  type ProfileProblem,
  type RegistrationRules,
  readAnswer,
} from './profile.ts';
import {
  type AuthorizationCodeGrant,
  type AuthorizationRequestForm,
  type ExternalAuthCall,
  type ExternalAuthProviderApiBase,
  type ExternalLoginProviderInfo,
  isSameKey,
  type ResponseType,
} from './provider.ts';

/** A provider must answer within this time. Its sign-in page, or the failure to get it, is cached as long. */
const LIMIT_SECONDS = 10;

/** Length of the longest address, in UTF-16 units. */
const MAX_ADDRESS_LENGTH = 2000;

/** What a caller sends after a sign-in at a provider. It is untrusted until the provider confirms it. */
export type ExternalProof = {
  readonly authProvider: string;
  readonly providerKey: string;
  readonly accessCode: string;
};

/** The sign-in page of a provider, and the client id to use there. */
export type SignInPage = { readonly address: string; readonly clientId: string };

/** The same with the response type that the provider answers with, and what else a request holds. */
export type AuthorizationPage = SignInPage & {
  /** Whether a client may be registered there for the hybrid flow alone. A registered provider has the code flow. */
  readonly mayBeHybrid: boolean;
  readonly responseType: ResponseType;
  readonly form: AuthorizationRequestForm;
  /** What tells the provider whose page it is: {@link Providers.findSource} could name one that came later. */
  readonly source: string;
};

/** A provider of the list, registered in code or at run time. */
type Listed = Required<Pick<ExternalLoginProviderInfo, 'name' | 'clientId' | 'displayName'>> & {
  readonly icon: string | undefined;
  readonly hasSignInPage: boolean;
  readonly rules: RegistrationRules;
  /** Tells a registered provider. Null: one of code. */
  readonly source: string | null;
  /** Returns the client secret, or '' if it cannot be read. */
  readSecret(): string;
  /** Returns its class, which is loaded when first needed. */
  find(): Promise<ExternalLoginProviderInfo>;
  /** Returns the `fetch` of one call. */
  fetchUntil(signal: AbortSignal): typeof fetch;
};

export interface Providers {
  /** Returns the providers of code in the order of their registration, and then those of administrators, the oldest first. */
  list(): { name: string; clientId: string; displayName: string }[];
  /** Returns the names of all these providers, as stored now. */
  readNames(tx: Tx): Promise<ReadonlySet<string>>;
  /** Returns the providers with a sign-in page, in the same order, each with its icon. It calls no provider. */
  listSignInPages(): { name: string; displayName: string; icon: string | null }[];
  /**
   * Returns the sign-in page that the provider names: https, or http to this machine. It calls a provider at most once in
   * ten seconds.
   * @throws AuthError `external.unknownProvider`, `external.unavailable`.
   */
  findSignInPage(name: string): Promise<SignInPage>;
  /** Returns the same page with its response type. The errors and the limit are those of `findSignInPage`. */
  findAuthorizationPage(name: string): Promise<AuthorizationPage>;
  /**
   * Returns what tells the provider as it is now. The response to a request to another one is not its own.
   * @throws AuthError `external.unknownProvider`.
   */
  findSource(name: string): string;
  /**
   * Requires, in the transaction that acts, that the provider which has identified a person is still there.
   * @returns who may register by it.
   * @throws AuthError `external.unknownProvider`.
   */
  confirm(tx: Tx, user: IdentifiedUser): Promise<ConfirmedRules>;
  /** Returns whether the provider which has identified a person is still there, in the transaction that signs the person in. */
  isCurrent(tx: Tx, user: IdentifiedUser): Promise<boolean>;
  /**
   * Asks the provider to whom the access code belongs. The provider's key must equal the key of the proof. The profile is an
   * error if the provider says too little to register the person: `external.couldNotValidate` for an address that it has not
   * verified, `external.incompleteProfile` or `external.unavailable`.
   * @throws AuthError `external.unknownProvider`, `external.couldNotValidate`, `external.incompleteProfile`,
   *   `external.unavailable`.
   */
  identify(proof: ExternalProof): Promise<IdentifiedUser>;
  /**
   * Tries a provider of an administrator, enabled or not: asks it for everything that a sign-in needs. It has no other effect.
   * @returns what came of each step.
   */
  check(row: ProviderWithSecret): Promise<ProviderStep[]>;
  /**
   * Asks the provider to whom the authorization code belongs. The key is the one that the provider names.
   * @param source that of the request. No other provider of the name gets the code.
   * @throws AuthError as `identify`.
   */
  redeem(name: string, source: string, grant: AuthorizationCodeGrant): Promise<IdentifiedUser>;
}

/** @param deps.registered those of code. @param deps.rows those of administrators. A name of code wins. */
export function createProviders(deps: {
  registered: readonly ExternalLoginProviderInfo[];
  rows: Pick<ExternalProviders, 'list' | 'readEnabledNames' | 'confirm' | 'isCurrent'>;
  egress: Egress;
  clock: Clock;
}): Providers {
  const { registered, rows, egress, clock } = deps;
  const ofCode = new Map(registered.map((info) => [info.name, listCode(info)]));
  const ofRows = new WeakMap<ProviderWithSecret, Listed>();
  const cached = new WeakMap<Listed, { at: Instant; page: Promise<AuthorizationPage> }>();

  function toListed(row: ProviderWithSecret): Listed {
    const known = ofRows.get(row) ?? listRow(row, egress);
    ofRows.set(row, known);
    return known;
  }

  const listAll = (): Listed[] => [
    ...ofCode.values(),
    ...rows
      .list()
      .filter(({ isEnabled, name }) => isEnabled && !ofCode.has(name))
      .map(toListed),
  ];

  function find(name: string): Listed {
    const listed = ofCode.get(name) ?? listAll().find((one) => one.name === name);
    if (!listed) throw externalErrors.unknownProvider();
    return listed;
  }

  /** Calls an implementation with a time limit. @param secrets texts that must not be logged. */
  async function ask<Answer>(
    listed: Listed,
    secrets: readonly string[],
    call: (api: ExternalAuthProviderApiBase) => Promise<Answer>,
  ): Promise<Answer> {
    const ended = new AbortController();
    try {
      return await within(LIMIT_SECONDS, clock, async (signal) => {
        const fetch = listed.fetchUntil(AbortSignal.any([signal, ended.signal]));
        const limit: ExternalAuthCall['within'] = (seconds, work) => within(seconds, clock, work);
        const info = await listed.find();
        return call(new info.providerApiType(info, { fetch, within: limit }));
      });
    } catch (error) {
      throw notAsked(listed, toLoggable(error, secretsOf(listed, secrets)));
    } finally {
      // A response that was not read to its end would keep its connection open.
      ended.abort();
    }
  }

  async function askForPage(listed: Listed): Promise<AuthorizationPage> {
    return ask(listed, [], async (api) => {
      const address = readAddress(await api.getSignInAddressAsync?.());
      const { clientId, source } = listed;
      return {
        address,
        clientId,
        mayBeHybrid: source === null,
        responseType: api.responseType,
        form: api.describeRequest(),
        source: tellOf(listed),
      };
    });
  }

  async function findAuthorizationPage(name: string): Promise<AuthorizationPage> {
    const listed = find(name);
    if (!listed.hasSignInPage) throw externalErrors.unknownProvider();
    const now = clock.now();
    const last = cached.get(listed);
    // If the clock was set back, the cached page does not count.
    if (last && last.at <= now && now < addSeconds(last.at, LIMIT_SECONDS)) {
      // Only the request that asked the provider logs why that failed: any number of others may come.
      return last.page.catch(() => Promise.reject(externalErrors.unavailable()));
    }
    const page = askForPage(listed);
    cached.set(listed, { at: now, page });
    return page;
  }

  /** Returns the user whom the class names. @param secrets texts that must not be logged. */
  async function findUser(
    listed: Listed,
    secrets: readonly string[],
    call: (api: ExternalAuthProviderApiBase) => Promise<unknown>,
  ): Promise<IdentifiedUser> {
    const { answer, why } = await ask(listed, secrets, async (api) => {
      const user = await call(api);
      return { answer: readAnswer(user), why: api.refusalReason };
    });
    const toCause = (thrown: unknown) => toLoggable(thrown, secretsOf(listed, secrets));
    if (typeof answer === 'string')
      throw toError(listed, answer, why === undefined ? undefined : toCause(new Error(why)));
    const { providerKey, profile, failure } = answer;
    const known = typeof profile === 'string' ? toProfileError(listed, profile, () => toCause(failure)) : profile;
    return { provider: listed.name, providerKey, profile: known, rules: listed.rules, source: listed.source };
  }

  return {
    list: () => listAll().map(({ name, clientId, displayName }) => ({ name, clientId, displayName })),

    readNames: async (tx) => new Set([...ofCode.keys(), ...(await rows.readEnabledNames(tx))]),

    listSignInPages: () =>
      listAll()
        .filter(({ hasSignInPage }) => hasSignInPage)
        .map(({ name, displayName, icon }) => ({ name, displayName, icon: toDataAddress(icon) })),

    async findSignInPage(name) {
      const { address, clientId } = await findAuthorizationPage(name);
      return { address, clientId };
    },

    findAuthorizationPage,

    findSource: (name) => tellOf(find(name)),

    confirm: async (tx, { provider, source }) => (source === null ? NO_RULES : rows.confirm(tx, provider, source)),

    isCurrent: async (tx, { provider, source }) => source === null || rows.isCurrent(tx, provider, source),

    async identify({ authProvider: name, providerKey, accessCode }) {
      const user = await findUser(find(name), [accessCode], (api) => api.getUserInfoAsync(accessCode));
      if (isSameKey(user.providerKey, providerKey)) return user;
      const cause = new Error(`The provider "${name}" names another key than the front end`);
      throw externalErrors.couldNotValidate({ cause });
    },

    async check(row) {
      const { checkProvider } = await import('./apis/registered-apis.ts');
      const ended = new AbortController();
      const limit: ExternalAuthCall['within'] = (seconds, work) => within(seconds, clock, work);
      try {
        return await checkProvider(row, { fetch: createEgressFetch(egress, ended.signal), within: limit }, clock.now());
      } finally {
        ended.abort();
      }
    },

    async redeem(name, source, grant) {
      const listed = find(name);
      if (tellOf(listed) !== source) throw externalErrors.unknownProvider();
      return findUser(listed, [grant.code, grant.codeVerifier], (api) => api.getUserInfoByCodeAsync(grant));
    },
  };
}

/** Returns what tells a provider from any other one, past or to come: the name of one of code, or the source of a registered one. */
const tellOf = ({ name, source }: Listed): string => source ?? name;

/** Everybody may register by a provider of code: its reviewers decide. */
const NO_RULES: ConfirmedRules = {
  registersNewUsers: true,
  allowedDomains: [],
  roleForNewUsers: null,
  verifiesAddresses: true,
};

function listCode(info: ExternalLoginProviderInfo): Listed {
  const { name, clientId, displayName = name, icon, providerApiType } = info;
  return {
    name,
    clientId,
    displayName,
    icon,
    hasSignInPage: typeof providerApiType.prototype.getSignInAddressAsync === 'function',
    rules: NO_RULES,
    source: null,
    readSecret: () => info.clientSecret,
    find: async () => info,
    fetchUntil: createBoundedFetch,
  };
}

/** Lists a provider whose addresses an administrator has named: it is asked through the guard of such addresses. */
function listRow(row: ProviderWithSecret, egress: Egress): Listed {
  const { name, clientId, displayName, registersNewUsers, allowedDomains, roleForNewUsers } = row;
  let info: Promise<ExternalLoginProviderInfo> | undefined;
  return {
    name,
    clientId,
    displayName,
    icon: markOf(row.type),
    hasSignInPage: true,
    rules: { registersNewUsers, allowedDomains, roleForNewUsers },
    source: sourceOf(row),
    readSecret: () => readSecretOf(row),
    find() {
      info ??= import('./apis/registered-apis.ts').then(({ toInfo }) => toInfo(row));
      info.catch(() => {
        info = undefined;
      });
      return info;
    },
    fetchUntil: (signal) => createEgressFetch(egress, signal),
  };
}

/** A secret that was sealed by another master secret cannot be opened. Then nothing can leak it either. */
function readSecretOf(row: ProviderWithSecret): string {
  try {
    return row.clientSecret;
  } catch {
    return '';
  }
}

/** Reads the address of a sign-in page. @throws Error that does not contain the address. */
function readAddress(answer: unknown): string {
  const url = typeof answer === 'string' && answer.length <= MAX_ADDRESS_LENGTH ? URL.parse(answer) : null;
  if (!url || !isSecureUrl(url) || url.username !== '' || url.password !== '') {
    throw new Error('The address of the sign-in page must be a URL with https, or with http to this machine.');
  }
  url.hash = '';
  return url.href;
}

/** Returns what a class may not say in the log. */
function secretsOf({ clientId, readSecret }: Listed, secrets: readonly string[]): string[] {
  const secret = readSecret();
  return [...secrets, secret, Buffer.from(`${clientId}:${secret}`).toString('base64')];
}

const notAsked = ({ name }: Listed, cause: Error) =>
  externalErrors.unavailable({ cause: new Error(`The provider "${name}" could not be asked`, { cause }) });

/** Returns the error of an answer that identifies no person. */
function toError({ name }: Listed, problem: AnswerProblem, why: Error | undefined): AuthError {
  const explain = (message: string) => new Error(`The provider "${name}" ${message}`, why && { cause: why });
  if (problem === 'refused') return externalErrors.couldNotValidate({ cause: explain('has refused the code') });
  if (problem === 'incomplete') return externalErrors.incompleteProfile({ cause: explain('has named no key') });
  return externalErrors.unavailable({ cause: explain('has given a malformed answer') });
}

/** Returns the error of a person who is not linked, and cannot register with what the provider says. */
function toProfileError(info: Listed, problem: ProfileProblem, failureOf: () => Error): AuthError {
  const explain = (message: string) => new Error(`The provider "${info.name}" ${message}`);
  if (problem === 'failed') return notAsked(info, failureOf());
  if (problem === 'incomplete')
    return externalErrors.incompleteProfile({ cause: explain('has named no e-mail address') });
  if (problem === 'unverified') {
    const cause = explain('does not say that the e-mail address is verified');
    return externalErrors.couldNotValidate({ details: externalDetails.notVerified, cause });
  }
  const cause = explain('has given a malformed e-mail address or name');
  return externalErrors.unavailable({ details: externalDetails.unusable, cause });
}
