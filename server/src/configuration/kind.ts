// A kind of thing that a configuration file names, and how it is read from the file and changed by its service.
import type { Manager } from '../foundation/authority.ts';
import type { Tx } from '../storage/database.ts';
import type { ConfigurationFile } from './file.ts';
import type { Path } from './problem.ts';
import type { Sources } from './references.ts';

export type Members = Readonly<Record<string, unknown>>;

/** Secrets by the name of their member. */
export type SecretsByMember = Readonly<Record<string, string>>;

/** A thing as it is stored. */
export type Item = {
  /** Where it stands in a file. */
  readonly path: Path;
  readonly id: string;
  /** What a file can say of it, without secrets. */
  readonly members: Members;
  /** What `export` writes. Without it, the thing is as it always was. */
  readonly exported?: unknown;
  readonly isRemovable: boolean;
  /** The members that hold its secrets. */
  readonly secrets: readonly string[];
  /** Changes with its secrets, and reveals nothing of them. */
  readonly secretMark?: string | undefined;
};

/** A thing as a file describes it. Members that the file leaves out stay as they are. */
export type Wanted<Input> = {
  readonly key: string;
  readonly path: Path;
  readonly input: Input;
  /** The members that can be compared with those of the stored thing. */
  readonly members: Members;
  readonly secrets: SecretsByMember;
};

/** What is done inside the transaction, and in whose name. */
export type Change = { readonly tx: Tx; readonly by: Manager };

/** What of a thing is changed: its members, if they differ, and the secrets that do. */
export type Alteration = Change & {
  readonly differs: boolean;
  readonly secrets: SecretsByMember;
  /** Notes that what a member names was gone, and is stored again. */
  readonly noteRestored: (member: string) => void;
};

/** Things of one kind. Each is found by its key, which follows from its name. */
export interface Kind<Input> {
  /** Returns the things as the transaction sees them. No other transaction changes them until it ends. */
  list(tx: Tx): Promise<ReadonlyMap<string, Item>>;
  /** Returns what the file says. @throws ConfigurationError */
  read(file: ConfigurationFile, sources: Sources): readonly Wanted<Input>[];
  /** Whether the file lists things like this one, so that one which it leaves out is to be removed. */
  covers(content: Members, item: Item): boolean;
  /** Whether a file takes ways to sign in from accounts. Then no other transaction may hold an account. It locks nothing. Default: no. */
  takesFromAccounts?(tx: Tx, wanted: readonly Wanted<Input>[]): Promise<boolean>;
  /**
   * Takes the locks that come before those of any other kind. Default: none.
   * @param prunes whether things that the file leaves out are removed.
   */
  lock?(tx: Tx, wanted: readonly Wanted<Input>[], prunes: boolean): Promise<unknown>;
  /** Whether this is the present secret. */
  hasSecret(tx: Tx, item: Item, member: string, secret: string): Promise<boolean>;
  /** Makes the thing. @returns the secrets that the service has made for it. */
  add(wanted: Wanted<Input>, change: Change): Promise<SecretsByMember>;
  /** Changes the thing. @returns the secrets that the service has made for it. */
  change(wanted: Wanted<Input>, item: Item, change: Alteration): Promise<SecretsByMember>;
  remove(item: Item, change: Change): Promise<void>;
}
