// Applications: the programs that people sign in to with this service, and machines that act for themselves.
import { timingSafeEqual } from 'node:crypto';
import { Equal } from 'typebox/value';
import type { Manager } from '../foundation/authority.ts';
import { addSeconds, type Clock, type Instant } from '../foundation/clock.ts';
import { type Egress, EgressRefusal } from '../foundation/egress.ts';
import { invalidMember, UniqueViolation } from '../foundation/errors.ts';
import type { Action, Occurrence } from '../foundation/events.ts';
import { holdsAll, toUntrustedSince } from '../foundation/permissions.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Database, Tx } from '../storage/database.ts';
import {
  type Application,
  type ApplicationChanges,
  type ApplicationInput,
  type ApplicationKind,
  checkApplication,
  checkClientSecret,
  defaultsOf,
  fitToKind,
  formatClientSecret,
  originsOf,
  spellScopes,
  usesKeys,
  usesSecret,
} from './application.ts';
import { applicationActions, applicationErrors } from './declarations.ts';
import type { ApplicationStore, StoredApplication, StoredSecret } from './store.sql.ts';

const TOPIC = 'applications';

/** What an administrator chooses, and the client secret. Without one, the service makes it. */
export type NewApplication = ApplicationInput & { readonly clientSecret?: string | undefined };

/** The label of the keyed hashes. */
const MAC_LABEL = 'client-secret';

/** Every node keeps all of them in memory. */
const MOST = 500;

/**
 * Which grants of an application must end: `all` of them; `deleted`, likewise, as the application is deleted; `own`, those by client
 * credentials; `roles`, those of accounts that may no longer sign in to it.
 */
export type EndingGrants = 'all' | 'deleted' | 'own' | 'roles';

/** Ends grants of an application in the transaction of its change. It gets the application as it becomes. */
export type WhenEnding = (tx: Tx, application: Application, what: EndingGrants) => Promise<void>;

export interface Applications {
  /** Reads all applications, now and after each change on any node. */
  load(): Promise<void>;
  /** All applications, the oldest first. At most two seconds old. */
  list(): readonly Application[];
  /** Returns all applications as stored now, the oldest first. @param tx a transaction, until whose end no other one changes them. */
  readAll(tx?: Tx): Promise<readonly Application[]>;
  /** Returns a text for each that changes with its secrets and reveals nothing of them, by id. */
  readSecretMarks(tx: Tx): Promise<ReadonlyMap<string, string>>;
  /** Returns an application as stored now. @throws AuthError `application.notFound`. */
  read(id: string): Promise<Application>;
  /** Whether any application is registered. At most two seconds old. */
  isUsed(): boolean;
  /** Returns the application with this client id. At most two seconds old: a transaction that acts calls `findForUpdate`. */
  find(clientId: string): Application | undefined;
  /** Likewise by id. */
  findById(id: string): Application | undefined;
  /** Returns the application as the transaction sees it, enabled or not. */
  findIn(tx: Tx, id: string): Promise<Application | undefined>;
  /** Likewise. A change of it waits until the transaction ends. Call it before grants are locked, like a change does. */
  findForUpdate(tx: Tx, id: string): Promise<Application | undefined>;
  /**
   * Returns since when an account with these roles must agree before the application gets anything, whatever its `consent`. It must if
   * the roles grant permissions of this service, and an administrator who lacks some has changed the application. Null: it need not.
   */
  findUntrustedSince(tx: Tx, id: string, roleNames: readonly string[]): Promise<Instant | null>;
  /**
   * Returns the application as stored now, if it is enabled and what it has proven itself by still holds: the secret, or without one the
   * keys that it had. A change of it waits until the transaction ends.
   */
  findProven(tx: Tx, proven: Application, secret: string | undefined): Promise<Application | undefined>;
  /**
   * Registers an application.
   * @returns it, and its client secret if it has one. The secret is shown once: the service stores only its keyed hash.
   * @throws AuthError `request.invalid`, `application.redirectUriInvalid`, `application.clientIdTaken`,
   * `application.tooMany`, `frontEnd.notFound`.
   */
  create(input: NewApplication, by: Manager): Promise<{ application: Application; clientSecret: string | null }>;
  /**
   * Changes an application. When its kind changes, what the new kind cannot have and `changes` do not name becomes its default; so do the
   * scopes if it becomes a machine, or no longer is one. The client id stays.
   * @throws AuthError `application.notFound`, `request.invalid`, `application.redirectUriInvalid`, `frontEnd.notFound`.
   */
  update(id: string, changes: ApplicationChanges, by: Manager): Promise<Application>;
  /** Deletes an application. Its grants end. @throws AuthError `application.notFound`. */
  remove(id: string, by: Manager): Promise<void>;
  /**
   * Gives an application another client secret.
   * @param overlapSeconds for how long the former one stays valid. 0 makes it invalid at once.
   * @param given the secret. Without one, the service makes one.
   * @returns the secret, which is shown once.
   * @throws AuthError `application.notFound`, `application.withoutSecret`, `request.invalid`.
   */
  rotateSecret(id: string, overlapSeconds: number, by: Manager, given?: string): Promise<string>;
  /** Whether this is the present client secret, as stored now. */
  hasSecret(tx: Tx, id: string, secret: string): Promise<boolean>;
  /**
   * Whether this is the client secret of the enabled application, the present one or the former one while it is valid. It reads
   * the stored row, so that a rotation on any node holds at once.
   */
  verifySecret(application: Application, secret: string): Promise<boolean>;
  /** The origins of the redirect URIs of enabled `browser` applications. At most two seconds old. */
  origins(): readonly string[];
  /** Requires that no application has the audience that the service's own tokens get. @throws AuthError `request.invalid`. */
  requireFree(tx: Tx, audience: string): Promise<void>;
  /** Moves the applications of a front end to its new key. */
  moveFrontEnd(tx: Tx, from: string, to: string): Promise<void>;
  /** Calls the listener in each transaction after which grants of an application must not remain. */
  whenEnding(listener: WhenEnding): void;
}

