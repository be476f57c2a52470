// The interface of the store of notices: what each address of an account was not told so far.
import type { Instant } from '../foundation/clock.ts';
import type { Address } from '../foundation/medium.ts';
import type { Statements } from '../storage/database.ts';
import type { WaitingChanges } from './notice.ts';

/** An address of an account that gets notices. It may be one that the account had. */
export type NoticeAddress = Address & { readonly accountId: number };

/** What waits for an address, and from when on the next notice may go there. */
export type NoticeState = { readonly waiting: WaitingChanges; readonly frontEnd: string; readonly dueAt: Instant };

export interface NoticeStore {
  /** Returns the state of an address, and locks it until the transaction ends. Nothing waits for a new one, which is due. */
  claim(on: Statements, address: NoticeAddress, frontEnd: string): Promise<NoticeState>;
  save(on: Statements, address: NoticeAddress, state: NoticeState): Promise<void>;
  /** Returns up to `limit` addresses that are due. */
  findDue(now: Instant, limit: number): Promise<NoticeAddress[]>;
  /** Deletes and returns the state of an address that is due. Of concurrent calls one gets it. */
  takeDue(on: Statements, address: NoticeAddress, now: Instant): Promise<NoticeState | undefined>;
}
