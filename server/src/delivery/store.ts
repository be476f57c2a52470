// The interface of the message store. It holds messages from the transaction that queues them until they are deleted.
import type { Instant } from '../foundation/clock.ts';
import type { Medium } from '../foundation/medium.ts';
import type { Statements } from '../storage/database.ts';
import type { MessageState, Progress } from './message.ts';

/** A message to store. */
export type NewMessage = {
  id: string;
  means: Medium;
  template: string;
  recipient: string;
  accountId: number | null;
  sealedContent: string;
  createdAt: Instant;
  expiresAt: Instant;
};

/** A claimed message. Only the claiming node may try it, until the claim ends. */
export type ClaimedMessage = NewMessage & Progress & { tries: number };

/** A stored message with its state. */
export type StoredMessage = NewMessage & { state: MessageState; settledAt: Instant | null };

export interface MessageStore {
  /** Queues a message. A message without recipient is stored as `dropped`, which takes the same time. */
  add(on: Statements, message: NewMessage, state: 'queued' | 'dropped'): Promise<void>;
  /**
   * Claims up to `limit` due messages for one node until `until`. The try counts as doubtful until the node reports its
   * outcome, so that a message is not sent again each time a node crashes with it.
   */
  claim(means: Medium, limit: number, now: Instant, until: Instant): Promise<ClaimedMessage[]>;
  /**
   * Settles a claimed message. Its content stays only if `keepContent`.
   * @returns false, without a change, if another node has claimed it since.
   */
  settle(
    on: Statements,
    message: ClaimedMessage,
    end: { state: Exclude<MessageState, 'queued'>; channel: string; keepContent: boolean },
    now: Instant,
  ): Promise<boolean>;
  /** Postpones a claimed message, or renews its claim. It changes nothing if another node has claimed it since. */
  putOff(message: ClaimedMessage, next: { dueAt: Instant; doubtfulTries?: number }): Promise<void>;
  /** Returns how many messages are queued by means, and when the oldest was. A means without messages may be missing. */
  countQueued(): Promise<{ means: Medium; count: number; oldestAt: Instant }[]>;
  /** Returns the messages that this channel has sent, newest first, without those of `hidden` accounts. */
  list(
    channel: string,
    hidden: readonly number[],
    page: { skip: number; take: number },
  ): Promise<{ messages: StoredMessage[]; total: number }>;
  /** Deletes up to `limit` messages that were settled before `before`. */
  deleteSettled(before: Instant, limit: number): Promise<void>;
}
