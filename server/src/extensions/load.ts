// Loads extensions: imports and initializes each module of LATCHKEY_EXTENSIONS before the service starts.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import type { Logger } from 'pino';
import type { Clock } from '../foundation/clock.ts';
import { readFileState } from '../foundation/file-state.ts';
import { TimeLimitError, within } from '../foundation/time-limit.ts';
import type { Additions } from './additions.ts';
import { createContext, type Registries } from './context.ts';
import type { ExtensionContext } from './index.ts';
import { createChannelRegistry, type RegisteredChannels } from './registered-channels.ts';
import { createProviderRegistry } from './registered-providers.ts';
import { createSettingRegistry } from './registered-settings.ts';

/** The name that extensions import. Here it resolves to this instance of it, in a checkout as in the package. */
const API = 'latchkey/extension';
const API_URL = import.meta.resolve(API);

/** The time that one extension may take to load and initialize. */
const LIMIT_SECONDS = 10;

/** An extension is invalid. `message` is one line that names the variable, the module and the problem. */
export class ExtensionError extends Error {
  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`LATCHKEY_EXTENSIONS: ${path} ${problem}`, options);
    this.name = 'ExtensionError';
  }
}

/**
 * Loads the modules one after the other.
 * @param paths absolute paths, also outside the checkout.
 * @param takenSettings names of the service's own settings, which extensions may not define.
 * @returns what the modules have registered.
 * @throws ExtensionError for the first module that cannot be loaded, fails to initialize or registers something invalid.
 */
export async function loadExtensions(
  paths: readonly string[],
  { log, clock, takenSettings = [] }: { log: Logger; clock: Clock; takenSettings?: readonly string[] },
): Promise<Additions & { channels: RegisteredChannels }> {
  const registries: Registries = {
    channels: createChannelRegistry(),
    providers: createProviderRegistry(log),
    settings: createSettingRegistry(takenSettings),
    reviewers: [],
    listeners: [],
  };
  if (paths.length > 0) resolveApiImports();
  for (const path of paths) await loadOne(path, registries, { log: log.child({ extension: path }), clock });
  const { channels, providers, settings, reviewers, listeners } = registries;
  return {
    channels: channels.channels,
    providers: providers.close(),
    settings: settings.definitions,
    useSettings: settings.use,
    reviewers,
    listeners,
  };
}

async function loadOne(path: string, registries: Registries, { log, clock }: { log: Logger; clock: Clock }) {
  let isInitializing = true;
  const context = createContext(path, registries, { log, clock, isInitializing: () => isInitializing });
  try {
    await within(LIMIT_SECONDS, clock, () => load(path, context, registries.providers));
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error;
    throw new ExtensionError(path, `has not finished loading and initializing within ${LIMIT_SECONDS} seconds.`);
  } finally {
    isInitializing = false;
  }
  log.info('an extension was loaded');
}

/** Resolves the API's name to this instance of it, for all imports from now on. */
function resolveApiImports() {
  registerHooks({
    resolve: (specifier, context, resolveNext) => resolveNext(specifier === API ? API_URL : specifier, context),
  });
}

async function load(path: string, context: ExtensionContext, providers: Registries['providers']) {
  const stats = readFileState(path);
  if (stats === 'hidden') throw new ExtensionError(path, 'cannot be read by this user.');
  if (!stats?.isFile()) throw new ExtensionError(path, 'is not a file.');
  const url = pathToFileURL(path).href;
  const fail = (what: string) => (error: unknown) => {
    throw new ExtensionError(path, `${what}: ${explain(error, path, url)}`, { cause: error });
  };
  const { initialize }: { initialize?: unknown } = await import(url).catch(fail('cannot be loaded'));
  if (typeof initialize !== 'function') throw new ExtensionError(path, 'does not export a function "initialize".');
  providers.open();
  await Promise.try(() => initialize(context)).catch(fail('fails to initialize'));
  await Promise.try(() => providers.accept(path)).catch(fail('registers a provider that cannot be used'));
}

/** Describes in one line what an extension has thrown, with the line of its source. */
function explain(error: unknown, path: string, url: string): string {
  const read = (member: 'message' | 'name' | 'stack') => readText(error, member);
  const problem = (read('message') || read('name') || `It throws ${describe(error)}`).replace(/\s+/g, ' ').trim();
  const [, place = ''] = read('stack').replaceAll(url, path).split(`${path}:`);
  const [line] = /^\d+/.exec(place) ?? [];
  return line === undefined ? problem : `${problem} (line ${line})`;
}

/** Returns a member of an error. Returns '' if the value is no error, or the member is no text or cannot be read. */
function readText(error: unknown, member: 'message' | 'name' | 'stack'): string {
  try {
    const text: unknown = error instanceof Error ? error[member] : '';
    return typeof text === 'string' ? text : '';
  } catch {
    return '';
  }
}

/** Describes a thrown value. It omits the members of an object, which may be secret. */
function describe(thrown: unknown): string {
  if (typeof thrown === 'function') return 'a function';
  return typeof thrown === 'object' && thrown !== null ? 'an object' : inspect(thrown);
}
