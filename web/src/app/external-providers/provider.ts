// A registered external provider as the API lists it, and as it is typed.
import { useQuery } from '@tanstack/react-query';
import type { Calls } from 'latchkey-sdk';
import { latchkey } from '../../api/latchkey.ts';
import { Refusal } from '../../ui/problem.ts';
import { words } from '../../words/all.ts';
import { readList } from '../applications/application.ts';
import { findChanges } from '../settings/definition.ts';

export type Provider = Calls['ExternalProvider/GetAll']['result']['items'][number];
export type ProviderType = Calls['ExternalProvider/GetTypes']['result'][number];
export type TypeName = Provider['type'];
type Input = Calls['ExternalProvider/Update']['input'];

export const providersKey = ['external-providers'];

export const useProviders = () =>
  useQuery({ queryKey: providersKey, queryFn: () => latchkey.call('ExternalProvider/GetAll') });

export const useTypes = () =>
  useQuery({ queryKey: ['external-provider-types'], queryFn: () => latchkey.call('ExternalProvider/GetTypes') });

/** Returns what the reader calls a type. Makers have one name in all languages. */
export const describeType = ({ type, displayName }: ProviderType): string =>
  words.externalProviders.types[type] ?? displayName;

/** Returns where people come back to, or `undefined` while there is no name. */
export const redirectUriOf = ({ redirectUriStart }: ProviderType, typed: string): string | undefined =>
  typed.trim() === '' ? undefined : redirectUriStart + encodeURIComponent(typed.trim().normalize('NFC'));

/** What can be typed. Scopes and domains have blanks between them, parameters stand one a line. */
export type Typed = Readonly<
  Record<(typeof TEXTS)[number], string> & {
    endpoints: Record<Endpoint, string>;
    claims: Record<Claim, string>;
    emailTrust: Provider['emailTrust'];
    registersNewUsers: boolean;
  }
>;

const TEXTS = [
  ...['name', 'displayName', 'clientId', 'clientSecret', 'issuer', 'tenant', 'teamId', 'keyId', 'privateKey'],
  ...['scopes', 'authorizationParameters', 'allowedDomains', 'roleForNewUsers', 'secretExpiresAt'],
] as const;

export const ENDPOINTS = ['authorization', 'token', 'userinfo', 'emails'] as const;
type Endpoint = (typeof ENDPOINTS)[number];

export const CLAIMS = ['providerKey', 'name', 'surname', 'emailAddress'] as const;
type Claim = (typeof CLAIMS)[number];

/** Returns the fields of a new provider. */
export const newTyped = ({ type, displayName }: ProviderType): Typed => ({
  name: type === 'oidc' || type === 'oauth2' ? '' : displayName,
  displayName: '',
  clientId: '',
  clientSecret: '',
  issuer: '',
  tenant: '',
  teamId: '',
  keyId: '',
  privateKey: '',
  scopes: '',
  authorizationParameters: '',
  allowedDomains: '',
  roleForNewUsers: '',
  secretExpiresAt: '',
  endpoints: { authorization: '', token: '', userinfo: '', emails: '' },
  claims: { providerKey: '', name: '', surname: '', emailAddress: '' },
  emailTrust: 'verified',
  registersNewUsers: true,
});

/** The members that not every type has. */
const TYPE_MEMBERS = [
  ...['issuer', 'tenant', 'teamId', 'keyId', 'clientSecret', 'privateKey', 'endpoints', 'claims'],
] as const satisfies ProviderType['needs'];

export const has = ({ needs, may }: ProviderType, member: (typeof TYPE_MEMBERS)[number]) =>
  needs.includes(member) || may.includes(member);

/**
 * Returns the fields when another type is chosen: what this one has too stays as it was typed. What is asked of one provider, and how
 * far its addresses are trusted, begins anew: the fields are folded.
 */
