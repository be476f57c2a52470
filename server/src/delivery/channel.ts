// The port of delivery: what carries a message to a person, and how it says that it could not.

/** How people are reached. */
export type Means = 'email' | 'sms';

/** A message as a channel is given it. */
export type OutgoingMessage = {
  /** The same at every try: for receivers that can tell a message they already have. */
  readonly id: string;
  /** An e-mail address, or a number in E.164. */
  readonly to: string;
  readonly text: string;
  /** Only of e-mail. */
  readonly subject?: string;
  /** Only of e-mail: the same as `text`, for mail programs that show HTML. */
  readonly html?: string;
};

/** Carries messages of one means. */
export interface Channel {
  /** What metrics and the audit trail call it. */
  readonly name: string;
  readonly means: Means;
  /**
   * Resolves when the message was accepted for delivery. Rejects with a {@link DeliveryError}; whatever else it rejects
   * with counts as `uncertain`. Must give up when `signal` aborts.
   */
  send(message: OutgoingMessage, options: { signal: AbortSignal }): Promise<void>;
  /** Lets go of connections. */
  close?(): void;
}

/**
 * Why a message was not, or may not have been, delivered.
 * - `notSent`: it certainly was not, so it is tried again until it expires;
 * - `refused`: it never will be, such as an address that does not exist, so it is given up;
 * - `uncertain`: nobody knows, so it is tried once more at the most: a person gets one duplicate, not ten.
 */
export class DeliveryError extends Error {
  readonly kind: 'notSent' | 'refused' | 'uncertain';

  constructor(kind: DeliveryError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DeliveryError';
    this.kind = kind;
  }
}
