// The extension API, `latchkey/extension`: everything that a module named in LATCHKEY_EXTENSIONS may import or is given.
import type { Channel } from '../delivery/index.ts';

export { type Channel, DeliveryError, type Means, type OutgoingMessage } from '../delivery/index.ts';
export {
  type ExternalAuthCall,
  ExternalAuthProviderApiBase,
  type ExternalAuthProviderApiType,
  type ExternalAuthUserInfo,
  type ExternalLoginProviderInfo,
} from '../providers/index.ts';

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

/**
 * What the `initialize(context)` that each module exports is given. The service starts when `initialize` has returned,
 * or when what it returned has resolved; it does not start when that fails or takes longer than 10 s.
 */
export interface ExtensionContext {
  /**
   * Has this channel carry all messages of its means, in place of the one that the environment configures. Only while
   * `initialize` runs. The name stands in the audit trail: at most 40 lower-case letters, digits and hyphens, the first a letter.
   * @throws Error when a member of the channel is missing or odd, its name is "outbox", or its means has a channel already.
   */
  registerChannel(channel: Channel): void;
  readonly log: Log;
  /**
   * The global `fetch`, which gives up 15 s after the call at the latest, also while the answer's body is being read:
   * rejects with a `TimeoutError` then. A signal of the caller's own ends it earlier.
   */
  readonly fetch: typeof fetch;
}
