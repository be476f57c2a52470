// The context: the argument of each extension's `initialize`.
import type { Logger } from 'pino';
import { createBoundedFetch } from '../foundation/bounded-fetch.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { Reviewer } from '../providers/index.ts';
import { type ServiceEvent, toServiceEvent } from './event.ts';
import type { ExtensionContext, Log } from './index.ts';
import type { createChannelRegistry } from './registered-channels.ts';
import type { createProviderRegistry } from './registered-providers.ts';
import type { createSettingRegistry } from './registered-settings.ts';

const FETCH_LIMIT_MS = 15_000;

/** Collect what extensions register. */
export type Registries = {
  readonly channels: ReturnType<typeof createChannelRegistry>;
  readonly providers: ReturnType<typeof createProviderRegistry>;
  readonly settings: ReturnType<typeof createSettingRegistry>;
  readonly reviewers: Reviewer[];
  readonly listeners: ((occurrence: Occurrence) => void)[];
};

/**
 * @param path the extension's.
 * @param log the service's log, marked with the extension.
 * @param isInitializing whether the extension may register something now.
 */
export function createContext(
  path: string,
  { channels, providers, settings, reviewers, listeners }: Registries,
  { log, clock, isInitializing }: { log: Logger; clock: Clock; isInitializing: () => boolean },
): ExtensionContext {
  const whileInitializing =
    <Given, Result>(register: (given: Given) => Result) =>
    (given: Given): Result => {
      if (!isInitializing()) throw new Error('initialize has ended: register everything while it runs.');
      return register(given);
    };
  return {
    externalAuth: providers.configuration,
    onExternalUserRegistering: whileInitializing((reviewer) => {
      requireFunction('onExternalUserRegistering', reviewer);
      reviewers.push(reviewer);
    }),
    // The schema gives the type of the value, which the registry checks when the service reads it.
    defineSetting: whileInitializing((definition) =>
      settings.add(path, definition),
    ) as ExtensionContext['defineSetting'],
    subscribe: whileInitializing((listener) => {
      requireFunction('subscribe', listener);
      listeners.push(createSubscriber(listener, log));
    }),
    registerChannel: whileInitializing((channel) => channels.add(path, channel)),
    log: createLog(log),
    fetch: createFetch(clock),
  };
}

function requireFunction(caller: string, value: unknown) {
  if (typeof value !== 'function') throw new Error(`${caller} takes a function.`);
}

function createSubscriber(listener: (event: ServiceEvent) => unknown, log: Logger) {
  return (occurrence: Occurrence) => {
    const event = toServiceEvent(occurrence);
    Promise.try(listener, event).catch((error) => {
      log.error({ err: error, action: event.action }, 'an extension failed to listen to an event');
    });
  };
}

function createLog(log: Logger): Log {
  return {
    info: (message, data = {}) => log.info(data, message),
    warn: (message, data = {}) => log.warn(data, message),
    error: (message, data = {}) => log.error(data, message),
  };
}

function createFetch(clock: Clock): typeof fetch {
  return (input, init) => {
    const limit = new AbortController();
    const stopTimer = clock.every(FETCH_LIMIT_MS, () => {
      stopTimer();
      limit.abort(new DOMException(`It took longer than ${FETCH_LIMIT_MS / 1000} s.`, 'TimeoutError'));
    });
    return createBoundedFetch(limit.signal)(input, init);
  };
}
