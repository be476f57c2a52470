// The call that imports users: it reads lines as the command does, and creates each account by the rules of `User/Create`.
import { Type } from 'typebox';
import type { AccountCreation } from '../account-changes/index.ts';
import { newAccount, type PhoneNumbers } from '../accounts/index.ts';
import { defineRoute, type Route } from '../contract/route.ts';
import { NamedObject, Nullable } from '../contract/schemas.ts';
import { type Manager, toManager } from '../foundation/authority.ts';
import type { Clock } from '../foundation/clock.ts';
import { AuthError } from '../foundation/errors.ts';
import { loadForeignHashes } from '../passwords/index.ts';
import type { Roles } from '../roles/index.ts';
import type { ColumnNotes } from './columns.ts';
import { type Consent, findBrought, findDissent } from './consent.ts';
import { type ImportedAccount, keysOfImported, prepareImported } from './imported-account.ts';
import { readImportLine } from './line.ts';

/** Lines of one call. Each becomes a transaction. */
const MAX_LINES = 100;

/** A longer line would have more than the longest names, addresses and roles. */
const MAX_LINE_LENGTH = 16_384;

const Outcome = Type.Enum(['added', 'skipped', 'refused'], {
  description: 'What became of the line. In a dry run: what would become of it.',
});

const ImportedLineDto = NamedObject('ImportedLineDto', {
  outcome: Outcome,
  userId: Nullable(Type.Integer({ description: 'The id of the new account. Null in a dry run.' })),
  userName: Nullable(Type.String()),
  reason: Nullable(Type.String({ description: 'The reason of the error that refused the line.' })),
  messages: Type.Array(Type.String(), { description: 'Why the line was skipped or refused.' }),
  keys: Type.Array(Type.String(), {
    description:
      'The names and addresses that only one account may have, as the service compares them. A dry run does not compare the lines of a file: compare these.',
  }),
  newRoles: Type.Array(Type.String(), { description: 'The roles of the account that do not exist here.' }),
  isAdministrator: Type.Boolean({ description: 'Whether its roles grant permissions of this service.' }),
});

type ImportedLine = Type.Static<typeof ImportedLineDto>;

/** The account of a line, or what became of a line that gives none. */
type AccountOrLine = ImportedAccount | ImportedLine;