export function createApplications(deps: {
  database: Database;
  store: ApplicationStore;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  egress: Egress;
  roles: {
    /** Returns the roles of these names, in any spelling, as the transaction sees them. */
    findIn(tx: Tx, names: readonly string[]): Promise<readonly { readonly name: string }[]>;
    /** Whether the name, in any spelling, is one of these. */
    isIn(name: string, names: readonly string[]): boolean;
    /** Whether these roles grant a permission of this service. */
    grantPermissions(names: readonly string[]): boolean;
  };
  frontEnds: {
    /** Requires that a front end of this key is stored now. @throws AuthError `frontEnd.notFound`. */
    requireIn(tx: Tx, appKey: string): Promise<void>;
    readonly standard: string;
  };
  /** Returns the audience of the service's own tokens, as the transaction sees it. */
  readOwnAudience: (tx: Tx) => Promise<string>;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): Applications {
  const { database, store, record, egress, roles, frontEnds, readOwnAudience, secrets, clock, random } = deps;
  let all: readonly Application[] = [];
  let byClientId: ReadonlyMap<string, Application> = new Map();
  let byId: ReadonlyMap<string, Application> = new Map();
  let origins: readonly string[] = [];
  const listeners: WhenEnding[] = [];

  async function reload() {
    all = (await store.readAll()).map(withoutSecret);
    byClientId = new Map(all.map((application) => [application.clientId, application]));
    byId = new Map(all.map((application) => [application.id, application]));
    origins = originsOf(all);
  }

  const macOf = (id: string, secret: string) => secrets.mac(MAC_LABEL, `${id} ${secret}`);

  /** Whether this is the present client secret, or the former one while it is valid. */
  function isSecretOf({ secretMac, formerSecretMac, formerUntil }: StoredSecret, mac: string): boolean {
    const isFormerValid = formerUntil !== null && clock.now() < formerUntil;
    const [isPresent, isFormer] = [isSame(mac, secretMac), isSame(mac, isFormerValid ? formerSecretMac : null)];
    return isPresent || isFormer;
  }

  /** Returns a client secret, the given one or a new one, and the column that verifies it. @throws AuthError `request.invalid`. */
  function newSecret(id: string, given?: string) {
    if (given !== undefined) checkClientSecret(given);
    const clientSecret = given ?? formatClientSecret(random.below);
    return { clientSecret, secretMac: macOf(id, clientSecret) };
  }

  /** Services that accept the tokens of this service by their audience must not accept those of applications. */
  async function refuseOwnAudience(tx: Tx, { clientId, resources }: Application) {
    const own = await readOwnAudience(tx);
    if (![clientId, ...resources].includes(own)) return;
    const member = clientId === own ? 'clientId' : 'resources';
    throw invalidMember(member, `"${own}" is the audience of the service's own tokens. Take another name.`);
  }

  /** Returns the names, each once, in the spelling of the role. A name that no role has stays. */
  async function spell(tx: Tx, names: readonly string[]): Promise<string[]> {
    const known = (await roles.findIn(tx, names)).map(({ name }) => name);
    return [...new Set(names.map((name) => known.find((role) => roles.isIn(name, [role])) ?? name))];
  }

  /** Checks an application. @param before as it was, whose roles and front end need not exist any more. */
  async function check(tx: Tx, application: Application, before?: Application) {
    checkApplication(application);
    await refuseOwnAudience(tx, application);
    for (const member of ['backchannelLogoutUri', 'jwksUri'] as const) {
      const address = application[member];
      if (address !== null) checkAddress(member, address);
    }
    const added = application.allowedRoles.filter((name) => !before?.allowedRoles.includes(name));
    const known = (await roles.findIn(tx, added)).map(({ name }) => name);
    const missing = added.find((name) => !roles.isIn(name, known));
    if (missing !== undefined) throw invalidMember('allowedRoles', `There is no role "${missing}". Add it first.`);
    if (application.frontEnd !== before?.frontEnd) await frontEnds.requireIn(tx, application.frontEnd);
  }

  /** @throws AuthError `request.invalid`. */
  function checkAddress(member: string, address: string) {
    try {
      egress.check(address, { allowsLoopback: true });
    } catch (error) {
      throw error instanceof EgressRefusal ? invalidMember(member, error.message) : error;
    }
  }

  /** Runs a change by an administrator, who is authorized first. Changes run one after another. `held`: the administrator's permissions. */
  const change = <Result>(by: Manager, work: (tx: Tx, held: readonly string[]) => Promise<Result>): Promise<Result> =>
    database.transaction(async (tx) => {
      const held = await by.authorize(tx);
      await tx.announce(TOPIC);
      return work(tx, held);
    }, by);

  async function note(
    tx: Tx,
    action: Action,
    { id, clientId, name }: Application,
    by: Manager,
    more: Record<string, unknown> = {},
  ) {
    const details = { application: id, clientId, name, ...more };
    await record(tx, { action, outcome: 'success', user: by.actor, origin: by.origin, details });
  }

  async function requireApplication(tx: Tx, id: string): Promise<StoredApplication> {
    const application = await store.findForUpdate(tx.sql, id);
    if (!application) throw applicationErrors.notFound();
    return application;
  }

  async function tellEnding(tx: Tx, application: StoredApplication, what: EndingGrants) {
    for (const listener of listeners) await listener(tx, withoutSecret(application), what);
  }

  async function endAfter(tx: Tx, before: StoredApplication, after: StoredApplication) {
    if (before.isEnabled && !after.isEnabled) return tellEnding(tx, after, 'all');
    if (after.kind !== before.kind || !Equal(after.allowedRoles, before.allowedRoles))
      await tellEnding(tx, after, 'roles');
    if (!keepsKeys(before, after)) await tellEnding(tx, after, 'own');
  }

  return {
    load: () => database.watch(TOPIC, reload),
    list: () => all,
    async readAll(tx) {
      await tx?.announce(TOPIC);
      return (await store.readAll(tx?.sql)).map(withoutSecret);
    },
    readSecretMarks: async (tx) =>
      new Map((await store.readAll(tx.sql)).map(({ id, secretMac }) => [id, secretMac ?? ''])),
    async read(id) {
      const application = await store.find(id);
      if (!application) throw applicationErrors.notFound();
      return withoutSecret(application);
    },
    isUsed: () => all.length > 0,
    find: (clientId) => byClientId.get(clientId),
    findById: (id) => byId.get(id),
    origins: () => origins,

    async findIn(tx, id) {
      const application = await store.find(id, tx.sql);
      return application && withoutSecret(application);
    },
    async findForUpdate(tx, id) {
      const application = await store.hold(tx.sql, id);
      return application && withoutSecret(application);
    },

    async findUntrustedSince(tx, id, roleNames) {
      if (!roles.grantPermissions(roleNames)) return null;
      return (await store.find(id, tx.sql))?.untrustedSince ?? null;
    },

    async findProven(tx, proven, secret) {
      const stored = await store.hold(tx.sql, proven.id);
      if (!stored?.isEnabled) return undefined;
      const holds = secret === undefined ? keepsKeys(proven, stored) : isSecretOf(stored, macOf(proven.id, secret));
      return holds ? withoutSecret(stored) : undefined;
    },

    async create(input, by) {
      const id = random.uuid();
      const { clientSecret: givenSecret, ...chosen } = input;
      const wanted = toApplication(chosen, { id, createdAt: clock.now(), frontEnd: frontEnds.standard });
      const { clientSecret, secretMac } = newSecret(id, givenSecret);
      const secret = usesSecret(wanted) ? clientSecret : null;
      const creation = change(by, async (tx, held) => {
        const application = { ...wanted, allowedRoles: await spell(tx, wanted.allowedRoles) };
        await check(tx, application);
        const noFormer = { formerSecretMac: null, formerUntil: null };
        const untrustedSince = toUntrustedSince(held, clock.now());
        const stored = { ...application, secretMac: secret && secretMac, ...noFormer, untrustedSince };
        if ((await store.countIn(tx.sql)) >= MOST) throw applicationErrors.tooMany();
        await store.add(tx.sql, stored);
        await note(tx, applicationActions.created, stored, by, { kind: stored.kind });
        return { application, clientSecret: secret };
      });
      return creation.catch((error) => {
        throw error instanceof UniqueViolation ? applicationErrors.clientIdTaken() : error;
      });
    },

    update: (id, changes, by) =>
      change(by, async (tx, held) => {
        const before = await requireApplication(tx, id);
        const spelled = changes.allowedRoles && { allowedRoles: await spell(tx, changes.allowedRoles) };
        const after = applyChanges(before, { ...changes, ...spelled });
        // What was allowed once must not keep an application from being disabled.
        if (!Equal(after, { ...before, isEnabled: false })) await check(tx, after, before);
        const was: Record<string, unknown> = before;
        const members = Object.entries(withoutSecret(after)).filter(([name, value]) => !Equal(value, was[name]));
        const changed = members.map(([name]) => name);
        // An administrator with all permissions who saves it as it is trusts it.
        const isTrusted = before.untrustedSince !== null && holdsAll(held);
        if (changed.length === 0 && !isTrusted) return withoutSecret(before);
        // Who disables or enables it need not have looked at the rest.
        const isSwitch = changed.join() === 'isEnabled';
        const untrustedSince = isSwitch ? before.untrustedSince : toUntrustedSince(held, clock.now());
        await store.replace(tx.sql, { ...after, untrustedSince });
        await note(tx, applicationActions.updated, after, by, {
          changed: changed.join(' '),
          isEnabled: after.isEnabled,
        });
        await endAfter(tx, before, after);
        return withoutSecret(after);
      }),

    remove: (id, by) =>
      change(by, async (tx) => {
        const application = await requireApplication(tx, id);
        await store.remove(tx.sql, id);
        await note(tx, applicationActions.deleted, application, by);
        await tellEnding(tx, { ...application, isEnabled: false }, 'deleted');
      }),

    rotateSecret: (id, overlapSeconds, by, given) =>
      change(by, async (tx, held) => {
        const application = await requireApplication(tx, id);
        if (!usesSecret(application)) throw applicationErrors.withoutSecret();
        const { clientSecret, secretMac } = newSecret(id, given);
        const former =
          overlapSeconds === 0
            ? { formerSecretMac: null, formerUntil: null }
            : { formerSecretMac: application.secretMac, formerUntil: addSeconds(clock.now(), overlapSeconds) };
        // Who replaces the secret need not have looked at the rest.
        const untrustedSince = holdsAll(held) ? application.untrustedSince : clock.now();
        const rotated = { ...application, secretMac, ...former, untrustedSince };
        await store.replace(tx.sql, rotated);
        await note(tx, applicationActions.secretRotated, rotated, by, { overlapSeconds });
        if (overlapSeconds === 0) await tellEnding(tx, rotated, 'own');
        return clientSecret;
      }),

    async hasSecret(tx, id, secret) {
      const application = await store.findForUpdate(tx.sql, id);
      return isSame(macOf(id, secret), application?.secretMac);
    },

    async verifySecret({ id }, secret) {
      const stored = await store.findSecret(id);
      return stored !== undefined && isSecretOf(stored, macOf(id, secret)) && stored.isEnabled;
    },

    async requireFree(tx, audience) {
      // Until the transaction ends, none is registered or changed.
      await tx.announce(TOPIC);
      const taken = (await store.readAll(tx.sql)).find(({ clientId, resources }) =>
        [clientId, ...resources].includes(audience),
      );
      if (taken)
        throw invalidMember('audience', `The application "${taken.name}" has this audience. Take another name.`);
    },

    async moveFrontEnd(tx, from, to) {
      // First, like in `change`: the other order could deadlock with it.
      await tx.announce(TOPIC);
      await store.moveFrontEnd(tx.sql, from, to);
    },

    whenEnding: (listener) => void listeners.push(listener),
  };
}

/** Whether two keyed hashes are the same, in a time that does not depend on where they differ. */
function isSame(mac: string, stored: string | null | undefined): boolean {
  const [given, known] = [Buffer.from(mac), Buffer.from(stored ?? '')];
  return given.length === known.length && timingSafeEqual(given, known);
}

/** Whether an application still authenticates in the same way, and none of its keys was taken away. */
function keepsKeys(before: Application, after: Application): boolean {
  const keys = after.jwks?.keys ?? [];
  return (
    before.authentication === after.authentication &&
    before.jwksUri === after.jwksUri &&
    (before.jwks?.keys ?? []).every((key) => keys.some((one) => Equal(one, key)))
  );
}

function withoutSecret(stored: StoredApplication): Application {
  const { secretMac: _, formerSecretMac: __, formerUntil: ___, untrustedSince: ____, ...application } = stored;
  return application;
}

/** Returns the members that are given. */
const pickGiven = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>;
  };

