// Registered external providers: administrators add, change and remove them while the service runs.
import { Equal } from 'typebox/value';
import type { Manager } from '../foundation/authority.ts';
import { foldCase } from '../foundation/case-folding.ts';
import type { Clock } from '../foundation/clock.ts';
import { type Egress, EgressRefusal } from '../foundation/egress.ts';
import { invalidMember, UniqueViolation } from '../foundation/errors.ts';
import type { Action, Occurrence } from '../foundation/events.ts';
import { holdsAll, toUntrustedSince } from '../foundation/permissions.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Database, Statements, Tx } from '../storage/database.ts';
import { externalErrors, externalProviderActions, externalProviderErrors } from './declarations.ts';
import { type ExternalProvider, type ProviderWithSecret, sourceOf } from './external-provider.ts';
import type { ConfirmedRules } from './profile.ts';
import { checkMembers, checkName, checkSecret, readPrivateKey, toDomains } from './provider-rules.ts';
import { findWarnings } from './provider-warnings.ts';
import type {
  ChangedMember,
  ExternalProviderStore,
  ProviderChange,
  StoredProvider,
} from './store.external-providers.sql.ts';

const TOPIC = 'external-providers';

/** The label of the sealed secrets. */
const SEAL = 'external-provider';

/** Every node keeps all of them in memory. */
const MOST = 100;

/** A provider, and which of its write-only members are stored. */
export type DescribedProvider = ExternalProvider & {
  readonly hasClientSecret: boolean;
  readonly hasPrivateKey: boolean;
  /** Whether a provider of code has its name. Then people sign in with that one. */
  readonly isReplacedByCode: boolean;
  readonly warnings: readonly string[];
};

/** What an administrator chooses when a provider is changed. Absent members stay as they are. */
export type ProviderChanges = {
  [Name in keyof Omit<ExternalProvider, 'id' | 'createdAt'>]?: ExternalProvider[Name] | undefined;
} & {
  /** Null: it has none any more. */
  readonly clientSecret?: string | null | undefined;
  readonly privateKey?: string | null | undefined;
};

/** What an administrator chooses of a new provider. */
export type ProviderInput = ProviderChanges & Pick<ExternalProvider, 'type' | 'name' | 'clientId'>;

export interface ExternalProviders {
  /** Reads all providers, now and after each change on any node. */
  load(): Promise<void>;
  /**
   * All providers, the oldest first, disabled ones too; none whose name a provider of code has. At most two seconds old. The
   * secrets are opened when they are read, and are not copied by `...`, logged or written as JSON.
   */
  list(): readonly ProviderWithSecret[];
  /** Returns all providers as stored now, the oldest first. */
  readAll(tx?: Tx): Promise<readonly DescribedProvider[]>;
  /** Returns a text for each that changes with its secrets and reveals nothing of them, by id. */
  readSecretMarks(tx: Tx): Promise<ReadonlyMap<string, string>>;
  /** Whether this is its present secret. @throws AuthError `externalProvider.notFound`, `request.invalid`. */
  hasSecret(tx: Tx, id: string, member: 'clientSecret' | 'privateKey', secret: string): Promise<boolean>;
  /** Returns a provider as stored now. @throws AuthError `externalProvider.notFound`. */
  read(id: string): Promise<DescribedProvider>;
  /** Returns its latest changes, the newest first. @throws AuthError `externalProvider.notFound`. */
  readHistory(id: string): Promise<readonly ProviderChange[]>;
  /** Returns how many external logins a provider has: none if a provider of code has taken its name, and the logins with it. */
  countLogins(name: string): Promise<number>;
  /** Likewise with its secrets. @throws AuthError `externalProvider.notFound`. */
  open(id: string): Promise<ProviderWithSecret>;
  /**
   * Registers a provider.
   * @param options.keepsLogins whether people who have external logins of this name, of a former provider or an import, sign in by this one.
   * @throws AuthError `request.invalid`, `externalProvider.nameTaken`, `externalProvider.tooMany`, `permission.denied`, and
   * `externalProvider.hasLogins` if there are such people.
   */
  create(input: ProviderInput, by: Manager, options?: { keepsLogins: boolean }): Promise<DescribedProvider>;
  /**
   * Changes a provider. Its type and name stay, and while people are linked to it also what says whose identity a key is. Where
   * the client secret is sent changes only together with it.
   * @throws AuthError `externalProvider.notFound`, `externalProvider.hasLogins`, `request.invalid`, `permission.denied`, and
   * `account.lastAdministrator` if nobody else could administer the service while it is disabled.
   */
  update(id: string, changes: ProviderChanges, by: Manager): Promise<DescribedProvider>;
  /**
   * Deletes a provider, and what {@link whenRemoving} hangs on its name, unless a provider of code has that name: then it is its.
   * @throws AuthError `externalProvider.notFound`, `permission.denied`, `account.lastAdministrator`, and
   * `externalProvider.hasLogins` if people are linked to it, and the providers of code are not known.
   */
  remove(id: string, by: Manager): Promise<void>;
  /**
   * Returns who may register by a provider, as stored now. A change of it waits until the transaction ends.
   * @param source as `sourceOf` when it identified the person.
   * @throws AuthError `external.unknownProvider` if it is disabled, or not that one any more.
   */
  confirm(tx: Tx, name: string, source: string): Promise<ConfirmedRules>;
  /** Returns whether this provider, as {@link confirm} asks, is still there and enabled. */
  isCurrent(tx: Tx, name: string, source: string): Promise<boolean>;
  /** Returns the names of the enabled providers, as stored now, without those whose name a provider of code has. */
  readEnabledNames(tx: Tx): Promise<string[]>;
  /** Calls the listener in each transaction that deletes a provider. It gets the roles of the administrator. */
  whenRemoving(listener: WhenRemoving): void;
  /** Runs what takes a provider from people, its deletion and its disabling, inside this guard. */
  guardClosing(guard: ClosingGuard): void;
  /** Takes a role that is deleted from the providers that give it to new accounts. */
  forgetRole(tx: Tx, isRole: (name: string) => boolean): Promise<void>;
}

