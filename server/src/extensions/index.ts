// The extension API, `latchkey/extension`: what a module of LATCHKEY_EXTENSIONS may import, and the types of its context.
import type { Channel } from '../delivery/index.ts';
import type { ExternalLoginProviderInfo, Reviewer } from '../providers/index.ts';
import type { ServiceEvent } from './event.ts';
import type { ExtensionSetting, ReadableSetting, SettingSchema, SettingValue } from './setting.ts';

export { type Channel, DeliveryError, type OutgoingMessage } from '../delivery/index.ts';
export type { Medium as Means } from '../foundation/medium.ts';
export { type Claims, type MappedClaims, OidcProviderApiBase } from '../providers/apis/index.ts';
export {
  type AuthorizationCodeGrant,
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
export type {
  ExtensionSetting,
  ReadableSetting,
  SettingFormSchema,
  SettingSchema,
  SettingValue,
  SettingValueSchema,
} from './setting.ts';

/**
 * The service's log. Each line names the module that wrote it. Many people read logs: never log a pin, password, token or
 * the text of a message.
 */
export interface Log {
  /**
   * Logs an event of normal operation.
   * @param message one plain sentence.
   * @param data members of the line. An `Error` as `err` is logged with its message and stack.
   */
  info(message: string, data?: Readonly<Record<string, unknown>>): void;
  /** Logs a problem that the service tolerates. Arguments as for `info`. */
  warn(message: string, data?: Readonly<Record<string, unknown>>): void;
  /** Logs a failure that an administrator must look at. Arguments as for `info`. */
  error(message: string, data?: Readonly<Record<string, unknown>>): void;
}

/** The external providers of the service. All extensions share this object. */
export interface ExternalAuthConfiguration {
  /**
   * Extensions `push` their providers to this list. The service checks and copies new entries after each `initialize`. It
   * discards entries that are pushed later, and logs a warning. The list is frozen when the service starts.
   */
  readonly providers: ExternalLoginProviderInfo[];
}

/**
 * The argument of the `initialize(context)` that each module exports. The service awaits `initialize` before it starts. It
 * does not start if `initialize` fails, takes longer than 10 s, or registers something invalid. Register everything while
 * `initialize` runs: afterwards these functions throw.
 */
export interface ExtensionContext {
  readonly externalAuth: ExternalAuthConfiguration;

  /**
   * Calls the reviewer before the service creates an account for a new external user. Of several verdicts the strictest
   * counts. A reviewer that fails or takes longer than 10 s stops that sign-in.
   * @throws Error if the argument is not a function.
   */
  onExternalUserRegistering(reviewer: Reviewer): void;

  /**
   * Adds a setting, which administrators change like the service's own.
   * @returns the reader of its value. It works after the service has started.
   * @throws Error if the definition is invalid, or a setting with this name exists.
   */
  defineSetting<const Schema extends SettingSchema>(
    definition: ExtensionSetting<Schema>,
  ): ReadableSetting<SettingValue<Schema>>;

  /**
   * Calls the listener with every event of this node, as soon as the event is durable. The service does not await the
   * listener, and logs what it throws or rejects with. The listener misses events of times when no node runs it.
   * @throws Error if the argument is not a function.
   */
  subscribe(listener: (event: ServiceEvent) => unknown): void;

  /**
   * Sends all messages of the channel's means through this channel, instead of the channel of the environment. The audit
   * trail shows the name: at most 40 lower-case letters, digits and hyphens, of which the first is a letter.
   * @throws Error if a member of the channel is missing or invalid, its name is "outbox", or its means has a channel already.
   */
  registerChannel(channel: Channel): void;

  readonly log: Log;

  /**
   * The global `fetch` with limits. It rejects with a `TimeoutError` 15 s after the call, also while the answer's body is
   * being read. The caller's own signal may abort it earlier. Reading fails after 1 MiB.
   */
  readonly fetch: typeof fetch;
}
