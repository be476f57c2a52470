// Providers: those that extensions have registered, and whom they vouch for.
import type { Logger } from 'pino';
import { createBoundedFetch } from '../foundation/bounded-fetch.ts';
import type { Clock } from '../foundation/clock.ts';
import type { AuthError } from '../foundation/errors.ts';
import { within } from '../foundation/time-limit.ts';
import { externalErrors } from './errors.ts';
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

export function createProviders(deps: {
  registered: readonly ExternalLoginProviderInfo[];
  clock: Clock;
  log: Logger;
}): Providers {
  const { registered, clock, log } = deps;
  const byName = new Map(registered.map((info) => [info.name, info]));

  async function ask(info: ExternalLoginProviderInfo, accessCode: string) {
    const { name, providerApiType } = info;
    try {
      return await within(LIMIT_SECONDS, clock, async (signal) => {
        const provider = new providerApiType(info, { fetch: createBoundedFetch(signal) });
        return readProfile(await provider.getUserInfoAsync(accessCode));
      });
    } catch (error) {
      log.error({ err: error, provider: name }, 'an external provider could not be asked');
      throw externalErrors.unavailable({ cause: error });
    }
  }

  function disbelieve(name: string, why: Disbelief): AuthError {
    if (why === 'refused') return externalErrors.couldNotValidate();
    log.error({ provider: name, why }, 'an external provider answered what cannot be used');
    return why === 'incomplete' ? externalErrors.incompleteProfile() : externalErrors.unavailable();
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