type ClosingGuard = <Result>(tx: Tx, close: () => Promise<Result>) => Promise<Result>;
type WhenRemoving = (tx: Tx, name: string, roleNames: readonly string[]) => Promise<void>;

export type ExternalProvidersDeps = {
  database: Database;
  store: ExternalProviderStore;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  egress: Egress;
  /** The names of the providers of code. */
  codeNames: readonly string[];
  /** Whether these are all of them: commands load no extensions. */
  areCodeNamesComplete: boolean;
  roles: {
    /** Returns the name as the role spells it, if there is one. A change of the role waits until the transaction ends. */
    find(tx: Tx, name: string): Promise<string | undefined>;
    /** Requires that an administrator with the roles `held` may give this one. @throws AuthError `permission.denied`. */
    requireGivable(tx: Tx, name: string, held: readonly string[]): Promise<void>;
  };
  logins: {
    /** Waits until no other transaction links or unlinks people. */
    lock(tx: Tx): Promise<void>;
    /** Returns how many external logins there are under the name of a provider. */
    count(sql: Statements, name: string): Promise<number>;
  };
  secrets: Secrets;
  clock: Clock;
  random: Random;
};

export function createExternalProviders(deps: ExternalProvidersDeps): ExternalProviders {
  const { database, store, record, codeNames, areCodeNamesComplete, roles, logins, clock, random } = deps;
  const taken = new Set(codeNames.map(foldCase));
  const checkAddresses = createAddressCheck(deps.egress);
  const { seal, withSecrets } = createSeals(deps.secrets);
  const listeners: WhenRemoving[] = [];
  let closing: ClosingGuard = (_, close) => close();
  let all: readonly ProviderWithSecret[] = [];

  const isTaken = (name: string) => taken.has(foldCase(name));

  function describe(stored: StoredProvider): DescribedProvider {
    const { sealedSecret: _, sealedPrivateKey: __, untrustedSince: ___, ...provider } = stored;
    const { clientSecret, privateKey } = possessionOf(stored);
    const has = { hasClientSecret: clientSecret, hasPrivateKey: privateKey };
    return { ...provider, ...has, isReplacedByCode: isTaken(provider.name), warnings: findWarnings(provider) };
  }

  async function reload() {
    const stored = await store.readAll(database.sql);
    all = stored.filter(({ name }) => !isTaken(name)).map(withSecrets);
  }

  /** Runs a change by an administrator, who is authorized first. Changes run one after another. */
  const change = <Result>(by: Manager, work: (tx: Tx, held: readonly string[]) => Promise<Result>) =>
    database.transaction(async (tx) => {
      // First: it is taken before accounts and their sessions everywhere.
      await logins.lock(tx);
      const held = await by.authorize(tx);
      await tx.announce(TOPIC);
      return work(tx, held);
    }, by);

  /** Returns how many external logins a provider has of its own. */
  const countOwn = async (sql: Statements, name: string) => (codeNames.includes(name) ? 0 : logins.count(sql, name));

  async function note(tx: Tx, action: Action, { type, name }: ExternalProvider, by: Manager, more: object = {}) {
    const details = { provider: name, kind: type, ...more };
    await record(tx, { action, outcome: 'success', user: by.actor, origin: by.origin, details });
  }

  async function requireProvider(tx: Tx, id: string): Promise<StoredProvider> {
    const provider = await store.findForUpdate(tx.sql, id);
    if (!provider) throw externalProviderErrors.notFound();
    return provider;
  }

  /** Returns the provider as stored now, if it is enabled and still the same one. */
  async function findCurrent(tx: Tx, name: string, source: string): Promise<StoredProvider | undefined> {
    const stored = (await store.readAll(tx.sql)).find((provider) => provider.name === name);
    return stored?.isEnabled && sourceOf(stored) === source ? stored : undefined;
  }

  async function readStored(id: string): Promise<StoredProvider> {
    const provider = await store.find(id);
    if (!provider) throw externalProviderErrors.notFound();
    return provider;
  }

  /** Checks a provider. @param held the permissions of the administrator. @returns it with its role as the role is spelled. */
  async function check(tx: Tx, provider: StoredProvider, held: readonly string[]): Promise<StoredProvider> {
    checkMembers(provider, possessionOf(provider));
    checkAddresses(provider);
    const { roleForNewUsers: role } = provider;
    if (role === null) return provider;
    const spelled = await roles.find(tx, role);
    if (spelled === undefined) throw invalidMember('roleForNewUsers', `There is no role "${role}". Add it first.`);
    await roles.requireGivable(tx, spelled, held);
    return { ...provider, roleForNewUsers: spelled };
  }

  /** @throws AuthError `externalProvider.hasLogins`. */
  async function requireNoLogins(tx: Tx, name: string, because: (thereAre: string) => string) {
    const count = await logins.count(tx.sql, name);
    if (count === 0) return;
    const thereAre = count === 1 ? 'There is 1 external login' : `There are ${count} external logins`;
    throw externalProviderErrors.hasLogins({ details: because(thereAre) });
  }

  return {
    load: () => database.watch(TOPIC, reload),
    list: () => all,
    readAll: async (tx) => (await store.readAll(tx?.sql ?? database.sql)).map(describe),
    readSecretMarks: async (tx) =>
      new Map(
        (await store.readAll(tx.sql)).map(({ id, sealedSecret, sealedPrivateKey }) => [
          id,
          `${sealedSecret} ${sealedPrivateKey}`,
        ]),
      ),
    async hasSecret(tx, id, member, secret) {
      const { sealedSecret, sealedPrivateKey } = await requireProvider(tx, id);
      const [sealed, plain] =
        member === 'privateKey' ? [sealedPrivateKey, readPrivateKey(secret)] : [sealedSecret, secret];
      return sealed === null ? plain === '' : deps.secrets.opensTo(SEAL, sealed, plain);
    },
    read: async (id) => describe(await readStored(id)),
    async readHistory(id) {
      await readStored(id);
      return store.readChanges(id);
    },
    countLogins: (name) => countOwn(database.sql, name),
    open: async (id) => withSecrets(await readStored(id)),
    async readEnabledNames(tx) {
      const stored = await store.readAll(tx.sql);
      return stored.filter(({ isEnabled, name }) => isEnabled && !isTaken(name)).map(({ name }) => name);
    },
    whenRemoving: (listener) => void listeners.push(listener),
    guardClosing(guard) {
      closing = guard;
    },

    async create(input, by, { keepsLogins } = { keepsLogins: false }) {
      const name = input.name.normalize('NFC');
      checkName(name);
      if (isTaken(name)) throw externalProviderErrors.nameTaken();
      const made = { ...defaults, id: random.uuid(), name, displayName: name, createdAt: clock.now() };
      const wanted = apply({ ...made, type: input.type, clientId: input.clientId }, { ...input, name }, seal);
      const creation = change(by, async (tx, held) => {
        const provider = await check(tx, wanted, held);
        if ((await store.readAll(tx.sql)).length >= MOST) throw externalProviderErrors.tooMany();
        if (!keepsLogins) await requireNoLogins(tx, name, formerLogins);
        const kept = await logins.count(tx.sql, name);
        const untrustedSince = toUntrustedSince(held, clock.now());
        await store.add(tx.sql, { ...provider, untrustedSince });
        await note(tx, externalProviderActions.created, provider, by, { ...(kept > 0 && { externalLogins: kept }) });
        return describe(provider);
      });
      return creation.catch((error) => {
        throw error instanceof UniqueViolation ? externalProviderErrors.nameTaken() : error;
      });
    },

    update: (id, changes, by) =>
      change(by, async (tx, held) => {
        const before = await requireProvider(tx, id);
        // Who may not give the role may not choose either who gets it.
        if (before.roleForNewUsers !== null) await roles.requireGivable(tx, before.roleForNewUsers, held);
        const wanted = apply(before, changes, seal);
        // What was allowed once must not keep a provider from being disabled.
        const isDisabled = Equal(wanted, { ...before, isEnabled: false });
        const after = isDisabled ? wanted : await check(tx, wanted, held);
        const changed = describeChanges(before, after);
        // An administrator with all permissions who saves it as it is trusts it.
        const isTrusted = before.untrustedSince !== null && holdsAll(held);
        if (changed.length === 0 && !isTrusted) return describe(before);
        if (sourceOf(before) !== sourceOf(after)) await requireNoLogins(tx, before.name, presentLogins);
        if (changes.clientSecret === undefined) requireSameRecipient(before, after);
        const { isEnabled } = after;
        const history = { at: clock.now(), by: by.actor, changes: changed };
        // Who disables or enables it, or replaces secrets with all permissions, need not have looked at the rest.
        const concernsOnly = (members: readonly string[]) =>
          changed.length > 0 && changed.every(({ member }) => members.includes(member));
        const saysNothing = concernsOnly(['isEnabled']) || (holdsAll(held) && concernsOnly(CREDENTIALS));
        const untrustedSince = saysNothing ? before.untrustedSince : toUntrustedSince(held, history.at);
        const replace = () => store.replace(tx.sql, { ...after, untrustedSince }, history);
        await (before.isEnabled && !isEnabled ? closing(tx, replace) : replace());
        const names = changed.map(({ member }) => member).join(' ');
        await note(tx, externalProviderActions.updated, after, by, { changed: names, isEnabled });
        return describe(after);
      }),

    remove: (id, by) =>
      change(by, async (tx, roleNames) => {
        const provider = await requireProvider(tx, id);
        const { name } = provider;
        if (!areCodeNamesComplete) await requireNoLogins(tx, name, loginsOfCode);
        const count = await countOwn(tx.sql, name);
        await closing(tx, async () => {
          if (!codeNames.includes(name)) for (const listener of listeners) await listener(tx, name, roleNames);
          await store.remove(tx.sql, id);
        });
        await note(tx, externalProviderActions.deleted, provider, by, { externalLogins: count });
      }),

    async confirm(tx, name, source) {
      const stored = await findCurrent(tx, name, source);
      if (!stored) throw externalErrors.unknownProvider();
      const { roleForNewUsers: role } = stored;
      // A role that was deleted just now is given to nobody.
      const roleForNewUsers = role === null ? null : ((await roles.find(tx, role)) ?? null);
      return { ...stored, roleForNewUsers, verifiesAddresses: stored.untrustedSince === null };
    },

    isCurrent: async (tx, name, source) => (await findCurrent(tx, name, source)) !== undefined,

    async forgetRole(tx, isRole) {
      const stored = await store.readAll(tx.sql);
      const giving = stored.filter(({ roleForNewUsers: role }) => role !== null && isRole(role));
      if (giving.length === 0) return;
      await tx.announce(TOPIC);
      for (const provider of giving) {
        const after = { ...provider, roleForNewUsers: null };
        await store.replace(tx.sql, after, { at: clock.now(), by: null, changes: describeChanges(provider, after) });
      }
    },
  };
}