export function retype(typed: Typed, from: ProviderType, to: ProviderType): Typed {
  const fresh = newTyped(to);
  const dropped = TYPE_MEMBERS.filter((member) => !has(to, member)).map((member) => [member, fresh[member]]);
  const name = typed.name === newTyped(from).name ? fresh.name : typed.name;
  const { scopes, authorizationParameters, emailTrust } = fresh;
  return { ...typed, ...Object.fromEntries(dropped), scopes, authorizationParameters, emailTrust, name };
}

/** Returns the fields of a registered provider. Its secrets are never shown. */
export const toTyped = (provider: Provider, type: ProviderType): Typed => ({
  ...newTyped(type),
  name: provider.name,
  displayName: provider.displayName,
  clientId: provider.clientId,
  issuer: provider.issuer ?? '',
  tenant: provider.tenant ?? '',
  teamId: provider.teamId ?? '',
  keyId: provider.keyId ?? '',
  scopes: provider.scopes.join(' '),
  authorizationParameters: Object.entries(provider.authorizationParameters)
    .map((one) => one.join('='))
    .join('\n'),
  allowedDomains: provider.allowedDomains.join(' '),
  roleForNewUsers: provider.roleForNewUsers ?? '',
  secretExpiresAt: provider.secretExpiresAt?.slice(0, 10) ?? '',
  endpoints: { ...newTyped(type).endpoints, ...provider.endpoints, emails: provider.endpoints?.emails ?? '' },
  claims: { ...newTyped(type).claims, ...provider.claims },
  emailTrust: provider.emailTrust,
  registersNewUsers: provider.registersNewUsers,
});

/** Returns the members that the service takes. */
function toMembers(typed: Typed) {
  const { endpoints, claims } = typed;
  const [authorization, token, userinfo, emails] = ENDPOINTS.map((name) => endpoints[name].trim());
  return {
    displayName: typed.displayName.trim() || typed.name.trim(),
    clientId: typed.clientId.trim(),
    clientSecret: typed.clientSecret || null,
    issuer: typed.issuer.trim() || null,
    tenant: typed.tenant.trim() || null,
    teamId: typed.teamId.trim() || null,
    keyId: typed.keyId.trim() || null,
    privateKey: typed.privateKey.trim() || null,
    scopes: readList(typed.scopes, /[\s,]+/),
    authorizationParameters: readParameters(typed.authorizationParameters),
    allowedDomains: readList(typed.allowedDomains, /[\s,]+/),
    roleForNewUsers: typed.roleForNewUsers || null,
    secretExpiresAt: toTime(typed.secretExpiresAt),
    endpoints:
      authorization || token || userinfo || emails
        ? { authorization: authorization ?? '', token: token ?? '', userinfo: userinfo ?? '', emails: emails || null }
        : null,
    claims: Object.fromEntries(CLAIMS.map((name) => [name, claims[name].trim()]).filter(([, claim]) => claim !== '')),
    emailTrust: typed.emailTrust,
    registersNewUsers: typed.registersNewUsers,
  } satisfies Omit<Input, 'id'>;
}

/** Returns the members of a new provider. */
export const toNew = (type: TypeName, typed: Typed) => ({ ...toMembers(typed), type, name: typed.name.trim() });

/** Returns the members that differ from those of `before`, as {@link findChanges} does. */
export const toChanges = (before: Typed, typed: Typed, present: Typed): Omit<Input, 'id'> =>
  findChanges(toMembers(before), toMembers(typed), toMembers(present));

/** Whether the client secret would go to another address than before. The service does not send the stored one there. */
export const sendsSecretElsewhere = (before: Typed, typed: Typed): boolean =>
  typed.issuer.trim() !== before.issuer || typed.endpoints.token.trim() !== before.endpoints.token;

/** Parameters stand as `name=value`. A line without `=` is a parameter without a value. */
const readParameters = (text: string): Record<string, string> =>
  Object.fromEntries(
    readList(text, /\n/).map((line) => {
      const [name = '', ...value] = line.split('=');
      return [name.trim(), value.join('=').trim()];
    }),
  );

