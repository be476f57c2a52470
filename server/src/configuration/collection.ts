// Things of one kind that a section of the file lists by their names.
import type { Static, TObject } from 'typebox';
import { checkInput } from '../contract/input.ts';
import type { Tx } from '../storage/database.ts';
import type { ConfigurationFile } from './file.ts';
import type { Alteration, Change, Item, Kind, Members, SecretsByMember, Wanted } from './kind.ts';
import { readMembers, requireKnownMembers, secretsOf } from './members.ts';
import { isReference, readReference, type Sources } from './references.ts';
import { refusing } from './refusing.ts';

/** A thing as its service returns it, and what is exported besides its members. */
type Listed = Pick<Item, 'id' | 'members'> &
  Partial<Pick<Item, 'isRemovable' | 'secrets' | 'secretMark'>> & {
    readonly name: string;
    readonly exported?: Members;
  };

/** What differs between kinds. The methods are those of {@link Kind}. */
export type Collection<Schema extends TObject> = {
  readonly section: string;
  /** The input of the service. */
  readonly schema: Schema;
  /** The member of the input that holds the name. */
  readonly nameMember: string;
  /** Members of the file that another kind reads. */
  readonly others?: readonly string[];
  /** Members whose values have no order. */
  readonly unordered?: readonly string[];
  /** Returns what is the same for names that mean the same thing. Default: the name. */
  keyOf?(name: string): string;
  list(tx: Tx): Promise<readonly Listed[]>;
  add(input: Static<Schema>, change: Change): Promise<SecretsByMember>;
  change(input: Static<Schema>, item: Item, change: Alteration): Promise<SecretsByMember>;
  remove(item: Item, change: Change): Promise<void>;
  hasSecret?(tx: Tx, item: Item, member: string, secret: string): Promise<boolean>;
  takesFromAccounts?: Kind<Static<Schema>>['takesFromAccounts'];
  lock?: Kind<Static<Schema>>['lock'];
};

export function toKind<Schema extends TObject>(collection: Collection<Schema>): Kind<Static<Schema>> {
  const { section, keyOf = (name: string) => name } = collection;
  const names = Object.keys(collection.schema.properties);
  return {
    async list(tx) {
      const listed = (await collection.list(tx)).toSorted((one, other) => (one.name < other.name ? -1 : 1));
      const items = listed.map(
        ({ name, id, members, isRemovable = true, secrets = [], secretMark, ...more }): [string, Item] => {
          const ordered = sortedIn(collection.unordered ?? [], inOrder(members, names));
          const exported = { ...ordered, ...more.exported };
          return [
            keyOf(name),
            { path: [section, name], id, members: ordered, exported, isRemovable, secrets, secretMark },
          ];
        },
      );
      return new Map(items);
    },
    read(file, sources) {
      const named = file.content[section];
      if (named === undefined) return [];
      const all = Object.entries(readMembers(file, named, [section])).map(([name, value]) =>
        readItem(collection, file, sources, name, value ?? {}),
      );
      const keys = all.map(({ key }) => key);
      const twin = all.find(({ key }, index) => keys.indexOf(key) !== index);
      if (twin) throw file.refuse(twin.path, 'This is the name of another one, in another spelling. Keep one of them.');
      return all;
    },
    covers: (content) => content[section] !== undefined,
    takesFromAccounts: async (tx, wanted) => (await collection.takesFromAccounts?.(tx, wanted)) ?? false,
    lock: async (tx, wanted, prunes) => collection.lock?.(tx, wanted, prunes),
    hasSecret: (tx, item, member, secret) => collection.hasSecret?.(tx, item, member, secret) ?? Promise.resolve(true),
    add: ({ input }, change) => collection.add(input, change),
    change: ({ input }, item, change) => collection.change(input, item, change),
    remove: collection.remove,
  };
}

/** Returns the members in the order of these names, so that a file stays the same. */
const inOrder = (members: Members, names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(members).toSorted(([one], [other]) => names.indexOf(one) - names.indexOf(other)));

/** Returns the members, of which these have their values in the order of the alphabet. */
const sortedIn = (unordered: readonly string[], members: Members): Members =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      unordered.includes(name) && Array.isArray(value) ? value.toSorted() : value,
    ]),
  );

function readItem<Schema extends TObject>(
  { section, schema, nameMember, others = [], unordered = [], keyOf = (name) => name }: Collection<Schema>,
  file: ConfigurationFile,
  sources: Sources,
  name: string,
  value: unknown,
): Wanted<Static<Schema>> {
  const path = [section, name];
  const members = readMembers(file, value, path);
  const own = Object.fromEntries(Object.entries(members).filter(([member]) => !others.includes(member)));
  if (Object.hasOwn(own, nameMember)) throw file.refuse([...path, nameMember], 'Leave it out: the name stands above.');
  requireKnownMembers(file, schema, own, path);
  const secrets = readSecrets(secretsOf(schema), file, sources, own, path);
  const input = refusing(file, path, () => checkInput(schema, { ...own, ...secrets, [nameMember]: name }));
  const shown = Object.entries(input).filter(([member]) => member !== nameMember && !(member in secrets));
  // The name as the service takes it: without white space around it.
  const key = keyOf(String(new Map<string, unknown>(Object.entries(input)).get(nameMember)));
  return { key, path, input, members: sortedIn(unordered, Object.fromEntries(shown)), secrets };
}

/** @throws ConfigurationError for a secret that stands in the file itself, and for a reference of another member. */
function readSecrets(
  names: readonly string[],
  file: ConfigurationFile,
  sources: Sources,
  members: Members,
  path: readonly string[],
): SecretsByMember {
  const secrets = Object.entries(members).flatMap(([member, value]): [string, string][] => {
    const at = [...path, member];
    if (!names.includes(member)) {
      if (isReference(value)) throw file.refuse(at, 'Only a secret is read from elsewhere. Write the value here.');
      return [];
    }
    if (!isReference(value))
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what the file must hold.
      throw file.refuse(at, 'A secret does not stand in the file. Write ${ENV:NAME} or ${FILE:path}.');
    const found = readReference(value, sources);
    if ('problem' in found) throw file.refuse(at, found.problem);
    return [[member, found.secret]];
  });
  return Object.fromEntries(secrets);
}