const formerLogins = (thereAre: string) =>
  `${thereAre} of this name, of a former provider or of an import. This provider would open the same accounts. If it is the one that they are of, register it on the command line with --keep-logins. Else choose another name.`;

const presentLogins = (thereAre: string) =>
  `${thereAre} of this provider, and at another one their keys could belong to other people. Register another provider, or delete this one and its logins first.`;

const loginsOfCode = (thereAre: string) =>
  `${thereAre} of this name. That may be the name of a provider of an extension, and commands load none of LATCHKEY_EXTENSIONS: delete the provider on the page. If no extension has one of this name, run the command without that variable.`;

/**
 * Requires that the stored secret stays with who gets it: nobody reads a secret by naming another address.
 * @throws AuthError `request.invalid`.
 */
function requireSameRecipient(before: StoredProvider, after: StoredProvider) {
  if (before.sealedSecret === null || Equal(recipientOf(before), recipientOf(after))) return;
  throw invalidMember('clientSecret', 'The stored secret is not sent to another address. Write the secret for it too.');
}

/** What says where the client secret is sent. */
const recipientOf = ({ issuer, endpoints }: StoredProvider) => [issuer, endpoints?.token ?? null];

const possessionOf = ({ sealedSecret, sealedPrivateKey }: StoredProvider) => ({
  clientSecret: sealedSecret !== null,
  privateKey: sealedPrivateKey !== null,
});

