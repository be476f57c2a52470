// Providers: those that extensions have registered, and whom they vouch for.
import { createBoundedFetch } from '../foundation/bounded-fetch.ts';
import type { Clock } from '../foundation/clock.ts';
import type { AuthError } from '../foundation/errors.ts';
import { within } from '../foundation/time-limit.ts';
import { externalErrors } from './errors.ts';
import { toLoggable } from './loggable.ts';
import { type Disbelief, type ExternalUser, readProfile } from './profile.ts';
import { type ExternalLoginProviderInfo, isSameKey } from './provider.ts';

/** How long a provider may take to say who somebody is. */
const LIMIT_SECONDS = 10;

/** What somebody shows who has been at a provider; nothing of it is believed. */
export type ExternalProof = {
  readonly authProvider: string;
  readonly providerKey: string;
  readonly accessCode: string;
};

export interface Providers {
  /** In the order in which they were registered. */
  list(): Pick<ExternalLoginProviderInfo, 'name' | 'clientId'>[];
  /**
   * Asks the provider whose access code it is; its own word for the key must be the one that was given.
   * Ends in `external.unknownProvider`, `external.couldNotValidate`, `external.incompleteProfile`, `external.unavailable`.
   */
  identify(proof: ExternalProof): Promise<ExternalUser>;
}

export function createProviders(deps: { registered: readonly ExternalLoginProviderInfo[]; clock: Clock }): Providers {
  const { registered, clock } = deps;
  const byName = new Map(registered.map((info) => [info.name, info]));

  async function ask(info: ExternalLoginProviderInfo, accessCode: string) {
    const over = new AbortController();
    try {
      return await within(LIMIT_SECONDS, clock, async (signal) => {
        const fetch = createBoundedFetch(AbortSignal.any([signal, over.signal]));
        return readProfile(await new info.providerApiType(info, { fetch }).getUserInfoAsync(accessCode));
      });
    } catch (error) {
      const { name, clientId, clientSecret } = info;
      const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
      const cause = toLoggable(error, [accessCode, clientSecret, credentials]);
      throw externalErrors.unavailable({ cause: new Error(`The provider "${name}" could not be asked`, { cause }) });
    } finally {
      // An answer that nobody has read to its end would hold its connection for as long as the provider likes.
      over.abort();
    }
  }

  return {
    list: () => registered.map(({ name, clientId }) => ({ name, clientId })),

    async identify({ authProvider: name, providerKey, accessCode }) {
      const info = byName.get(name);
      if (!info) throw externalErrors.unknownProvider();
      const profile = await ask(info, accessCode);
      if (typeof profile === 'string') throw disbelieve(name, profile);
      if (!isSameKey(profile.providerKey, providerKey)) throw externalErrors.couldNotValidate();
      return { provider: name, ...profile };
    },
  };
}

function disbelieve(name: string, why: Disbelief): AuthError {
  if (why === 'refused') return externalErrors.couldNotValidate();
  if (why === 'nonsense') {
    return externalErrors.unavailable({ cause: new Error(`What the provider "${name}" answers cannot be used`) });
  }
  const cause = new Error(`The provider "${name}" answers without a key or without an e-mail address`);
  return externalErrors.incompleteProfile({ cause });
}
