// The kinds of things with which people sign in, and that a section lists by name: applications and external providers.
import type { Applications } from '../applications/index.ts';
import { foldCase } from '../foundation/case-folding.ts';
import { toIsoString } from '../foundation/clock.ts';
import { invalidMember } from '../foundation/errors.ts';
import { type ExternalProviders, toProviderChanges } from '../providers/index.ts';
import type { Roles } from '../roles/index.ts';
import { toKind } from './collection.ts';
import { sections } from './sections.ts';

export const createApplicationKind = (applications: Applications, roles: Roles) =>
  toKind({
    section: 'applications',
    ...sections.applications,
    async list(tx) {
      const all = await applications.readAll(tx);
      const marks = await applications.readSecretMarks(tx);
      const allowed = all.flatMap(({ allowedRoles }) => allowedRoles);
      const known = (await roles.findIn(tx, allowed)).map(({ name }) => name);
      const isRole = (name: string) => roles.isIn(name, known);
      return all.map(({ id, clientId, createdAt: _, ...members }) => ({
        name: clientId,
        id,
        members,
        exported: withoutDeletedRoles(members.allowedRoles, isRole),
        secrets: members.authentication === 'secret' ? ['clientSecret'] : [],
        secretMark: marks.get(id),
      }));
    },
    async add(input, { by }) {
      const { clientSecret } = await applications.create(input, by);
      if (clientSecret === null) requireNone(input.clientSecret);
      return clientSecret === null || input.clientSecret !== undefined ? {} : { clientSecret };
    },
    async change({ clientSecret, ...changes }, { id, members }, { by, secrets, differs }) {
      const { authentication } = differs ? await applications.update(id, changes, by) : members;
      if (authentication !== 'secret') requireNone(clientSecret);
      const lacksOne = authentication === 'secret' && members.authentication !== 'secret';
      if (secrets.clientSecret === undefined && !lacksOne) return {};
      const made = await applications.rotateSecret(id, 0, by, secrets.clientSecret);
      return secrets.clientSecret === undefined ? { clientSecret: made } : {};
    },
    remove: ({ id }, { by }) => applications.remove(id, by),
    hasSecret: (tx, { id }, _, secret) => applications.hasSecret(tx, id, secret),
  });

/**
 * Returns the members of an export that differ because roles were deleted: no file names a role that does not exist. Nobody may
 * sign in to an application that lost all of its allowed roles, so a file says that it is disabled: without roles, everybody might.
 */
function withoutDeletedRoles(allowedRoles: readonly string[], isRole: (name: string) => boolean) {
  const left = allowedRoles.filter(isRole);
  if (left.length === allowedRoles.length) return {};
  return { allowedRoles: left, ...(left.length === 0 && { isEnabled: false }) };
}

/** @throws AuthError `request.invalid`. */
function requireNone(clientSecret: string | undefined) {
  if (clientSecret === undefined) return;
  throw invalidMember('clientSecret', 'Only an application that authenticates with a secret has one. Leave it out.');
}

export const createExternalProviderKind = (externalProviders: ExternalProviders) =>
  toKind({
    section: 'externalProviders',
    ...sections.externalProviders,
    keyOf: foldCase,
    async list(tx) {
      const all = await externalProviders.readAll(tx);
      const marks = await externalProviders.readSecretMarks(tx);
      return all.map((provider) => {
        const { id, name, secretExpiresAt, createdAt: _, warnings: __, isReplacedByCode: ___, ...rest } = provider;
        const { hasClientSecret, hasPrivateKey, ...members } = rest;
        const secrets = [hasClientSecret ? ['clientSecret'] : [], hasPrivateKey ? ['privateKey'] : []].flat();
        const expires = secretExpiresAt === null ? null : toIsoString(secretExpiresAt);
        return { name, id, members: { ...members, secretExpiresAt: expires }, secrets, secretMark: marks.get(id) };
      });
    },
    async add({ type, name, clientId, ...more }, { by }) {
      await externalProviders.create({ ...toProviderChanges(more), type, name, clientId }, by);
      return {};
    },
    async change({ name: _, ...changes }, { id }, { by }) {
      await externalProviders.update(id, toProviderChanges(changes), by);
      return {};
    },
    remove: ({ id }, { by }) => externalProviders.remove(id, by),
    async takesFromAccounts(tx, wanted) {
      const disabled = new Set(wanted.filter(({ members }) => members.isEnabled === false).map(({ key }) => key));
      return (await externalProviders.readAll(tx)).some(
        ({ name, isEnabled }) => isEnabled && disabled.has(foldCase(name)),
      );
    },
    hasSecret: (tx, { id }, member, secret) =>
      externalProviders.hasSecret(tx, id, member === 'privateKey' ? member : 'clientSecret', secret),
  });