/** The members of a stored provider that are secrets, and what administrators call them. */
const SECRETS: Readonly<Record<string, string>> = { sealedSecret: 'clientSecret', sealedPrivateKey: 'privateKey' };

/** The members that are replaced together with a secret. */
const CREDENTIALS: readonly string[] = [...Object.values(SECRETS), 'keyId', 'secretExpiresAt'];

/** Returns the members that differ, as administrators know them. */
function describeChanges(before: StoredProvider, after: StoredProvider): ChangedMember[] {
  const was: Record<string, unknown> = before;
  return Object.entries(after)
    .filter(([name, value]) => !Equal(value, was[name]))
    .map(([name, newValue]) => {
      const secret = SECRETS[name];
      if (secret !== undefined) return { member: secret, oldValue: null, newValue: null };
      return { member: name, oldValue: was[name] ?? null, newValue };
    });
}

const defaults = {
  isEnabled: true,
  issuer: null,
  tenant: null,
  endpoints: null,
  scopes: [],
  authorizationParameters: {},
  claims: {},
  emailTrust: 'verified',
  allowedDomains: [],
  registersNewUsers: true,
  roleForNewUsers: null,
  secretExpiresAt: null,
  teamId: null,
  keyId: null,
  sealedSecret: null,
  sealedPrivateKey: null,
  untrustedSince: null,
} as const;

