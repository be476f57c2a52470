// The calls with which administrators manage roles, as ABP's role service has them.
import { type Static, Type } from 'typebox';
import { defineRoute, type Route } from '../contract/route.ts';
import { Items, NamedObject, Nullable, PagedItems, paging, RoleName, Text, toPage } from '../contract/schemas.ts';
import { servicePermissions } from '../foundation/permissions.ts';
import { roleErrors } from './declarations.ts';
import { builtInRoles, permissionsOf, type Role, roleKey } from './role.ts';
import type { RoleChanges, Roles } from './roles.ts';
import type { RoleInput } from './store.sql.ts';

const RoleId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** Of visible ASCII characters: names of ABP and Shesha permissions are. */
const PermissionName = Type.String({ minLength: 1, maxLength: 128, pattern: '^[!-~]+$' });

const described = {
  displayName: Type.Optional(Nullable(Text({ maxLength: 100 }))),
  description: Type.Optional(Nullable(Text({ maxLength: 500 }))),
  grantedPermissions: Type.Optional(Nullable(Type.Array(PermissionName, { maxItems: 200 }))),
};

/** The input for a new role. Import accepts the same members. */
export const CreateRoleInput = Type.Object({ name: RoleName, ...described });

const RoleDto = NamedObject('RoleDto', {
  id: Type.Integer(),
  name: Type.String(),
  displayName: Type.String(),
  normalizedName: Type.String({ description: 'Spelled as in `roleNames` of a user.' }),
  description: Type.String(),
  grantedPermissions: Type.Array(Type.String()),
  isStatic: Type.Boolean({ description: 'Whether the role belongs to the service: it cannot be deleted.' }),
});

function toRoleDto(role: Role): Static<typeof RoleDto> {
  const { id, name, displayName, description } = role;
  const isStatic = builtInRoles.includes(name);
  return {
    id,
    name,
    displayName,
    normalizedName: name,
    description,
    grantedPermissions: permissionsOf(role),
    isStatic,
  };
}

type Described = { [Member in keyof typeof described]?: Static<(typeof described)[Member]> };

/** Returns the members that were sent. */
export const toRoleChanges = ({ displayName, description, grantedPermissions }: Described): RoleChanges => ({
  ...(displayName !== undefined && { displayName: displayName ?? '' }),
  ...(description !== undefined && { description: description ?? '' }),
  ...(grantedPermissions != null && { permissions: [...new Set(grantedPermissions)] }),
});

/** Returns the role to create. Absent members are empty, and the name is the display name. */
export function toNewRole(input: Static<typeof CreateRoleInput>): RoleInput {
  const { name } = input;
  const changes = { description: '', permissions: [], ...toRoleChanges(input) };
  return { name, ...changes, displayName: changes.displayName || name };
}

/** A permission, as ABP's dialogs list it. */
const PermissionDto = NamedObject('PermissionDto', { name: Type.String(), displayName: Type.String() });
const toPermissionDto = (name: string): Static<typeof PermissionDto> => ({ name, displayName: name });

export function roleRoutes(roles: Roles): Route[] {
  // An administrator may have changed a role a moment ago, on another node.
  const readPermissions = async () => {
    const granted = (await roles.listStored()).flatMap(permissionsOf);
    return [...new Set([...servicePermissions, ...granted])].map(toPermissionDto);
  };

  /** @throws AuthError `role.notFound`. */
  async function find(id: number): Promise<Role> {
    const found = (await roles.listStored()).find((role) => role.id === id);
    if (!found) throw roleErrors.notFound();
    return found;
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Role/GetAll',
      summary: 'The roles, and what each grants.',
      access: 'Pages.Users',
      query: Type.Object({ keyword: Type.Optional(Text({ maxLength: 100 })), ...paging }),
      result: PagedItems(RoleDto),
      async handle({ input }) {
        const { skip, take } = toPage(input);
        const keyword = input.keyword?.toLowerCase() ?? '';
        const found = (await roles.listStored()).filter(({ name, displayName }) =>
          `${name} ${displayName}`.toLowerCase().includes(keyword),
        );
        return { items: found.slice(skip, skip + take).map(toRoleDto), totalCount: found.length };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Role/GetAllPermissions',
      summary: 'The permissions of this service, and the names that roles grant for applications.',
      access: 'Pages.Users',
      result: Items(PermissionDto),
      handle: async () => ({ items: await readPermissions() }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Role/Get',
      summary: 'One role, and what it grants.',
      access: 'Pages.Users',
      query: Type.Object({ id: RoleId }),
      result: RoleDto,
      handle: async ({ input }) => toRoleDto(await find(input.id)),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Role/GetRoleForEdit',
      summary: 'One role, what it grants, and what it could grant, as ABP’s dialog for a role reads them.',
      access: 'Pages.Users',
      query: Type.Object({ id: RoleId }),
      result: NamedObject('RoleForEdit', {
        role: RoleDto,
        permissions: Type.Array(PermissionDto),
        grantedPermissionNames: Type.Array(Type.String()),
      }),
      async handle({ input }) {
        const role = toRoleDto(await find(input.id));
        const permissions = await readPermissions();
        return { role, permissions, grantedPermissionNames: role.grantedPermissions };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Role/GetRoles',
      summary: 'The roles that grant a permission; without one, all roles.',
      access: 'Pages.Users',
      query: Type.Object({ permission: Type.Optional(Text({ maxLength: 128 })) }),
      result: Items(RoleDto),
      async handle({ input: { permission } }) {
        const found = (await roles.listStored()).filter(
          (role) => !permission || permissionsOf(role).includes(permission),
        );
        return { items: found.map(toRoleDto) };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Role/GetUserCounts',
      summary: 'How many users have each role.',
      access: 'Pages.Users',
      result: Items(
        NamedObject('RoleUserCountDto', { id: Type.Integer(), name: Type.String(), userCount: Type.Integer() }),
      ),
      async handle() {
        const counts = await roles.countAccounts();
        const stored = await roles.listStored();
        const items = stored.map(({ id, name }) => ({ id, name, userCount: counts.get(roleKey(name)) ?? 0 }));
        return { items };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Role/Create',
      summary: 'Create a role.',
      access: 'pages:maintenance',
      body: CreateRoleInput,
      result: RoleDto,
      async handle({ input, caller, origin }) {
        return toRoleDto(await roles.create(toNewRole(input), { ...caller, origin }));
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/services/app/Role/Update',
      summary: 'Change a role. Absent members stay as they are, and so does its name: accounts have it.',
      access: 'pages:maintenance',
      body: Type.Object({ id: RoleId, ...described }),
      result: RoleDto,
      async handle({ input, caller, origin }) {
        return toRoleDto(await roles.update(input.id, toRoleChanges(input), { ...caller, origin }));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/services/app/Role/Delete',
      summary: 'Delete a role, and take it from all accounts.',
      access: 'pages:maintenance',
      query: Type.Object({ id: RoleId }),
      result: Type.Boolean(),
      async handle({ input, caller, origin }) {
        await roles.delete(input.id, { ...caller, origin });
        return true;
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/User/GetRoles',
      summary: 'The roles that a user can be given.',
      access: 'Pages.Users',
      result: Items(
        NamedObject('UserRoleDto', {
          id: Type.Integer(),
          name: Type.String(),
          displayName: Type.String(),
          normalizedName: Type.String({ description: 'Spelled as in `roleNames` of a user.' }),
        }),
      ),
      async handle() {
        const items = roles
          .list()
          .map(({ id, name, displayName }) => ({ id, name, displayName, normalizedName: name }));
        return { items };
      },
    }),
  ];
}
