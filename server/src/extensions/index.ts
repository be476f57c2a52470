// The extension API, `latchkey/extension`: everything that a module named in LATCHKEY_EXTENSIONS may import or is given.
import type { Channel } from '../delivery/index.ts';
import type { ExternalLoginProviderInfo, Reviewer } from '../providers/index.ts';
import type { ServiceEvent } from './event.ts';
import type { ExtensionSetting, ReadableSetting, SettingSchema, SettingValue } from './setting.ts';

export { type Channel, DeliveryError, type Means, type OutgoingMessage } from '../delivery/index.ts';
export {
  type ExternalAuthCall,
  ExternalAuthProviderApiBase,
  type ExternalAuthProviderApiType,
  type ExternalAuthUserInfo,
  type ExternalLoginProviderInfo,
  type ExternalUser,
  type Reviewer as ExternalUserReviewer,
  type ReviewVerdict as ExternalUserVerdict,
} from '../providers/index.ts';
export type { ServiceEvent } from './event.ts';
export { OidcProviderApiBase } from './oidc-provider-api-base.ts';
export type {
  ExtensionSetting,
  ReadableSetting,
  SettingFormSchema,
  SettingSchema,
  SettingValue,
  SettingValueSchema,
} from './setting.ts';

/**
 * The service's log, its lines marked with the module that wrote them. Logs are kept and read by many: no pins,
 * passwords or tokens, no words of a message.
 */
export interface Log {
  /**
   * @param message one plain sentence.
   * @param data members of the line; an `Error` as `err` shows its message and stack.
   */
  info(message: string, data?: Readonly<Record<string, unknown>>): void;
  /** Something is not as it should be, and the service goes on. Arguments as for `info`. */
  warn(message: string, data?: Readonly<Record<string, unknown>>): void;
  /** Something failed that somebody has to look at. Arguments as for `info`. */
  error(message: string, data?: Readonly<Record<string, unknown>>): void;
}

/** The external providers of the service: one object, which all extensions are given. */
export interface ExternalAuthConfiguration {
  /**
   * To which extensions `push` theirs; the list is checked after each extension, and takes no more once the service starts.
   * What is pushed is copied; what is pushed after its extension's `initialize` has ended is dropped, with a warning in the log.
   */
  readonly providers: ExternalLoginProviderInfo[];
}

/**
 * What the `initialize(context)` that each module exports is given. The service starts when `initialize` has returned,
 * or when what it returned has resolved; it does not start when that fails or takes longer than 10 s, or when something
 * that it registers is no good. Everything is registered while `initialize` runs: later, the functions throw.
 */
export interface ExtensionContext {
  readonly externalAuth: ExternalAuthConfiguration;

  /**
   * Has this function asked before an account is made for somebody whom a provider vouches for. Of several verdicts the
   * strictest counts; a function that fails or takes longer than 10 s stops that sign-in.
   * @throws Error when it is no function.
   */
  onExternalUserRegistering(reviewer: Reviewer): void;

  /**
   * Gives the service a setting more, which administrators change like its own.
   * @returns what its value is read with, once the service has started.
   * @throws Error when the definition is odd, or there is a setting of this name already.
   */
  defineSetting<const Schema extends SettingSchema>(
    definition: ExtensionSetting<Schema>,
  ): ReadableSetting<SettingValue<Schema>>;

  /**
   * Has this function told of everything that happens on this node, as soon as it is durable. Nobody waits for what it
   * returns; what it throws or rejects with is logged. What happens while no node runs it, nobody tells it later.
   * @throws Error when it is no function.
   */
  subscribe(listener: (event: ServiceEvent) => unknown): void;

  /**
   * Has this channel carry all messages of its means, in place of the one that the environment configures. The name
   * stands in the audit trail: at most 40 lower-case letters, digits and hyphens, the first a letter.
   * @throws Error when a member of the channel is missing or odd, its name is "outbox", or its means has a channel already.
   */
  registerChannel(channel: Channel): void;

  readonly log: Log;

  /**
   * The global `fetch`, which gives up 15 s after the call at the latest, also while the answer's body is being read:
   * rejects with a `TimeoutError` then. A signal of the caller's own ends it earlier. An answer of more than 1 MiB is
   * broken off.
   */
  readonly fetch: typeof fetch;
}
