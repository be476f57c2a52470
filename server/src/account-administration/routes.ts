// The calls of administrators on accounts.
import { Type } from 'typebox';
import { CreateInput, toAccountInput, toChanges, UpdateInput } from '../account-changes/index.ts';
import { defineRoute, type Route } from '../contract/route.ts';
import {
  AccountId,
  Items,
  NamedObject,
  Nullable,
  PagedItems,
  paging,
  Secret,
  Text,
  toPage,
  Uuid,
} from '../contract/schemas.ts';
import { type Manager, toManager } from '../foundation/authority.ts';
import { toIsoString } from '../foundation/clock.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { accountSubject } from '../lockout/index.ts';
import { type Passwords, readPasswordPolicy, requesterOf, requireGoodPassword } from '../passwords/index.ts';
import type { Roles } from '../roles/index.ts';
import { sessionMembers, toSessionMembers } from '../tokens/index.ts';
import type { AccountAdministration } from './account-administration.ts';
import { DateTime, toUserDetailsDto, toUserDto, UserDetailsDto, UserDto } from './dtos.ts';
import type { ExternalLoginAdministration } from './external-logins.ts';
import { filterMembers, toFilter } from './filter.ts';
import type { SessionAdministration } from './sessions.ts';
import { toSort } from './sorting.ts';

const ExternalLoginDto = NamedObject('ExternalLoginDto', {
  id: Type.String(),
  provider: Type.String(),
  providerKey: Type.String(),
  linkedAt: DateTime,
});

const UserSessionDto = NamedObject('UserSessionDto', sessionMembers);

