// Providers: those that extensions have registered, where people sign in at them, and whom they vouch for.
import { createBoundedFetch } from '../foundation/bounded-fetch.ts';
import { addSeconds, type Clock, type Instant } from '../foundation/clock.ts';
import type { AuthError } from '../foundation/errors.ts';
import { isSecureUrl } from '../foundation/secure-url.ts';
import { within } from '../foundation/time-limit.ts';
import { externalErrors } from './errors.ts';
import { toLoggable } from './loggable.ts';
import { type Disbelief, type ExternalUser, readProfile } from './profile.ts';
import { type ExternalAuthProviderApiBase, type ExternalLoginProviderInfo, isSameKey } from './provider.ts';

/** How long a provider may take to answer, and how long its answer of where people sign in is kept, good or bad. */
const LIMIT_SECONDS = 10;

/** Longest address, in UTF-16 units. */
const MAX_ADDRESS_LENGTH = 2000;

/** What somebody shows who has been at a provider; nothing of it is believed. */
export type ExternalProof = {
  readonly authProvider: string;
  readonly providerKey: string;
  readonly accessCode: string;
};

/** Where people sign in at a provider, and as whose guests. */
export type SignInPage = { readonly address: string; readonly clientId: string };

export interface Providers {
  /** In the order in which they were registered. */
  list(): Pick<ExternalLoginProviderInfo, 'name' | 'clientId'>[];
  /** The names of those that have a page to sign in at, in the same order; none of them is asked. */
  listSignInPages(): string[];
  /**
   * The page, by the provider's own word: https, or http to this very machine. However often it is called, a provider is
   * asked once in ten seconds.
   * Ends in `external.unknownProvider`, `external.unavailable`.
   */
  findSignInPage(name: string): Promise<SignInPage>;
  /**
   * Asks the provider whose access code it is; its own word for the key must be the one that was given.
   * Ends in `external.unknownProvider`, `external.couldNotValidate`, `external.incompleteProfile`, `external.unavailable`.
   */
  identify(proof: ExternalProof): Promise<ExternalUser>;
}

export function createProviders(deps: { registered: readonly ExternalLoginProviderInfo[]; clock: Clock }): Providers {
  const { registered, clock } = deps;
  const byName = new Map(registered.map((info) => [info.name, info]));
  const withPage = new Map(registered.filter(hasSignInPage).map((info) => [info.name, info]));
  const asked = new Map<string, { at: Instant; page: Promise<SignInPage> }>();

  /** Has the implementation answer within its time. @param given to it, and to stand in no log. */
  async function ask<Answer>(
    info: ExternalLoginProviderInfo,
    given: readonly string[],
    question: (api: ExternalAuthProviderApiBase) => Promise<Answer>,
  ): Promise<Answer> {
    const over = new AbortController();
    try {
      return await within(LIMIT_SECONDS, clock, async (signal) => {
        const fetch = createBoundedFetch(AbortSignal.any([signal, over.signal]));
        return question(new info.providerApiType(info, { fetch }));
      });
    } catch (error) {
      const { name, clientId, clientSecret } = info;
      const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
      const cause = toLoggable(error, [...given, clientSecret, credentials]);
      throw externalErrors.unavailable({ cause: new Error(`The provider "${name}" could not be asked`, { cause }) });
    } finally {
      // An answer that nobody has read to its end would hold its connection for as long as the provider likes.
      over.abort();
    }
  }

  async function askForPage(info: ExternalLoginProviderInfo): Promise<SignInPage> {
    const address = await ask(info, [], async (api) => readAddress(await api.getSignInAddressAsync?.()));
    return { address, clientId: info.clientId };
  }

  return {
    list: () => registered.map(({ name, clientId }) => ({ name, clientId })),

    listSignInPages: () => [...withPage.keys()],

    async findSignInPage(name) {
      const info = withPage.get(name);
      if (!info) throw externalErrors.unknownProvider();
      const now = clock.now();
      const last = asked.get(name);
      // A clock that was set back makes nothing last longer.
      if (last && last.at <= now && now < addSeconds(last.at, LIMIT_SECONDS)) return last.page;
      const page = askForPage(info);
      asked.set(name, { at: now, page });
      return page;
    },

    async identify({ authProvider: name, providerKey, accessCode }) {
      const info = byName.get(name);
      if (!info) throw externalErrors.unknownProvider();
      const profile = await ask(info, [accessCode], async (api) => readProfile(await api.getUserInfoAsync(accessCode)));
      if (typeof profile === 'string') throw disbelieve(name, profile);
      if (!isSameKey(profile.providerKey, providerKey)) throw externalErrors.couldNotValidate();
      return { provider: name, ...profile };
    },
  };
}

const hasSignInPage = ({ providerApiType }: ExternalLoginProviderInfo) =>
  typeof providerApiType.prototype.getSignInAddressAsync === 'function';

/** @throws Error which repeats nothing of what was told. */
function readAddress(told: unknown): string {
  const url = typeof told === 'string' && told.length <= MAX_ADDRESS_LENGTH ? URL.parse(told) : null;
  if (!url || !isSecureUrl(url) || url.username !== '' || url.password !== '') {
    throw new Error('Where people sign in must be a URL with https, or with http to this very machine.');
  }
  url.hash = '';
  return url.href;
}

function disbelieve(name: string, why: Disbelief): AuthError {
  if (why === 'refused') return externalErrors.couldNotValidate();
  if (why === 'nonsense') {
    return externalErrors.unavailable({ cause: new Error(`What the provider "${name}" answers cannot be used`) });
  }
  const cause = new Error(`The provider "${name}" answers without a key or without an e-mail address`);
  return externalErrors.incompleteProfile({ cause });
}
