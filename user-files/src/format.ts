// Formats: how the export of a system becomes the lines that an import takes.
import type { Place, Values } from './entry.ts';
import type { Fields } from './fields.ts';
import type { FormatName } from './names.ts';
import { readText } from './values.ts';

/** The members of a line, with values as the file has them: the import reads them. */
export type Line = Values & {
  readonly userName?: unknown;
  readonly externalLogins?: readonly ExternalLogin[];
};

/** The secret of an authenticator app. Without more, its codes are those of all apps: SHA-1, six digits, 30 seconds. */
export type Totp = {
  readonly secret: string;
  readonly encoding: 'base32' | 'hex' | 'utf8';
  readonly algorithm?: unknown;
  readonly digits?: unknown;
  readonly period?: unknown;
};

/** A passkey, in base64 of either alphabet. Without `rpId`, the importer says which domain it is bound to. */
export type Passkey = {
  readonly credentialId: string | undefined;
  /** COSE key. */
  readonly publicKey: string | undefined;
  readonly signCount?: unknown;
  readonly transports?: readonly unknown[];
  readonly rpId?: string | undefined;
  /** What the authenticator calls its owner. Absent if the system does not store it. */
  readonly userHandle?: string | undefined;
  readonly name?: string | undefined;
  readonly isBackedUp?: boolean | undefined;
  readonly creationTime?: string | undefined;
};

export type ExternalLogin = { readonly provider: string; readonly providerKey: string };

/** An entry that is no person. The reason is a few words, such as `a service account`. */
export class Skip {
  readonly skipped: string;
  readonly userName: string | undefined;
  constructor(skipped: string, userName?: string) {
    this.skipped = skipped;
    this.userName = userName;
  }
}

/** What other tables hold of users: hashes, identities, second factors, names of groups. */
export type Lookups = {
  add(table: string, key: string, values: Values): void;
  find(table: string, key: string): readonly Values[];
};

/**
 * One kind of entries. `index` notes what belongs to users, before they are read; `read` returns a user. With `isSpare`, entries are users
 * only where the files have no others.
 */
export type EntryTable = {
  is(entry: Place & { container: string; values: Values }, fields: Fields): boolean;
  index?(fields: Fields, lookups: Lookups, values: Values): void;
  read?(fields: Fields, lookups: Lookups, values: Values, place: Place): Line | Skip;
  readonly isSpare?: true;
};

export type Format = {
  readonly name: FormatName;
  /** The name of the system. */
  readonly title: string;
  /** The first table whose kind an entry is reads it. */
  readonly tables: readonly EntryTable[];
  /** Its users have no column of password hashes. A file with one is another's, although it may have all other columns. */
  readonly hasNoHashes?: true;
  /** Returns the columns of a CSV file that has no head, by its first row. */
  readonly columnsOf?: (first: readonly string[]) => readonly string[] | undefined;
};

/** Returns an object without the members that are `undefined`. */
export const present = (members: Readonly<Record<string, unknown>>): Line =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/**
 * Returns the user name and the e-mail address of a person who signs in to the other system by `login`. A user name that looks like an
 * address must be the account's own: the e-mail address replaces another one, and without an e-mail address the login becomes it.
 */
export function toNames(login: string | undefined, email: string | undefined) {
  const isOther = login?.includes('@') && login.toLowerCase() !== email?.toLowerCase();
  const own = email ?? login;
  return isOther ? { userName: own, emailAddress: own } : { userName: login, emailAddress: email };
}

/** Returns the external logins whose members are texts, each once. */
export function toLogins(
  logins: readonly { readonly provider?: unknown; readonly providerKey?: unknown }[],
): readonly ExternalLogin[] | undefined {
  const found = new Map<string, ExternalLogin>();
  for (const login of logins) {
    const [provider, providerKey] = [readText(login.provider), readText(login.providerKey)];
    if (provider === undefined || providerKey === undefined) continue;
    found.set(JSON.stringify([provider, providerKey]), { provider, providerKey });
  }
  return found.size === 0 ? undefined : [...found.values()];
}