/** Returns a provider with changes. @param seal gets what is sealed now, too. @throws AuthError `request.invalid`. */
function apply(
  before: StoredProvider,
  changes: ProviderChanges,
  seal: (plain: string, former: string | null) => string,
): StoredProvider {
  const { clientSecret, privateKey, ...rest } = changes;
  for (const member of ['type', 'name'] as const) {
    if (rest[member] !== undefined && rest[member] !== before[member])
      throw invalidMember(member, 'Type and name of a provider do not change. Register another provider.');
  }
  if (clientSecret != null) checkSecret(clientSecret);
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const after: StoredProvider = { ...before, ...given };
  return {
    ...after,
    tenant: after.tenant?.toLowerCase() ?? null,
    allowedDomains: toDomains(after.allowedDomains),
    ...(clientSecret !== undefined && { sealedSecret: clientSecret && seal(clientSecret, before.sealedSecret) }),
    ...(privateKey !== undefined && {
      sealedPrivateKey: privateKey && seal(readPrivateKey(privateKey), before.sealedPrivateKey),
    }),
  };
}

/** Returns a function that checks the addresses that administrators give. It throws AuthError `request.invalid`. */
function createAddressCheck(egress: Egress) {
  return ({ issuer, endpoints }: ExternalProvider) => {
    const addresses = { issuer, ...endpoints };
    for (const [name, address] of Object.entries(addresses)) {
      if (address === null) continue;
      try {
        egress.check(address);
      } catch (error) {
        if (!(error instanceof EgressRefusal)) throw error;
        throw invalidMember(name === 'issuer' ? name : `endpoints.${name}`, error.message);
      }
    }
  };
}

/** Returns what seals secrets, and gives a provider members that open them. */
function createSeals(secrets: Secrets) {
  const open = (sealed: string | null) => (sealed === null ? null : secrets.unseal(SEAL, sealed));
  return {
    /** A secret that stays the same keeps its seal, so that it is no change. */
    seal: (plain: string, former: string | null) =>
      former !== null && secrets.opensTo(SEAL, former, plain) ? former : secrets.seal(SEAL, plain),
    withSecrets({ sealedSecret, sealedPrivateKey, ...provider }: StoredProvider): ProviderWithSecret {
      const opened = {
        ...provider,
        get clientSecret() {
          return open(sealedSecret) ?? '';
        },
        get privateKey() {
          return open(sealedPrivateKey);
        },
      };
      // So that nobody logs or copies them by accident.
      const hidden = { enumerable: false };
      return Object.defineProperties(opened, { clientSecret: hidden, privateKey: hidden });
    },
  };
}
