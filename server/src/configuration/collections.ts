// The kinds of things that a section lists by name: front ends, roles, webhooks and service keys.
import { DEFAULT_FRONT_END, type FrontEnds } from '../front-ends/index.ts';
import { builtInRoles, type Role, type Roles, roleKey, toNewRole, toRoleChanges } from '../roles/index.ts';
import type { ServiceKeys } from '../service-keys/index.ts';
import type { Webhooks } from '../webhooks/index.ts';
import { toKind } from './collection.ts';
import { compare } from './differences.ts';
import { sections } from './sections.ts';

export const createFrontEndKind = (frontEnds: FrontEnds) =>
  toKind({
    section: 'frontEnds',
    ...sections.frontEnds,
    others: ['settings'],
    async list(tx) {
      return (await frontEnds.readAll(tx)).map(({ id, appKey, name, description }) => ({
        name: appKey,
        id,
        members: { name, description },
        exported: { settings: {} },
        isRemovable: appKey !== DEFAULT_FRONT_END,
      }));
    },
    async add({ appKey, name = appKey, description = '' }, { by }) {
      await frontEnds.create({ appKey, name, description }, by);
      return {};
    },
    async change({ appKey, ...changes }, { id, members }, { by }) {
      const { name = String(members.name), description = String(members.description) } = changes;
      await frontEnds.update({ id, appKey, name, description }, by);
      return {};
    },
    remove: ({ id }, { by }) => frontEnds.remove(id, by),
  });

const toListedRole = ({ id, name, displayName, description, permissions }: Role) => ({
  name,
  id: String(id),
  members: { displayName, description, grantedPermissions: permissions },
  isRemovable: !builtInRoles.includes(name),
});

export const createRoleKind = (roles: Roles) =>
  toKind({
    section: 'roles',
    ...sections.roles,
    keyOf: roleKey,
    /** A file that changes a role waits for the transactions that use roles. While any other one is applied, sign-ins go on. */
    async lock(tx, wanted, prunes) {
      const members = new Map(wanted.map((one) => [one.key, one.members]));
      const forChange = (await roles.listStored(tx)).map(toListedRole).some((role) => {
        const after = members.get(roleKey(role.name));
        return after ? compare(role.members, after).length > 0 : prunes && role.isRemovable;
      });
      await roles.lockAll(tx, forChange);
    },
    list: async (tx) => (await roles.lockAll(tx)).map(toListedRole),
    async add(input, { by }) {
      await roles.create(toNewRole(input), by);
      return {};
    },
    async change(input, { id }, { by }) {
      await roles.update(Number(id), toRoleChanges(input), by);
      return {};
    },
    remove: ({ id }, { by }) => roles.delete(Number(id), by),
  });

export const createWebhookKind = (webhooks: Webhooks) =>
  toKind({
    section: 'webhooks',
    ...sections.webhooks,
    async list(tx) {
      // Of several with one address, a file names the oldest.
      const byUrl = Map.groupBy(await webhooks.list(tx), ({ url }) => url);
      const marks = await webhooks.readSecretMarks(tx);
      return [...byUrl.values()].flatMap(([oldest]) => {
        if (!oldest) return [];
        const { id, url, actions, description, isEnabled } = oldest;
        const members = { actions, description, isEnabled };
        return [{ name: url, id, members, secrets: ['secret'], secretMark: marks.get(id) }];
      });
    },
    async add(input, { by }) {
      const { secret } = await webhooks.create(input, by);
      return input.secret === undefined ? { secret } : {};
    },
    async change({ secret: _, ...input }, { id, members }, { by, secrets, differs }) {
      if (differs) await webhooks.update(id, { ...members, ...input }, by);
      if (secrets.secret !== undefined) await webhooks.rotateSecret(id, by, secrets.secret);
      return {};
    },
    remove: ({ id }, { by }) => webhooks.remove(id, by),
    hasSecret: (tx, { id }, _, secret) => webhooks.hasSecret(tx, id, secret),
  });

export const createServiceKeyKind = (serviceKeys: ServiceKeys) =>
  toKind({
    section: 'serviceKeys',
    ...sections.serviceKeys,
    unordered: ['permissions'],
    async list(tx) {
      const keys = await serviceKeys.list(tx);
      const marks = await serviceKeys.readSecretMarks(tx);
      return keys.map(({ name, permissions }) => ({
        name,
        id: name,
        members: { permissions },
        secrets: ['key'],
        secretMark: marks.get(name),
      }));
    },
    async add(input, { by }) {
      const key = await serviceKeys.create(input, by);
      return input.key === undefined ? { key } : {};
    },
    async change(input, { id }, { by }) {
      // A key does not change: another one replaces it.
      await serviceKeys.withdraw(id, by);
      const key = await serviceKeys.create(input, by);
      return input.key === undefined ? { key } : {};
    },
    remove: ({ id }, { by }) => serviceKeys.withdraw(id, by),
    hasSecret: (tx, { id }, _, secret) => serviceKeys.isKey(tx, id, secret),
  });
