// Loading extensions: the modules that LATCHKEY_EXTENSIONS names, each imported and initialized before the service starts.
import { statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import type { Logger } from 'pino';
import { addSeconds, type Clock } from '../foundation/clock.ts';
import type { Additions } from './additions.ts';
import { createContext } from './context.ts';
import type { ExtensionContext } from './index.ts';
import { createChannelRegistry, type RegisteredChannels } from './registered-channels.ts';

/** What extensions import, and the file that they get. */
const API = 'latchkey/extension';
const API_URL = new URL('./index.ts', import.meta.url).href;

/** How long one extension may take to load and initialize. */
const LIMIT_SECONDS = 10;
const LOOK_MS = 20;

/** An extension that is no good; `message` is one line that names variable and module, and says why. */
export class ExtensionError extends Error {
  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`LATCHKEY_EXTENSIONS: ${path} ${problem}`, options);
    this.name = 'ExtensionError';
  }
}

/**
 * Loads the modules one after the other, wherever they lie.
 * @param paths absolute.
 * @returns what they have registered.
 * @throws ExtensionError for the first that cannot be loaded or fails to initialize, or registers what is no good.
 */
export async function loadExtensions(
  paths: readonly string[],
  { log, clock }: { log: Logger; clock: Clock },
): Promise<Additions & { channels: RegisteredChannels }> {
  const registry = createChannelRegistry();
  if (paths.length > 0) leadToApi();
  for (const path of paths) {
    let isInitializing = true;
    const registerChannel = (channel: unknown) => {
      if (!isInitializing) throw new Error('Channels are registered while initialize runs, not later.');
      registry.add(path, channel);
    };
    const marked = log.child({ extension: path });
    const work = load(path, createContext(registerChannel, { log: marked, clock }));
    await endInTime(work, path, clock).finally(() => {
      isInitializing = false;
    });
    marked.info('an extension was loaded');
  }
  return { channels: registry.channels, providers: [], reviewers: [], settings: [], listeners: [] };
}

/** From here on, also for what extensions import later: the API's name leads to this very instance of it. */
function leadToApi() {
  registerHooks({
    resolve: (specifier, context, resolveNext) => resolveNext(specifier === API ? API_URL : specifier, context),
  });
}

async function load(path: string, context: ExtensionContext) {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new ExtensionError(path, 'is not a file.');
  const url = pathToFileURL(path).href;
  const fail = (what: string) => (error: unknown) => {
    throw new ExtensionError(path, `${what}: ${explain(error, path, url)}`, { cause: error });
  };
  const { initialize } = await (import(url) as Promise<{ initialize?: unknown }>).catch(fail('cannot be loaded'));
  if (typeof initialize !== 'function') throw new ExtensionError(path, 'does not export a function "initialize".');
  await Promise.try(() => initialize(context)).catch(fail('fails to initialize'));
}

/** In one line what an extension has thrown, with the line of its source that it came from. */
function explain(error: unknown, path: string, url: string): string {
  const { message = '', name = '', stack = '' } = error instanceof Error ? error : {};
  const told = (message || name || `It throws ${inspect(error)}`).replace(/\s+/g, ' ').trim();
  const [, place = ''] = stack.replaceAll(url, path).split(`${path}:`);
  const [line] = /^\d+/.exec(place) ?? [];
  return line === undefined ? told : `${told} (line ${line})`;
}

/** Looks at the time again and again, which also keeps the process alive while an extension waits for nothing. */
async function endInTime(work: Promise<void>, path: string, clock: Clock) {
  const end = addSeconds(clock.now(), LIMIT_SECONDS);
  let hasEnded = false;
  const limit = async () => {
    while (!hasEnded && clock.now() < end) await clock.sleep(LOOK_MS);
    throw new ExtensionError(path, `has not finished loading and initializing within ${LIMIT_SECONDS} seconds.`);
  };
  await Promise.race([work, limit()]).finally(() => {
    hasEnded = true;
  });
}