/** A machine has no person whose groups it could mean. */
const toOwnScopes = (kind: ApplicationKind, scopes: readonly string[]) =>
  kind === 'machine' ? scopes : spellScopes(scopes);

/** The lifetime of access tokens unless chosen, in seconds. */
const ACCESS_TOKEN_LIFETIME = 600;

const toApplication = (
  input: ApplicationInput,
  made: Pick<Application, 'id' | 'createdAt' | 'frontEnd'>,
): Application => ({
  clientId: made.id,
  redirectUris: [],
  postLogoutRedirectUris: [],
  jwks: null,
  jwksUri: null,
  resources: [],
  allowedRoles: [],
  consent: 'none',
  idTokenAlgorithm: 'RS256',
  claimsInIdToken: true,
  accessTokenLifetime: ACCESS_TOKEN_LIFETIME,
  backchannelLogoutUri: null,
  isEnabled: true,
  ...defaultsOf(input.kind),
  ...made,
  ...pickGiven(input),
  scopes: toOwnScopes(input.kind, input.scopes ?? defaultsOf(input.kind).scopes),
  name: input.name,
  kind: input.kind,
});

/** Returns an application with changes. Without authentication by a secret it has none, and without that by a key it keeps none. */
function applyChanges(before: StoredApplication, changes: ApplicationChanges): StoredApplication {
  const chosen = pickGiven(changes);
  if (chosen.clientId !== undefined && chosen.clientId !== before.clientId)
    throw invalidMember('clientId', 'A client id does not change. Register another application.');
  const kind = chosen.kind ?? before.kind;
  const fitting = kind === before.kind ? before : { ...before, ...fitToKind(before, kind) };
  const isWithoutKeys = !usesKeys({ ...fitting, ...chosen });
  const wanted = { ...fitting, ...(isWithoutKeys && { jwks: null, jwksUri: null }), ...chosen };
  const after = { ...wanted, scopes: toOwnScopes(kind, wanted.scopes) };
  return usesSecret(after) ? after : { ...after, secretMac: null, formerSecretMac: null, formerUntil: null };
}
