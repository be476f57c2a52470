// The providers that extensions register: one list for all of them, checked whenever one of them has been initialized.
import type { Logger } from 'pino';
import { foldCase } from '../foundation/case-folding.ts';
import { ExternalAuthProviderApiBase, type ExternalLoginProviderInfo } from '../providers/index.ts';
import type { ExternalAuthConfiguration } from './index.ts';
import { OidcProviderApiBase } from './oidc-provider-api-base.ts';
import { EarlyReadError } from './registered-settings.ts';

/** Longest name, in UTF-16 units. */
const MAX_NAME_LENGTH = 100;

/**
 * Keeps the list. Errors name a provider by its name or its place in the list, and hold nothing else of it: a registration
 * has a secret. So does the log.
 */
export function createProviderRegistry(log: Logger) {
  const providers: ExternalLoginProviderInfo[] = [];
  const configuration: ExternalAuthConfiguration = Object.freeze({ providers });
  const owners = new Map<string, { path: string; name: string }>();
  let accepted: readonly ExternalLoginProviderInfo[] = [];

  function claimName(path: string, name: string) {
    const key = foldCase(name);
    const owner = owners.get(key);
    if (owner)
      throw new Error(`The name of provider "${name}" is taken: ${owner.path} has registered "${owner.name}".`);
    owners.set(key, { path, name });
  }

  /** Drops what was pushed while no extension was being initialized. */
  function dropLate() {
    const late = providers.flatMap((entry, index) => (accepted.includes(entry) ? [] : [describe(entry, index + 1)]));
    if (late.length > 0) log.warn({ dropped: late }, 'providers were pushed after initialize had ended, and dropped');
    providers.splice(0, providers.length, ...accepted);
  }

  return {
    configuration,

    /** What is pushed from here on is of the extension that is initialized now. */
    open: dropLate,

    /** Takes in what the extension at `path` has added to the end. @throws Error whose message says what is wrong with it. */
    accept(path: string) {
      if (accepted.some((info, place) => providers[place] !== info)) {
        throw new Error('Registered providers stay as and where they are: add to the end of the list, by push.');
      }
      for (let place = accepted.length; place < providers.length; place++) {
        const info = readProvider(providers[place], place + 1);
        claimName(path, info.name);
        providers[place] = info;
      }
      accepted = [...providers];
    },

    /** Nothing is added from here on, and what was in the meantime is dropped. @returns all providers. */
    close(): readonly ExternalLoginProviderInfo[] {
      dropLate();
      return Object.freeze(providers);
    },
  };
}

/** A copy of a registration: what its owner does to the original is of no consequence. */
function readProvider(entry: unknown, place: number): ExternalLoginProviderInfo {
  if (typeof entry !== 'object' || entry === null) throw new Error(`Provider ${place} of the list is no object.`);
  const { name, clientId, clientSecret, providerApiType } = entry as Record<keyof ExternalLoginProviderInfo, unknown>;
  if (!isName(name)) {
    throw new Error(
      `The name of provider ${place} of the list must be a text of 1 to ${MAX_NAME_LENGTH} characters, with no spaces around it and no control or invisible characters.`,
    );
  }
  if (typeof clientId !== 'string' || clientId === '') {
    throw new Error(`The clientId of provider "${name}" must be a text that is not empty.`);
  }
  if (typeof clientSecret !== 'string') {
    throw new Error(`The clientSecret of provider "${name}" must be a text, empty when there is none.`);
  }
  if (!isProviderApiType(providerApiType)) {
    throw new Error(
      `The providerApiType of provider "${name}" must be a class that extends ExternalAuthProviderApiBase of latchkey/extension.`,
    );
  }
  if (typeof providerApiType.prototype.getUserInfoAsync !== 'function') {
    throw new Error(`The providerApiType of provider "${name}" must have a method getUserInfoAsync.`);
  }
  const info = Object.freeze({ name, clientId, clientSecret, providerApiType });
  checkOpenid(info);
  return info;
}

/** An OpenID provider without a good issuer would fail at every sign-in. */
function checkOpenid(info: ExternalLoginProviderInfo) {
  const { name, providerApiType } = info;
  if (providerApiType.prototype === OidcProviderApiBase.prototype) {
    throw new Error(`The providerApiType of provider "${name}" must be a class that extends OidcProviderApiBase.`);
  }
  if (!(providerApiType.prototype instanceof OidcProviderApiBase)) return;
  try {
    (new providerApiType(info) as OidcProviderApiBase).checkIssuer();
  } catch (error) {
    // An issuer that is read from a setting is known when the service has started.
    if (!(error instanceof EarlyReadError)) throw error;
  }
}

/** The name of an entry of the list, or its place where it has none that can be told. */
function describe(entry: unknown, place: number): string {
  try {
    const { name } = entry as { name: unknown };
    if (isName(name)) return `provider "${name}"`;
  } catch {
    // It has none.
  }
  return `provider ${place} of the list`;
}

function isName(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_NAME_LENGTH) return false;
  return value.isWellFormed() && value.trim() === value && !/[\p{Cc}\p{Cf}]/u.test(value);
}

function isProviderApiType(value: unknown): value is ExternalLoginProviderInfo['providerApiType'] {
  return typeof value === 'function' && value.prototype instanceof ExternalAuthProviderApiBase;
}
