// Applications: the programs that people sign in to with this service, and machines that act for themselves.
import { timingSafeEqual } from 'node:crypto';
import { Equal } from 'typebox/value';
import type { Manager } from '../foundation/authority.ts';
import { addSeconds, type Clock } from '../foundation/clock.ts';
import { type Egress, EgressRefusal } from '../foundation/egress.ts';
import { invalidMember, UniqueViolation } from '../foundation/errors.ts';
import type { Action, Occurrence } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Database, Tx } from '../storage/database.ts';
import {
  type Application,
  type ApplicationChanges,
  type ApplicationInput,
  checkApplication,
  defaultsOf,
  formatClientSecret,
  hasSecret,
  originsOf,
} from './application.ts';
import { applicationActions, applicationErrors } from './declarations.ts';
import type { ApplicationStore, StoredApplication } from './store.sql.ts';

const TOPIC = 'applications';

/** The label of the keyed hashes. */
const MAC_LABEL = 'client-secret';

/** Every node keeps all of them in memory. */
const MOST = 500;

/**
 * Which grants of an application must end: `all` of them; `machine`, its own ones by client credentials; `roles`, those of
 * accounts that may no longer sign in to it.
 */
export type Ending = 'all' | 'machine' | 'roles';

/** Ends grants of an application in the transaction of its change. It gets the application as it becomes. */
export type WhenEnding = (tx: Tx, application: Application, what: Ending) => Promise<void>;

