// The port of the outbox: messages from the transaction that wrote them until they are settled.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';
import type { Means } from './channel.ts';
import type { MessageState, Progress } from './message.ts';

/** A message to be stored. */
export type NewMessage = {
  id: string;
  means: Means;
  template: string;
  recipient: string;
  accountId: number | null;
  sealedContent: string;
  createdAt: Instant;
  expiresAt: Instant;
};

/** A message whose next try is the claimer's alone, for as long as the claim lasts. */
export type ClaimedMessage = NewMessage & Progress & { tries: number };

/** A message as it is shown. */
export type StoredMessage = NewMessage & { state: MessageState; settledAt: Instant | null };

export interface MessageStore {
  /** Queues a message; one for nobody is dropped at once, and costs as much. */
  add(on: Statements, message: NewMessage, state: 'queued' | 'dropped'): Promise<void>;
  /**
   * Takes up to `limit` messages that are due, each for one claimer: until `until` nobody else gets them. The try counts as
   * doubtful until the claimer says what came of it, so that one whose claimers die again and again is not sent each time.
   */
  claim(means: Means, limit: number, now: Instant, until: Instant): Promise<ClaimedMessage[]>;
  /** Ends a claimed message's way, unless another claimer has it by now; its content stays only if `keepContent`. */
  settle(
    on: Statements,
    message: ClaimedMessage,
    end: { state: Exclude<MessageState, 'queued'>; channel: string; keepContent: boolean },
    now: Instant,
  ): Promise<boolean>;
  /** Puts a claimed message off, unless another claimer has it by now; a claim is renewed in the same way. */
  putOff(message: ClaimedMessage, next: { dueAt: Instant; doubtfulTries?: number }): Promise<void>;
  /** How many are queued for each means, and when the oldest of them was; a means without any may be left out. */
  countQueued(): Promise<{ means: Means; count: number; oldestAt: Instant }[]>;
  /** What this channel was given and has kept, newest first. */
  list(channel: string, page: { skip: number; take: number }): Promise<{ messages: StoredMessage[]; total: number }>;
  /** Drops up to `limit` messages that were settled before `before`. */
  deleteSettled(before: Instant, limit: number): Promise<void>;
}
