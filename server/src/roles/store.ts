// The port of roles.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';
import type { Role } from './role.ts';

/** What a role is made from. */
export type RoleInput = Omit<Role, 'id'>;

export interface RoleStore {
  /** All roles, in the order in which they were added. */
  readAll(on: Statements): Promise<Role[]>;
  /** The roles of these names, in any spelling. */
  findByNames(on: Statements, names: readonly string[]): Promise<Role[]>;
  /** Likewise. A change of these roles waits until the transaction ends. */
  holdByNames(on: Statements, names: readonly string[]): Promise<Role[]>;
  find(on: Statements, id: number): Promise<Role | undefined>;
  /** Adds a role. @returns its id, or nothing when its name is taken. */
  add(on: Statements, role: RoleInput, now: Instant): Promise<number | undefined>;
  replace(on: Statements, role: Role): Promise<void>;
  delete(on: Statements, id: number): Promise<void>;
}
