// Configuration as code: what is there as a file, how a file differs from it, and a file applied in one transaction.
import { createHash } from 'node:crypto';
import type { Manager } from '../foundation/authority.ts';
import type { Database, Tx } from '../storage/database.ts';
import { compare, type Difference } from './differences.ts';
import type { ConfigurationFile } from './file.ts';
import type { Item, Kind, Members, SecretsByMember, Wanted } from './kind.ts';
import { requireKnownNames } from './members.ts';
import { ConfigurationError, type Path, toText } from './problem.ts';
import type { Sources } from './references.ts';
import { toPlace } from './refusing.ts';
import { SECTIONS } from './sections.ts';

/** How a file is applied. */
export type ApplyOptions = {
  readonly by: Manager;
  readonly variables: Sources['variables'];
  /** Whether what a section of the file leaves out is removed. */
  readonly prunes: boolean;
  /** The version of what must be there before. Otherwise nothing is changed. */
  readonly expected?: string | undefined;
  /** Whether somebody gets the secrets that Latchkey makes. Otherwise a file that needs such is refused. */
  readonly takesSecrets: boolean;
};

export type Outcome = {
  readonly differences: readonly Difference[];
  /** The secrets that Latchkey has made, by the path of their member. They are shown once. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Of what was there before, and of what is there now. */
  readonly before: string;
  readonly after: string;
};

export interface Configuration {
  /** Returns everything that a file can say of what is there. */
  list(): Promise<readonly Item[]>;
  /** Returns what applying the file would do. It does so and takes it back, so that it refuses what `apply` refuses. @throws ConfigurationError */
  plan(file: ConfigurationFile, options: ApplyOptions): Promise<Outcome>;
  /** Applies the file in one transaction. @throws ConfigurationError, and then changes nothing. */
  apply(file: ConfigurationFile, options: ApplyOptions): Promise<Outcome>;
}

/** A kind whose type of input does not matter any more. */
export type AnyKind = {
  list: Kind<unknown>['list'];
  /** Reads what the file says of it. @throws ConfigurationError */
  prepare(file: ConfigurationFile, options: ApplyOptions): Prepared;
};

/** What a file says of a kind. */
type Prepared = {
  /** Whether it takes ways to sign in from accounts. */
  takesFromAccounts(tx: Tx): Promise<boolean>;
  lock(tx: Tx): Promise<unknown>;
  apply(run: Run): Promise<void>;
};

type Run = {
  readonly tx: Tx;
  readonly by: Manager;
  readonly takesSecrets: boolean;
  readonly file: ConfigurationFile;
  readonly differences: Difference[];
  readonly secrets: Record<string, string>;
};

/** Ends a transaction whose changes are not kept. */
class TakenBack extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('The changes are taken back.');
    this.outcome = outcome;
  }
}

/** @param kinds in the order in which they are applied: each may name things of those before it. */
export function createConfiguration(deps: {
  database: Database;
  kinds: readonly AnyKind[];
  /** Lets no service key act in another transaction until this one ends. */
  lockServiceKeys: (tx: Tx) => Promise<void>;
  /** Lets no other transaction hold or change an account until this one ends. */
  lockEveryAccount: (tx: Tx) => Promise<void>;
}): Configuration {
  const { database, kinds, lockServiceKeys, lockEveryAccount } = deps;

  async function listAll(tx: Tx): Promise<readonly Item[]> {
    const items: Item[] = [];
    for (const kind of kinds) items.push(...(await kind.list(tx)).values());
    return items;
  }

  async function run(file: ConfigurationFile, options: ApplyOptions, keeps: boolean): Promise<Outcome> {
    requireKnownNames(file, SECTIONS, file.content, []);
    const prepared = kinds.map((kind) => kind.prepare(file, options));
    const work = database.transaction(async (tx) => {
      // Withdrawing a key waits for its acts, which hold the key before anything that the file changes.
      await lockServiceKeys(tx);
      // Callers hold their account before their roles, so this comes before the roles too.
      if (options.prunes || (await takesFromAccounts(tx, prepared))) await lockEveryAccount(tx);
      for (const { lock } of prepared) await lock(tx);
      const before = versionOf(await listAll(tx));
      if (options.expected !== undefined && options.expected !== before)
        throw changedMeanwhile(options.expected, before);
      const outcome = { differences: [], secrets: {} };
      const { by, takesSecrets } = options;
      for (const { apply } of prepared) await apply({ ...outcome, tx, by: { ...by, joins: tx }, takesSecrets, file });
      const whole = { ...outcome, before, after: versionOf(await listAll(tx)) };
      if (!keeps || outcome.differences.length === 0) throw new TakenBack(whole);
      return whole;
    });
    return work.catch((error) => {
      if (error instanceof TakenBack) return error.outcome;
      throw error;
    });
  }

  return {
    list: () => database.transaction(listAll),
    plan: (file, options) => run(file, options, false),
    apply: (file, options) => run(file, options, true),
  };
}