/** Returns the end of a day of UTC. @param day as `2030-01-31`, or empty. */
export const toTime = (day: string): string | null => (day === '' ? null : `${day}T23:59:59Z`);

/** Returns the faults of fields that a type cannot be without. @param withSecrets whether the secrets are fields too. */
export function findMissing({ needs }: ProviderType, typed: Typed, withSecrets: boolean): Record<string, string> {
  const texts = (['issuer', 'tenant', 'teamId', 'keyId'] as const).filter((name) => needs.includes(name));
  const secrets = (['clientSecret', 'privateKey'] as const).filter((name) => withSecrets && needs.includes(name));
  const empty = (['name', 'clientId', ...texts, ...secrets] as const).filter((name) => typed[name].trim() === '');
  const endpoints = (['authorization', 'token', 'userinfo'] as const)
    .filter((name) => needs.includes('endpoints') && typed.endpoints[name].trim() === '')
    .map((name) => `endpoints.${name}`);
  return Object.fromEntries([...empty, ...endpoints].map((name) => [name, words.common.required]));
}

/** A change of the history, and what it has replaced. */
export type PastChange = Calls['ExternalProvider/GetHistory']['result']['items'][number];

export const useHistory = (id: string) =>
  useQuery({
    queryKey: [...providersKey, 'history', id],
    queryFn: async () => (await latchkey.call('ExternalProvider/GetHistory', { id })).items,
    staleTime: 0,
  });

export const isSecret = (member: string): boolean => member === 'clientSecret' || member === 'privateKey';

/** Returns the former values that a change has replaced. */
const formerValues = ({ changes }: PastChange) =>
  Object.fromEntries(changes.map(({ member, oldValue }) => [member, oldValue]));

/**
 * Whether what the change has replaced can be restored, and that would change anything. Former secrets are not kept, and what
 * changed together with one is of no use without it, such as the id of a key.
 */
export function isRestorable(change: PastChange, present: Provider): boolean {
  if (change.changes.some(({ member }) => isSecret(member))) return false;
  const now: Readonly<Record<string, unknown>> = present;
  return Object.entries(formerValues(change)).some(
    ([name, value]) => JSON.stringify(now[name]) !== JSON.stringify(value),
  );
}

/**
 * Restores what a change has replaced.
 * @param isLatest whether it is the newest one: then the members must still be as it left them.
 * @returns the change that this made. @throws Refusal if they are not.
 */
export async function restore({ id }: Provider, change: PastChange, isLatest: boolean): Promise<Change> {
  const before = await latchkey.call('ExternalProvider/Get', { id });
  const values = formerValues(change);
  const now: Readonly<Record<string, unknown>> = before;
  const isAsLeft = ({ member, newValue }: PastChange['changes'][number]) =>
    JSON.stringify(now[member]) === JSON.stringify(newValue);
  if (isLatest && !change.changes.every(isAsLeft)) throw new Refusal(words.common.changedSince);
  const after = await latchkey.call('ExternalProvider/Update', { ...values, id });
  return { before, after, changed: Object.keys(values) };
}

/** A change of members. */
export type Change = { readonly before: Provider; readonly after: Provider; readonly changed: readonly string[] };

/** Whether the change can be undone: as in {@link isRestorable}, not if it has replaced a secret. */
export const isUndoable = ({ changed }: Change): boolean => changed.length > 0 && !changed.some(isSecret);

const pick = (provider: Provider, names: readonly string[]) =>
  Object.fromEntries(Object.entries(provider).filter(([name]) => names.includes(name)));

/** Restores the changed members. @throws Refusal if they are no longer as the change left them. */
export async function undoChange({ before, after, changed }: Change): Promise<void> {
  const present = await latchkey.call('ExternalProvider/Get', { id: after.id });
  if (JSON.stringify(pick(present, changed)) !== JSON.stringify(pick(after, changed)))
    throw new Refusal(words.common.changedSince);
  await latchkey.call('ExternalProvider/Update', { ...pick(before, changed), id: after.id });
}
