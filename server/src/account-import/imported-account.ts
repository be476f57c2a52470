// Imported accounts: what an import knows of an account, its unique keys, and what becomes of it.
import { createHash } from 'node:crypto';
import { type AccountChanges, checkInput } from '../account-changes/index.ts';
import {
  type AccountKeys,
  type ImportedIdentity,
  keysOf,
  newAccount,
  type PhoneNumbers,
  type StoredKeys,
} from '../accounts/index.ts';
import type { ExternalIdentity } from '../external-logins/index.ts';
import type { Instant } from '../foundation/clock.ts';
import type { Roles } from '../roles/index.ts';
import type { ImportedFactors } from './factors.ts';

/** An account of another system. */
export type ImportedAccount = {
  /** The members that the other system gives. An update leaves all others as they are. */
  readonly given: AccountChanges & { userName: string };
  /** Without a hash, the owner of a new account cannot sign in with a password until one is set. */
  readonly passwordHash: string | null;
  readonly identity: ImportedIdentity;
  readonly externalLogins: readonly ExternalIdentity[];
  /** Those of a new account. An update leaves the account's own as they are. */
  readonly factors: ImportedFactors;
  readonly lock: { readonly failures: number; readonly lockedUntil: Instant | null } | null;
};

/** An account that was deleted in the other system: its keys there, and its external logins. */
export type DeletedAccount = {
  readonly keys: AccountKeys;
  readonly externalLogins: readonly ExternalIdentity[];
};

/** Returns the account as it will be stored. @throws AuthError `request.invalid`. */
export function prepareImported(
  account: ImportedAccount,
  deps: { phoneNumbers: PhoneNumbers; roles: Roles },
): ImportedAccount {
  const { given } = account;
  const { emailAddress, mobileNumber, roleNames } = checkInput(newAccount(given.userName, given), deps);
  return {
    ...account,
    given: {
      ...given,
      ...(given.emailAddress !== undefined && { emailAddress }),
      ...(given.mobileNumber !== undefined && { mobileNumber }),
      ...(given.roleNames !== undefined && { roleNames }),
    },
  };
}

/** Returns the account as the store adds it. */
export const toNewAccount = ({ given, passwordHash, identity }: ImportedAccount) => ({
  ...newAccount(given.userName, given),
  passwordHash,
  imported: identity,
});

/** What became of an account, or in a dry run would become of it. */
export type ImportOutcome =
  /** `id` is null in a dry run if the account gets a new id. `former` has the ids that it could not keep. */
  | { readonly done: 'added'; readonly id: number | null; readonly former: Pick<ImportedIdentity, 'id' | 'personId'> }
  /**
   * `keepsPassword`: the password was changed here since the import, and the import brings another one. `leavesFactors`: the import
   * brings second factors, and the account has none.
   */
  | { readonly done: 'updated' | 'unchanged'; readonly keepsPassword: boolean; readonly leavesFactors?: boolean }
  | { readonly done: 'refused'; readonly reasons: readonly string[] };

const ID = 'the id';
const PERSON_ID = 'the person id';
const RETIRED_ID = 'the id of a deleted account';

/** Names an external login in a refusal, without its key. */
export const wordsOf = ({ provider }: Pick<ExternalIdentity, 'provider'>): string =>
  `the external login at ${provider}`;

const PASSKEY = 'a passkey';

/** The unique keys of an account, each with the words that name it. */
function namedKeys({ id, personId, userName, emailAddress }: AccountKeys) {
  return [
    ...(id === undefined ? [] : [{ words: ID, key: `id ${id}` }]),
    ...(personId === undefined ? [] : [{ words: PERSON_ID, key: `person ${personId}` }]),
    { words: 'the user name', key: `name ${userName}` },
    ...(emailAddress === null ? [] : [{ words: 'the e-mail address', key: `mail ${emailAddress}` }]),
  ];
}

const loginKey = ({ provider, providerKey }: ExternalIdentity) => `login ${JSON.stringify([provider, providerKey])}`;
const passkeyKey = (credentialId: string) => `passkey ${credentialId}`;

/** The unique keys of what belongs to an account. */
const belongingKeys = ({ externalLogins, factors }: ImportedAccount) => [
  ...externalLogins.map((login) => ({ words: wordsOf(login), key: loginKey(login) })),
  ...factors.passkeys.map(({ credentialId }) => ({ words: PASSKEY, key: passkeyKey(credentialId) })),
];