async function takesFromAccounts(tx: Tx, prepared: readonly Prepared[]): Promise<boolean> {
  for (const one of prepared) if (await one.takesFromAccounts(tx)) return true;
  return false;
}

const changedMeanwhile = (expected: string, now: string) =>
  new ConfigurationError(
    `The configuration has changed since version ${expected}, and is at ${now} now. Nothing was applied: run the plan again.`,
  );

/** Returns a kind that applies what a file says of it. */
export const toAnyKind = <Input>(kind: Kind<Input>): AnyKind => ({
  list: kind.list,
  prepare(file, { variables, prunes }) {
    const wanted = kind.read(file, { variables, folder: file.folder });
    return {
      takesFromAccounts: async (tx) => (await kind.takesFromAccounts?.(tx, wanted)) ?? false,
      lock: async (tx) => kind.lock?.(tx, wanted, prunes),
      async apply(run) {
        if (prunes) await remove(kind, wanted, run);
        const present = await kind.list(run.tx);
        const done: (Done | undefined)[] = [];
        for (const one of wanted) {
          const item = present.get(one.key);
          done.push(await at(file, one.path, () => (item ? change(kind, one, item, run) : add(kind, one, run))));
        }
        await note(kind, done, run);
      },
    };
  },
});

/** What was done to a thing that the file names. `before`: its members, if it was there. */
type Done = Omit<Difference, 'members'> & { readonly key: string; readonly before?: Members };

/** Notes what has changed. A service may write a value in another form, so that it is the one that was there. */
async function note<Input>(kind: Kind<Input>, all: readonly (Done | undefined)[], { tx, differences }: Run) {
  const done = all.filter((one) => one !== undefined);
  if (done.length === 0) return;
  const present = await kind.list(tx);
  for (const { key, before, ...difference } of done) {
    const members = before ? compare(before, present.get(key)?.members ?? {}) : [];
    const { what, secrets, made, restored } = difference;
    if (what === 'added' || members.length + secrets.length + made.length + restored.length > 0)
      differences.push({ ...difference, members });
  }
}

/** Removes what a section of the file leaves out. */
async function remove<Input>(kind: Kind<Input>, wanted: readonly Wanted<Input>[], { tx, by, file, differences }: Run) {
  const keys = new Set(wanted.map(({ key }) => key));
  for (const [key, item] of await kind.list(tx)) {
    if (keys.has(key) || !item.isRemovable || !kind.covers(file.content, item)) continue;
    await at(file, item.path, () => kind.remove(item, { tx, by }));
    differences.push({ what: 'removed', path: item.path, members: [], secrets: [], made: [], restored: [] });
  }
}

const at = <Result>(file: ConfigurationFile, path: Path, work: () => Promise<Result>): Promise<Result> =>
  work().catch((error) => {
    throw toPlace(file, path, error);
  });

async function add<Input>(kind: Kind<Input>, wanted: Wanted<Input>, run: Run): Promise<Done> {
  const made = await kind.add(wanted, { tx: run.tx, by: run.by });
  keepMade(wanted.path, made, run);
  return { what: 'added', key: wanted.key, path: wanted.path, secrets: [], made: Object.keys(made), restored: [] };
}

async function change<Input>(
  kind: Kind<Input>,
  wanted: Wanted<Input>,
  item: Item,
  run: Run,
): Promise<Done | undefined> {
  const { tx } = run;
  const secrets: Record<string, string> = {};
  for (const [member, secret] of Object.entries(wanted.secrets)) {
    if (!(await kind.hasSecret(tx, item, member, secret))) secrets[member] = secret;
  }
  const differs = compare(item.members, wanted.members).length > 0;
  if (!differs && Object.keys(secrets).length === 0) return undefined;
  const restored: string[] = [];
  const noteRestored = (member: string) => void restored.push(member);
  const made = await kind.change(wanted, item, { tx, by: run.by, differs, secrets, noteRestored });
  keepMade(wanted.path, made, run);
  const names = { secrets: Object.keys(secrets), made: Object.keys(made), restored };
  return { what: 'changed', key: wanted.key, path: item.path, before: item.members, ...names };
}

/** @throws ConfigurationError if nobody takes the secrets. */
function keepMade(path: Path, made: SecretsByMember, { file, takesSecrets, secrets }: Run) {
  for (const [member, secret] of Object.entries(made)) {
    if (!takesSecrets)
      throw file.refuse(
        path,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what the file must hold.
        `Latchkey would make its ${member}, and nobody would see it. Give one with ${member}: ${'${ENV:NAME}'}, or apply with --print-secrets.`,
      );
    secrets[toText([...path, member])] = secret;
  }
}

/** Returns a text that stays the same as long as a file can say the same of what is there, and its secrets are the same. */
function versionOf(items: readonly Item[]): string {
  const said = items
    .filter(({ exported }) => exported !== undefined)
    .map(({ path, exported, secretMark = '' }) => [path, sorted(exported), secretMark]);
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url').slice(0, VERSION_LENGTH);
}

/** So many characters have 132 bits. */
const VERSION_LENGTH = 22;

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)]);
}
