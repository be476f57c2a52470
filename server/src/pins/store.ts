// The port of pins and their budgets.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';
import type { Budget } from './budget.ts';
import type { Pin, Purpose } from './pin.ts';

/** What a day's budget is of: requests that name somebody, messages to an address or account, wrong tries. */
export type BudgetKind = 'asked' | 'sent' | 'tried';

/** Which pins a call may use: that of an operation, or that which a subject was sent last. */
export type PinFilter = ({ operationId: string } | { subject: string }) & {
  purposes: readonly Purpose[];
  /** The account that the pin must be bound to; null for none; absent for any. */
  accountId?: number | null;
};

/** Subjects by how they begin, or by how they end. */
export type SubjectPart = { beginning: string } | { ending: string };

export interface PinStore {
  /** The pin, whatever its state. */
  find(filter: PinFilter): Promise<Pin | undefined>;
  /** Stores a pin in the place of any older one of the same purpose and subject. Only under that subject's budget. */
  replace(on: Statements, pin: Pin): Promise<void>;
  /** Uses one of the pin's tries and locks it until the transaction ends; nothing when it is dead: used, past, or out of tries. */
  takeTry(on: Statements, filter: PinFilter, maxTries: number, now: Instant): Promise<Pin | undefined>;
  /** Marks a pin, locked by `takeTry`, as given right. */
  markRedeemed(on: Statements, operationId: string, now: Instant): Promise<void>;
  /** A proof that was given since `since`. */
  findProof(filter: PinFilter, since: Instant): Promise<Pin | undefined>;
  /** Takes away a proof that was given since `since`: of any number of parallel takers one gets it. */
  takeProof(on: Statements, filter: PinFilter, since: Instant): Promise<Pin | undefined>;
  /** Drops the pins of a purpose whose subjects begin and end so; neither may hold `%` or `_`. */
  deleteOfSubjects(on: Statements, purpose: Purpose, subjects: SubjectPart): Promise<void>;
  /** The budget, locked against everybody else until the transaction ends. */
  claimBudget(on: Statements, kind: BudgetKind, subject: string, now: Instant): Promise<Budget>;
  /** Writes a budget that was claimed in the same transaction. */
  saveBudget(on: Statements, kind: BudgetKind, subject: string, budget: Budget): Promise<void>;
  /** Drops up to so many pins that ended, and budgets not used since, before `before`. */
  deleteExpired(before: { pins: Instant; budgets: Instant }, most: { pins: number; budgets: number }): Promise<void>;
}
