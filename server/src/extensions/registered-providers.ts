// The providers that extensions register: one list, checked after each extension's `initialize`.
import type { Logger } from 'pino';
import { cleanSvg } from '../brands/index.ts';
import { foldCase } from '../foundation/case-folding.ts';
import { errorMessageOf } from '../foundation/errors.ts';
import { isObject } from '../foundation/object.ts';
import { OidcProviderApiBase } from '../providers/apis/index.ts';
import { ExternalAuthProviderApiBase, type ExternalLoginProviderInfo } from '../providers/index.ts';
import type { ExternalAuthConfiguration } from './index.ts';
import { EarlyReadError } from './registered-settings.ts';

/** In UTF-16 units. */
const MAX_NAME_LENGTH = 100;

const MAX_ICON_LENGTH = 20_000;

const RESPONSE_TYPES: readonly string[] = ['code', 'code id_token'];

/** Keeps the list. Errors and log lines hold only the name or place of a provider, because a registration has a secret. */
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

  /** Discards providers that were pushed while no extension was being initialized. */
  function discardLate() {
    const late = providers.flatMap((entry, index) => (accepted.includes(entry) ? [] : [describe(entry, index + 1)]));
    if (late.length > 0) log.warn({ dropped: late }, 'providers were pushed after initialize had ended, and dropped');
    providers.splice(0, providers.length, ...accepted);
  }

  return {
    configuration,

    /** Begins the initialization of one extension: it owns the providers pushed from now on. */
    open: discardLate,

    /** Accepts what the extension at `path` has pushed. @throws Error that names the problem of an invalid provider. */
    accept(path: string) {
      if (accepted.some((info, place) => providers[place] !== info)) {
        throw new Error('The providers in the list must stay unchanged and in place: add yours to its end, by push.');
      }
      for (let place = accepted.length; place < providers.length; place++) {
        const info = readProvider(providers[place], place + 1);
        claimName(path, info.name);
        providers[place] = info;
      }
      accepted = [...providers];
    },

    /** Freezes the list. @returns all providers. */
    close(): readonly ExternalLoginProviderInfo[] {
      discardLate();
      return Object.freeze(providers);
    },
  };
}

/** Returns a checked and frozen copy of a registration, so that later changes of the original have no effect. */
function readProvider(entry: unknown, place: number): ExternalLoginProviderInfo {
  if (!isObject(entry)) throw new Error(`Provider ${place} of the list is no object.`);
  const { name, clientId, clientSecret, providerApiType } = entry;
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
  const icon = readIcon(name, entry.icon);
  const { displayName } = entry;
  if (displayName !== undefined && !isName(displayName))
    throw new Error(`The displayName of provider "${name}" must be a text like its name, if it is given.`);
  const info = Object.freeze({
    name,
    clientId,
    clientSecret,
    providerApiType,
    ...(displayName !== undefined && { displayName }),
    ...(icon !== undefined && { icon }),
  });
  checkOpenidClass(info);
  return info;
}

/** Returns the icon with nothing but its shapes. */
function readIcon(name: string, icon: unknown): string | undefined {
  if (icon === undefined || icon === null) return undefined;
  if (typeof icon !== 'string' || icon.length > MAX_ICON_LENGTH) {
    throw new Error(
      `The icon of provider "${name}" must be the text of an SVG file of at most ${MAX_ICON_LENGTH} characters.`,
    );
  }
  try {
    return cleanSvg(Buffer.from(icon)).toString();
  } catch (error) {
    throw new Error(`The icon of provider "${name}" cannot be used. ${errorMessageOf(error)}`);
  }
}

/** Checks the class of an OpenID provider: with an invalid issuer or response type, every sign-in would fail. */
function checkOpenidClass(info: ExternalLoginProviderInfo) {
  const { name, providerApiType } = info;
  if (providerApiType.prototype === OidcProviderApiBase.prototype) {
    throw new Error(`The providerApiType of provider "${name}" must be a class that extends OidcProviderApiBase.`);
  }
  if (!(providerApiType.prototype instanceof OidcProviderApiBase)) return;
  try {
    const api = new providerApiType(info);
    if (!(api instanceof OidcProviderApiBase)) return;
    api.checkIssuer();
    if (!RESPONSE_TYPES.includes(api.responseType)) {
      throw new Error(`The responseType of provider "${name}" must be "${RESPONSE_TYPES.join('" or "')}".`);
    }
  } catch (error) {
    // An issuer that comes from a setting is known only after the service has started.
    if (!(error instanceof EarlyReadError)) throw error;
  }
}

/** Returns the name of an entry of the list, or its place if it has no valid name. */
function describe(entry: unknown, place: number): string {
  try {
    if (isObject(entry) && isName(entry.name)) return `provider "${entry.name}"`;
  } catch {
    // The entry's name is a getter that throws.
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
