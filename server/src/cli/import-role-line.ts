// One line of an import of roles: from bytes to a role, or why it is skipped or refused.
import { type Static, Type } from 'typebox';
import { type ColumnNotes, readMembers, reasonsOf, roleColumns, unwrapItems } from '../account-import/index.ts';
import { checkInput } from '../contract/input.ts';
import { Nullable } from '../contract/schemas.ts';
import { CreateRoleInput } from '../roles/index.ts';
import type { Entry } from './entries.ts';

const Input = Type.Object({
  ...CreateRoleInput.properties,
  isDeleted: Type.Optional(Nullable(Type.Boolean())),
  tenantId: Type.Optional(Nullable(Type.Integer())),
});
const columns = roleColumns(Input.properties);

export type ReadRole =
  | { readonly role: Static<typeof CreateRoleInput> }
  | { readonly skipped: string }
  | { readonly reasons: readonly string[] };

/** Returns `undefined` for an empty line. */
export function readRoleLine(entry: Entry, notes: ColumnNotes): ReadRole | undefined {
  const read = readMembers(entry, columns, notes);
  if (!read) return undefined;
  const { members, reasons } = read;
  if (reasons.length > 0) return { reasons };
  try {
    const { grantedPermissions } = members;
    const input = checkInput(Input, {
      ...members,
      ...(grantedPermissions !== undefined && { grantedPermissions: unwrapItems(grantedPermissions) }),
    });
    if (input.isDeleted) return { skipped: 'deleted' };
    if (input.tenantId != null) return { skipped: 'of a tenant' };
    return { role: input };
  } catch (error) {
    return { reasons: reasonsOf(error) };
  }
}
