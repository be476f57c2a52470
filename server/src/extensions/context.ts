// The context: what each extension is given, put together here and nowhere else.
import type { Logger } from 'pino';
import type { Clock } from '../foundation/clock.ts';
import type { ExtensionContext, Log } from './index.ts';

const FETCH_LIMIT_MS = 15_000;

/** @param log the service's own, marked with the extension. */
export function createContext(
  registerChannel: ExtensionContext['registerChannel'],
  { log, clock }: { log: Logger; clock: Clock },
): ExtensionContext {
  return { registerChannel, log: createLog(log), fetch: createFetch(clock) };
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
    const given = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const signal = given ? AbortSignal.any([given, limit.signal]) : limit.signal;
    return fetch(input, { ...init, signal });
  };
}
