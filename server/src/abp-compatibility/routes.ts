// The calls that ABP's and Shesha's clients make beside those of the specification.
import { Type } from 'typebox';
import type { Account } from '../accounts/index.ts';
import type { Authorization, CurrentAccount } from '../authorization/index.ts';
import { defineRoute, type Route } from '../contract/route.ts';
import { RoleName, Text } from '../contract/schemas.ts';
import type { Roles } from '../roles/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Capabilities } from '../slice.ts';
import { toAbpConfiguration } from './configuration.ts';
import { chooseLanguage } from './culture.ts';
import { AbpConfiguration, LoginInformations, TenantAvailability } from './dtos.ts';

/** ABP's `TenantAvailabilityState.NotFound`: there are no tenants here. */
const TENANT_NOT_FOUND = 3;

const toUser = ({ id, name, surname, userName, emailAddress }: Account) => ({
  id,
  name,
  surname,
  userName,
  emailAddress,
});

/**
 * The roles that count now: none while the password must be changed or a second factor enrolled, because the service then
 * refuses every other call. These answers, unlike `GetCurrentLoginInfo`, do not tell so, and applications decide by them.
 */
const rolesInForce = (current: CurrentAccount | undefined): readonly string[] =>
  current && !current.mustChangePassword && !current.mustEnroll ? current.account.roleNames : [];

export function abpCompatibilityRoutes(deps: {
  authorization: Authorization;
  roles: Roles;
  settings: Settings;
  release: Capabilities['release'];
}): Route[] {
  const { authorization, roles, settings, release } = deps;

  function readPublicSettings(frontEnd: string) {
    const known = settings.definitions.filter((definition) => definition.public);
    return Object.fromEntries(known.map((definition) => [definition.name, settings.read(definition, frontEnd)]));
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/AbpUserConfiguration/GetAll',
      summary: 'What the start-up script of ABP’s clients reads: session, languages, permissions, public settings.',
      access: 'public',
      optionalAuth: true,
      result: AbpConfiguration,
      async handle({ token, origin, header }) {
        const current = await authorization.findAccount(token);
        const allPermissions = [...new Set(roles.list().flatMap(({ name }) => roles.permissionsOf([name])))];
        return toAbpConfiguration({
          userId: current?.account.id ?? null,
          grantedPermissions: roles.permissionsOf(rolesInForce(current)),
          allPermissions,
          language: chooseLanguage(header),
          settings: readPublicSettings(origin.frontEnd),
        });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Session/GetCurrentLoginInformations',
      summary: 'Who is signed in, as ABP’s templates read it: the user is null without a valid token.',
      access: 'public',
      optionalAuth: true,
      result: LoginInformations,
      async handle({ token }) {
        const current = await authorization.findAccount(token);
        return {
          application: { version: release.version, releaseDate: release.date, features: {} },
          user: current ? toUser(current.account) : null,
          tenant: null,
        };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Account/IsTenantAvailable',
      summary: 'Whether a tenant exists: there are no tenants, so the state is always 3 (not found).',
      access: 'public',
      body: Type.Object({ tenancyName: Text({ maxLength: 64 }) }),
      result: TenantAvailability,
      handle: async () => ({ state: TENANT_NOT_FOUND, tenantId: null }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Permission/IsPermissionGranted',
      summary:
        'Whether the roles of the caller grant a permission. False without a valid token, and while the password must be changed or a second factor enrolled.',
      access: 'public',
      optionalAuth: true,
      query: Type.Object({ permissionName: Text({ minLength: 1, maxLength: 128 }) }),
      result: Type.Boolean(),
      async handle({ input, token }) {
        const current = await authorization.findAccount(token);
        return roles.permissionsOf(rolesInForce(current)).includes(input.permissionName);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/ShaRole/IsRoleGranted',
      summary:
        'Whether the caller has a role. False without a valid token, and while the password must be changed or a second factor enrolled.',
      access: 'public',
      optionalAuth: true,
      query: Type.Object({ roleName: RoleName }),
      result: Type.Boolean(),
      async handle({ input, token }) {
        const current = await authorization.findAccount(token);
        return roles.isIn(input.roleName, rolesInForce(current));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/ChangeLanguage',
      summary: 'Accept a choice of language. Nothing is stored: ABP’s clients keep the choice in a cookie and send it.',
      access: 'token',
      body: Type.Object({ languageName: Text({ minLength: 2, maxLength: 20 }) }),
      result: Type.Null(),
      handle: async () => null,
    }),
  ];
}