export function accountAdministrationRoutes(deps: {
  administration: AccountAdministration;
  externalLogins: ExternalLoginAdministration;
  accountSessions: SessionAdministration;
  passwords: Passwords;
  settings: SettingReader;
  roles: Pick<Roles, 'spell'>;
}): Route[] {
  const { administration, externalLogins, accountSessions, passwords, settings, roles } = deps;

  async function hashGoodPassword(password: string, by: Manager, names: (string | null)[], member: string) {
    requireGoodPassword(password, readPasswordPolicy(settings, by.origin.frontEnd), names, { member });
    return { hash: await passwords.hash(password, requesterOf(by.origin, accountSubject(by.actor.id ?? 0))) };
  }

  /** Defines a call that runs one action on one account. */
  const action = (name: string, summary: string, run: (id: number, by: Manager) => Promise<void>) =>
    defineRoute({
      method: 'POST',
      path: `/api/services/app/User/${name}`,
      summary,
      access: 'Pages.Users',
      body: Type.Object({ userId: AccountId }),
      result: Type.Boolean(),
      async handle(call) {
        await run(call.input.userId, toManager(call));
        return true;
      },
    });

  /** The same as ABP's user service names it, whose argument is an entity: `{ id }`. */
  const abpAction = (name: string, summary: string, run: (id: number, by: Manager) => Promise<void>) =>
    defineRoute({
      method: 'POST',
      path: `/api/services/app/User/${name}`,
      summary,
      access: 'Pages.Users',
      body: Type.Object({ id: AccountId }),
      result: Type.Boolean(),
      async handle(call) {
        await run(call.input.id, toManager(call));
        return true;
      },
    });

  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/User/GetAll',
      summary: 'Search accounts by part of a name or address, and by their state.',
      access: 'Pages.Users',
      query: Type.Object({
        ...filterMembers,
        sorting: Type.Optional(Text({ maxLength: 60 })),
        ...paging,
      }),
      result: PagedItems(UserDto),
      async handle({ input }) {
        const { sorting, skipCount: _skip, maxResultCount: _take, ...filter } = input;
        const query = { ...toFilter(filter, roles), sort: toSort(sorting), ...toPage(input) };
        const { accounts, total } = await administration.list(query);
        return { items: accounts.map(toUserDto), totalCount: total };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/User/Get',
      summary: 'Get one account.',
      access: 'Pages.Users',
      query: Type.Object({ id: AccountId }),
      result: UserDetailsDto,
      handle: async ({ input }) => toUserDetailsDto(await administration.get(input.id)),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/Create',
      summary: 'Create an account. Without a password, its owner cannot sign in with one until it is set or reset.',
      access: 'Pages.Users',
      body: CreateInput,
      result: UserDto,
      async handle(call) {
        const { input } = call;
        const by = toManager(call);
        const wanted = toAccountInput(input);
        const names = [wanted.userName, wanted.emailAddress, wanted.name, wanted.surname];
        const password = input.password == null ? null : await hashGoodPassword(input.password, by, names, 'password');
        return toUserDto(await administration.create(wanted, password, by));
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/services/app/User/Update',
      summary: 'Change an account. Absent members stay as they are.',
      access: 'Pages.Users',
      body: UpdateInput,
      result: UserDto,
      handle: async (call) =>
        toUserDto(await administration.update(call.input.id, toChanges(call.input), toManager(call))),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/services/app/User/Delete',
      summary: 'Delete an account.',
      access: 'Pages.Users',
      query: Type.Object({ id: AccountId }),
      result: UserDto,
      handle: async (call) => toUserDto(await administration.remove(call.input.id, toManager(call))),
    }),
    action('ActivateUser', 'Activate an account.', administration.activate),
    action('InactivateUser', 'Deactivate an account, and end its sessions at once.', administration.deactivate),
    abpAction('Activate', 'The same as ActivateUser, as ABP’s clients call it.', administration.activate),
    abpAction('DeActivate', 'The same as InactivateUser, as ABP’s clients call it.', administration.deactivate),
    action('UnlockUser', 'Reset the lockout of an account.', administration.unlock),
    action('SignOutEverywhere', 'End all sessions of an account at once.', administration.signOutEverywhere),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/User/GetSessions',
      summary: 'List the open sessions of an account, newest first.',
      access: 'Pages.Users',
      query: Type.Object({ userId: AccountId }),
      result: Items(UserSessionDto),
      async handle(call) {
        return { items: (await accountSessions.list(call.input.userId, toManager(call))).map(toSessionMembers) };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/EndSession',
      summary: 'End one session of an account at once.',
      access: 'Pages.Users',
      body: Type.Object({ userId: AccountId, id: Uuid }),
      result: Type.Boolean(),
      async handle(call) {
        await accountSessions.end(call.input.userId, call.input.id.toLowerCase(), toManager(call));
        return true;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/ResetPassword',
      summary: 'Set the password of another account. Its owner must change it at the next sign-in.',
      access: 'users:resetPassword',
      body: Type.Object({ userId: AccountId, newPassword: Secret({ maxLength: 4096 }) }),
      result: Type.Boolean(),
      async handle(call) {
        const { input } = call;
        const by = toManager(call);
        const { userName, emailAddress, name, surname } = await administration.get(input.userId);
        const names = [userName, emailAddress, name, surname];
        const password = await hashGoodPassword(input.newPassword, by, names, 'newPassword');
        await administration.resetPassword(input.userId, password, by);
        return true;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/ResetFactors',
      summary: 'Remove all second factors, passkeys and recovery codes of another account. Its owner is told.',
      access: 'users:resetPassword',
      body: Type.Object({ userId: AccountId, reason: Type.Optional(Nullable(Text({ maxLength: 500 }))) }),
      result: Type.Boolean(),
      async handle(call) {
        const { userId, reason } = call.input;
        await administration.resetFactors(userId, reason || undefined, toManager(call));
        return true;
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/User/GetExternalLogins',
      summary: 'List the external logins of an account, oldest first.',
      access: 'Pages.Users',
      query: Type.Object({ userId: AccountId }),
      result: Items(ExternalLoginDto),
      async handle(call) {
        const links = await externalLogins.list(call.input.userId, toManager(call));
        return { items: links.map((link) => ({ ...link, linkedAt: toIsoString(link.linkedAt) })) };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/RemoveExternalLogin',
      summary: 'Remove an external login, and end all sessions of the account.',
      access: 'Pages.Users',
      body: Type.Object({ userId: AccountId, id: Uuid }),
      result: Type.Boolean(),
      async handle(call) {
        await externalLogins.remove(call.input.userId, call.input.id.toLowerCase(), toManager(call));
        return true;
      },
    }),
  ];
}