export interface Applications {
  /** Reads all applications, now and after each change on any node. */
  load(): Promise<void>;
  /** All applications, the oldest first. At most two seconds old. */
  list(): readonly Application[];
  /** Returns all applications as stored now, the oldest first. */
  readAll(): Promise<readonly Application[]>;
  /** Returns an application as stored now. @throws AuthError `application.notFound`. */
  read(id: string): Promise<Application>;
  /** Whether any application is registered. At most two seconds old. */
  isUsed(): boolean;
  /** Returns the application with this client id. At most two seconds old: a transaction that acts calls `findForUpdate`. */
  find(clientId: string): Application | undefined;
  /** Likewise by id. */
  findById(id: string): Application | undefined;
  /** Returns the application as stored now, enabled or not. A change of it waits until the transaction ends. */
  findForUpdate(tx: Tx, id: string): Promise<Application | undefined>;
  /**
   * Registers an application.
   * @returns it, and its client secret if it has one. The secret is shown once: the service stores only its keyed hash.
   * @throws AuthError `request.invalid`, `application.redirectUriInvalid`, `application.clientIdTaken`,
   * `application.tooMany`, `frontEnd.notFound`.
   */
  create(input: ApplicationInput, by: Manager): Promise<{ application: Application; clientSecret: string | null }>;
  /**
   * Changes an application. When its kind changes, what the new kind cannot have and `changes` do not name becomes its default.
   * The client id stays.
   * @throws AuthError `application.notFound`, `request.invalid`, `application.redirectUriInvalid`, `frontEnd.notFound`.
   */
  update(id: string, changes: ApplicationChanges, by: Manager): Promise<Application>;
  /** Deletes an application. Its grants end. @throws AuthError `application.notFound`. */
  remove(id: string, by: Manager): Promise<void>;
  /**
   * Gives an application another client secret.
   * @param overlapSeconds for how long the former one stays valid. 0 makes it invalid at once.
   * @returns the secret, which is shown once.
   * @throws AuthError `application.notFound`, `application.withoutSecret`.
   */
  rotateSecret(id: string, overlapSeconds: number, by: Manager): Promise<string>;
  /**
   * Whether this is the client secret of the enabled application, the present one or the former one while it is valid. It reads
   * the stored row, so that a rotation on any node holds at once.
   */
  verifySecret(application: Application, secret: string): Promise<boolean>;
  /** The origins of the redirect URIs of enabled `browser` applications. At most two seconds old. */
  origins(): readonly string[];
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
    /** The names, each once, that no role has. */
    findMissing(names: readonly string[]): string[];
    /** The names, each once, in the spelling of the role. */
    spell(names: readonly string[]): string[];
  };
  frontEnds: {
    /** Returns the key of a registered front end. @throws AuthError `frontEnd.notFound`. */
    require(appKey: string): string;
    readonly standard: string;
  };
  /** Returns the audience of the service's own tokens. */
  readOwnAudience: () => string;
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

  /** Returns a new client secret and the columns that verify it. */
  function newSecret(id: string) {
    const clientSecret = formatClientSecret(random.below);
    return { clientSecret, secretMac: macOf(id, clientSecret) };
  }

  /** Services that accept the tokens of this service by their audience must not accept those of applications. */
  function requireOwnAudiences({ clientId, resources }: Application) {
    const member = clientId === readOwnAudience() ? 'clientId' : 'resources';
    if (![clientId, ...resources].includes(readOwnAudience())) return;
    throw invalidMember(
      member,
      `"${readOwnAudience()}" is the audience of the service's own tokens. Take another name.`,
    );
  }

  /** Checks an application. @param before as it was, whose roles and front end need not exist any more. */
  function check(application: Application, before?: Application) {
    checkApplication(application);
    requireOwnAudiences(application);
    for (const member of ['backchannelLogoutUri', 'jwksUri'] as const) {
      const address = application[member];
      if (address !== null) checkAddress(member, address);
    }
    const added = application.allowedRoles.filter((name) => !before?.allowedRoles.includes(name));
    const [missing] = roles.findMissing(added);
    if (missing !== undefined) throw invalidMember('allowedRoles', `There is no role "${missing}". Add it first.`);
    if (application.frontEnd !== before?.frontEnd) frontEnds.require(application.frontEnd);
  }

  /** @throws AuthError `request.invalid`. */
  function checkAddress(member: string, address: string) {
    try {
      egress.check(address, { allowsLoopback: true });
    } catch (error) {
      throw error instanceof EgressRefusal ? invalidMember(member, error.message) : error;
    }
  }

  /** Runs a change by an administrator, who is authorized first. Changes run one after another. */
  const change = <Result>(by: Manager, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    database.transaction(async (tx) => {
      await by.authorize(tx);
      await tx.announce(TOPIC);
      return work(tx);
    });

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

  async function tellEnding(tx: Tx, application: StoredApplication, what: Ending) {
    for (const listener of listeners) await listener(tx, withoutSecret(application), what);
  }

  async function endAfter(tx: Tx, before: StoredApplication, after: StoredApplication) {
    if (before.isEnabled && !after.isEnabled) return tellEnding(tx, after, 'all');
    if (after.kind !== before.kind || !Equal(after.allowedRoles, before.allowedRoles))
      await tellEnding(tx, after, 'roles');
    if (hasSecret(before) && !hasSecret(after)) await tellEnding(tx, after, 'machine');
  }

  return {
    load: () => database.watch(TOPIC, reload),
    list: () => all,
    readAll: async () => (await store.readAll()).map(withoutSecret),
    async read(id) {
      const application = await store.find(id);
      if (!application) throw applicationErrors.notFound();
      return withoutSecret(application);
    },
    isUsed: () => all.length > 0,
    find: (clientId) => byClientId.get(clientId),
    findById: (id) => byId.get(id),
    origins: () => origins,

    async findForUpdate(tx, id) {
      const application = await store.hold(tx.sql, id);
      return application && withoutSecret(application);
    },

    async create(input, by) {
      const id = random.uuid();
      const application = toApplication(input, { id, createdAt: clock.now(), frontEnd: frontEnds.standard });
      const spelled = { ...application, allowedRoles: roles.spell(application.allowedRoles) };
      check(spelled);
      const { clientSecret, secretMac } = newSecret(id);
      const secret = hasSecret(spelled) ? clientSecret : null;
      const stored = { ...spelled, secretMac: secret && secretMac, formerSecretMac: null, formerUntil: null };
      const creation = change(by, async (tx) => {
        if ((await store.countIn(tx.sql)) >= MOST) throw applicationErrors.tooMany();
        await store.add(tx.sql, stored);
        await note(tx, applicationActions.created, stored, by, { kind: stored.kind });
      });
      await creation.catch((error) => {
        throw error instanceof UniqueViolation ? applicationErrors.clientIdTaken() : error;
      });
      return { application: spelled, clientSecret: secret };
    },

    update: (id, changes, by) =>
      change(by, async (tx) => {
        const before = await requireApplication(tx, id);
        const after = applyChanges(before, changes, roles.spell);
        check(after, before);
        const was: Record<string, unknown> = before;
        const members = Object.entries(withoutSecret(after)).filter(([name, value]) => !Equal(value, was[name]));
        const changed = members.map(([name]) => name);
        if (changed.length === 0) return withoutSecret(before);
        await store.replace(tx.sql, after);
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
        await tellEnding(tx, { ...application, isEnabled: false }, 'all');
      }),

    rotateSecret: (id, overlapSeconds, by) =>
      change(by, async (tx) => {
        const application = await requireApplication(tx, id);
        if (!hasSecret(application)) throw applicationErrors.withoutSecret();
        const { clientSecret, secretMac } = newSecret(id);
        const former =
          overlapSeconds === 0
            ? { formerSecretMac: null, formerUntil: null }
            : { formerSecretMac: application.secretMac, formerUntil: addSeconds(clock.now(), overlapSeconds) };
        const rotated = { ...application, secretMac, ...former };
        await store.replace(tx.sql, rotated);
        await note(tx, applicationActions.secretRotated, rotated, by, { overlapSeconds });
        if (overlapSeconds === 0) await tellEnding(tx, rotated, 'machine');
        return clientSecret;
      }),

    async verifySecret({ id }, secret) {
      const stored = await store.findSecret(id);
      const mac = macOf(id, secret);
      const isFormerValid = stored?.formerUntil != null && clock.now() < stored.formerUntil;
      const isPresent = isSame(mac, stored?.secretMac);
      const isFormer = isSame(mac, isFormerValid ? stored.formerSecretMac : null);
      return (stored?.isEnabled ?? false) && (isPresent || isFormer);
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

function withoutSecret(stored: StoredApplication): Application {
  const { secretMac: _, formerSecretMac: __, formerUntil: ___, ...application } = stored;
  return application;
}

/** Returns the members that are given. */
const given = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>;
  };

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
  ...given(input),
  name: input.name,
  kind: input.kind,
});

/** Returns an application with changes. Without authentication by a secret, it has none. */
function applyChanges(
  before: StoredApplication,
  changes: ApplicationChanges,
  spell: (names: readonly string[]) => string[],
): StoredApplication {
  const chosen = given(changes);
  if (chosen.clientId !== undefined && chosen.clientId !== before.clientId)
    throw invalidMember('clientId', 'A client id does not change. Register another application.');
  const kind = chosen.kind ?? before.kind;
  const after = { ...before, ...(kind !== before.kind && defaultsOf(kind)), ...chosen };
  const spelled = { ...after, allowedRoles: chosen.allowedRoles ? spell(chosen.allowedRoles) : before.allowedRoles };
  return hasSecret(spelled) ? spelled : { ...spelled, secretMac: null, formerSecretMac: null, formerUntil: null };
}
