// The interface of channels, which carry messages to people, and their errors.

import type { Medium } from '../foundation/medium.ts';

/** How many messages of one means a node sends at the same time. The time of each runs: a channel must let none of them wait. */
export const SLOTS = 20;

/** A message to send. */
export type OutgoingMessage = {
  /** The same at every try, so that a receiver can recognize a repeated message. */
  readonly id: string;
  /** An e-mail address, or a number in E.164. */
  readonly to: string;
  readonly text: string;
  /** E-mail only. */
  readonly subject?: string;
  /** E-mail only: the same content as `text`, for mail programs that show HTML. */
  readonly html?: string;
};

/** Sends messages of one means. */
export interface Channel {
  /** Its name in metrics and in the audit trail. */
  readonly name: string;
  readonly means: Medium;
  /**
   * Resolves when the message was accepted for delivery. Must stop when `signal` aborts.
   * @throws DeliveryError. Any other error counts as `uncertain`.
   */
  send(message: OutgoingMessage, options: { signal: AbortSignal }): Promise<void>;
  /** Closes connections. */
  close?(): void;
}

/**
 * Why a message was not delivered, or may not have been.
 * - `notSent`: it was certainly not delivered. The service retries until it expires.
 * - `refused`: it cannot be delivered, such as to an address that does not exist. The service gives up.
 * - `uncertain`: the outcome is unknown. The service retries at most once, so that a person gets at most one duplicate.
 */
export class DeliveryError extends Error {
  readonly kind: 'notSent' | 'refused' | 'uncertain';

  constructor(kind: DeliveryError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DeliveryError';
    this.kind = kind;
  }
}