/** The external logins and credentials that other accounts have, and the ids that deleted accounts had. */
export type Belongings = {
  readonly logins: readonly ExternalIdentity[];
  readonly credentialIds: readonly string[];
  readonly retiredIds: readonly number[];
};

/** Returns which external logins, passkeys and ids of an account are among these, in words. */
export function findBelongings(taken: Belongings): (account: ImportedAccount) => string[] {
  const keys = new Set([...taken.logins.map(loginKey), ...taken.credentialIds.map(passkeyKey)]);
  const retired = new Set(taken.retiredIds);
  return (account) => [
    ...new Set(belongingKeys(account).flatMap(({ words, key }) => (keys.has(key) ? [words] : []))),
    ...(account.identity.id !== undefined && retired.has(account.identity.id) ? [RETIRED_ID] : []),
  ];
}

/** Returns the unique keys of an account. */
export function keysOfImported({ given, identity }: ImportedAccount): AccountKeys {
  return keysOf({ userName: given.userName, emailAddress: given.emailAddress ?? null }, identity);
}

const namedKeysOf = (account: ImportedAccount) => [...namedKeys(keysOfImported(account)), ...belongingKeys(account)];

/** Returns which keys of the account these accounts hold, in words. */
export function findCollisions(account: ImportedAccount, holders: readonly StoredKeys[]): string[] {
  const held = new Set(holders.flatMap((holder) => namedKeys(holder).map(({ key }) => key)));
  return namedKeysOf(account).flatMap(({ words, key }) => (held.has(key) ? [words] : []));
}

export function takenOutcome(taken: readonly string[]): ImportOutcome {
  const held = taken.filter((words) => words !== RETIRED_ID);
  const named = taken.length === 0 ? 'the user name or e-mail address' : held.join(', ');
  const reasons = [
    ...(named === '' ? [] : [`Taken, by an account or by an earlier line: ${named}.`]),
    ...(taken.includes(RETIRED_ID)
      ? [
          'The id belonged to an account that was deleted here. Applications may still know that person by it. Leave the id out, or import with new ids.',
        ]
      : []),
  ];
  return { done: 'refused', reasons };
}

/** The words of keys that an account can do without. */
const IDS: readonly string[] = [ID, RETIRED_ID, PERSON_ID];

/** Returns the account without the ids that are taken. Returns `undefined` if another key is taken, too. */
export function withoutTakenIds(account: ImportedAccount, taken: readonly string[]): ImportedAccount | undefined {
  if (taken.length === 0 || taken.some((words) => !IDS.includes(words))) return undefined;
  const { id, personId, ...identity } = account.identity;
  const kept = {
    ...(id !== undefined && !taken.includes(ID) && !taken.includes(RETIRED_ID) && { id }),
    ...(personId !== undefined && !taken.includes(PERSON_ID) && { personId }),
  };
  return { ...account, identity: { ...identity, ...kept } };
}

/** @param wanted the account as the import has it. @param added the same without ids that are taken. */
export function addedOutcome(wanted: ImportedAccount, added: ImportedAccount, id: number | null): ImportOutcome {
  const { id: formerId, personId } = wanted.identity;
  const former = {
    ...(formerId !== undefined && formerId !== added.identity.id && { id: formerId }),
    ...(personId !== undefined && personId !== added.identity.personId && { personId }),
  };
  return { done: 'added', id, former };
}

/** Splits off a round in which no two accounts share a key. Of accounts that share one, the first comes first. */
export function splitByKeys<Entry extends { account: ImportedAccount }>(entries: readonly Entry[]) {
  const [round, later, seen]: [Entry[], Entry[], Set<string>] = [[], [], new Set()];
  for (const entry of entries) {
    const keys = namedKeysOf(entry.account).map(({ key }) => key);
    (keys.some((key) => seen.has(key)) ? later : round).push(entry);
    for (const key of keys) seen.add(key);
  }
  return { round, later };
}

/** Remembers the keys of accounts as 64 bits each. Among a million keys, the odds of a collision are below one in ten million. */
export function createRememberedKeys() {
  const digests = new Set<bigint>();
  const digest = (key: string) => createHash('sha256').update(key).digest().readBigUInt64LE();
  return {
    /** Returns which keys of the account are remembered, in words. */
    find: (account: ImportedAccount) =>
      namedKeysOf(account).flatMap(({ words, key }) => (digests.has(digest(key)) ? [words] : [])),
    add(account: ImportedAccount) {
      for (const { key } of namedKeysOf(account)) digests.add(digest(key));
    },
  };
}
