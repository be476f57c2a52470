// Takes back the change of a role.
import { latchkey } from '../../api/latchkey.ts';
import { Refusal } from '../../ui/problem.ts';
import { words } from '../../words/more.ts';
import type { Role } from './role.ts';

type Members = Pick<Role, 'displayName' | 'description' | 'grantedPermissions'>;

/** `after` has the changed members only. */
export type RoleChange = { readonly id: number; readonly before: Members; readonly after: Partial<Members> };

const isEqual = (one: readonly string[], other: readonly string[]) =>
  JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted());

/** Restores the changed members. @throws Refusal if they are no longer as the change left them. */
export async function undoRoleChange({ id, before, after }: RoleChange): Promise<void> {
  const present = await latchkey.call('Role/Get', { id });
  const { displayName, description, grantedPermissions } = after;
  const isSame =
    (displayName === undefined || (displayName || present.name) === present.displayName) &&
    (description === undefined || description === present.description) &&
    (grantedPermissions === undefined || isEqual(grantedPermissions, present.grantedPermissions));
  if (!isSame) throw new Refusal(words.common.changedSince);
  await latchkey.call('Role/Update', {
    id,
    ...(displayName !== undefined && { displayName: before.displayName }),
    ...(description !== undefined && { description: before.description }),
    ...(grantedPermissions !== undefined && { grantedPermissions: before.grantedPermissions }),
  });
}