export function importRoutes(deps: {
  creation: AccountCreation;
  phoneNumbers: PhoneNumbers;
  roles: Roles;
  clock: Clock;
}): Route[] {
  const { creation, roles, clock } = deps;

  /** Returns the account of each line that can be read, and what became of all others. */
  async function read(lines: readonly string[], notes: ColumnNotes) {
    const { describeHash } = await loadForeignHashes();
    const prepare = (account: ImportedAccount) => prepareImported(account, deps);
    const reading = {
      members: 'creatable',
      prepare,
      notes,
      tenant: undefined,
      now: clock.now(),
      describeHash,
    } as const;
    return lines.map((line, index): AccountOrLine => {
      const entry = { kind: 'line', number: index + 1, bytes: Buffer.from(line) } as const;
      const found = readImportLine(entry, reading);
      const named = { ...nothing, userName: found?.userName ?? null };
      if (!found) return { ...named, outcome: 'skipped', messages: ['empty'] };
      if ('account' in found) return found.account;
      if ('skipped' in found) return { ...named, outcome: 'skipped', messages: [found.skipped] };
      return { ...named, outcome: 'refused', reason: 'request.invalid', messages: [...found.reasons] };
    });
  }

  const broughtBy = ({ given }: ImportedAccount) => findBrought(roles, given.roleNames);

  async function rehearse(lines: readonly AccountOrLine[], consent: Consent, by: Manager): Promise<ImportedLine[]> {
    const accounts = lines.filter(isAccount);
    const inputs = accounts.map((account) => ({ input: toInput(account), password: toPassword(account) }));
    const refusals = await creation.rehearse(inputs, by);
    const byAccount = new Map(accounts.map((account, index) => [account, refusals[index]]));
    return lines.map((one) => {
      if (!isAccount(one)) return one;
      const brought = broughtBy(one);
      const refusal = findDissent(brought, consent) ?? byAccount.get(one);
      const line = refusal ? toRefusal(one, refusal) : { ...toAdded(one, null), keys: uniqueKeysOf(one) };
      return { ...line, ...brought };
    });
  }

  /** A later line is refused without a try if the service was out of reach: the caller can retry all of these. */
  async function addAll(lines: readonly AccountOrLine[], consent: Consent, by: Manager): Promise<ImportedLine[]> {
    const results: ImportedLine[] = [];
    let outage: AuthError | undefined;
    for (const one of lines) {
      if (!isAccount(one)) results.push(one);
      else if (outage) results.push(toRefusal(one, outage));
      else {
        const brought = broughtBy(one);
        const refusal = findDissent(brought, consent) ?? (await addOne(one, by));
        const line = refusal instanceof AuthError ? toRefusal(one, refusal) : toAdded(one, refusal);
        results.push({ ...line, ...brought });
        if (refusal instanceof AuthError && (refusal.isFault || refusal.status === 401)) outage = refusal;
      }
    }
    return results;
  }

  async function addOne(account: ImportedAccount, by: Manager): Promise<number | AuthError> {
    try {
      return await creation.add(toInput(account), toPassword(account), by);
    } catch (error) {
      if (error instanceof AuthError) return error;
      throw error;
    }
  }

  return [
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/Import',
      summary: `Create the accounts of up to ${MAX_LINES} lines, each a JSON object. Each line is done or refused for itself, as User/Create would.`,
      access: 'Pages.Users',
      body: Type.Object({
        lines: Type.Array(Type.String({ minLength: 1, maxLength: MAX_LINE_LENGTH, 'x-secret': true }), {
          minItems: 1,
          maxItems: MAX_LINES,
        }),
        dryRun: Type.Optional(Type.Boolean({ description: 'Check each line, and change nothing.' })),
        allowNewRoles: Type.Optional(
          Type.Boolean({
            description: 'Add roles that do not exist here. They grant nothing. Without it their lines are refused.',
          }),
        ),
        allowAdministrators: Type.Optional(
          Type.Boolean({
            description:
              'Create accounts whose roles grant permissions of this service. Without it their lines are refused.',
          }),
        ),
      }),
      result: NamedObject('ImportResult', {
        items: Type.Array(ImportedLineDto),
        unknownColumns: Type.Array(Type.String(), {
          description:
            'Members that begin with a capital letter, as columns do, and are not known here. They were left out.',
        }),
      }),
      async handle(call) {
        const { lines, dryRun, allowNewRoles = false, allowAdministrators = false } = call.input;
        const run = dryRun ? rehearse : addAll;
        const notes = { unused: new Set<string>(), unknown: new Set<string>() };
        const items = await run(await read(lines, notes), { allowNewRoles, allowAdministrators }, toManager(call));
        return { items, unknownColumns: [...notes.unknown] };
      },
    }),
  ];
}

const nothing = {
  userId: null,
  userName: null,
  reason: null,
  messages: [],
  keys: [],
  newRoles: [],
  isAdministrator: false,
};

const isAccount = (one: AccountOrLine): one is ImportedAccount => 'given' in one;

const toInput = ({ given }: ImportedAccount) => newAccount(given.userName, given);

const toPassword = ({ passwordHash }: ImportedAccount) =>
  passwordHash === null ? null : ({ hash: passwordHash, isForeign: true } as const);

const toAdded = ({ given }: ImportedAccount, userId: number | null): ImportedLine => ({
  ...nothing,
  outcome: 'added',
  userName: given.userName,
  userId,
});

const toRefusal = ({ given }: ImportedAccount, error: AuthError): ImportedLine => ({
  ...nothing,
  outcome: 'refused',
  userName: given.userName,
  reason: error.reason,
  messages: error.validationErrors?.map(({ message }) => message) ?? [error.details],
});

function uniqueKeysOf(account: ImportedAccount): string[] {
  const { userName, emailAddress } = keysOfImported(account);
  const { mobileNumber } = account.given;
  return [
    `name ${userName}`,
    ...(emailAddress ? [`mail ${emailAddress}`] : []),
    ...(mobileNumber ? [`number ${mobileNumber}`] : []),
  ];
}
