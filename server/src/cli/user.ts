// latchkey user: manages accounts from the machine itself. The audit trail records each change, which applies at once.
import type { Service } from '../app/compose.ts';
import { toIsoString } from '../foundation/clock.ts';
import { readWords } from '../foundation/typed-text.ts';
import { defineCommand, UsageError } from './command.ts';
import { print, printTable, toMoment } from './output.ts';
import { hashPassword, passwordOption, readPassword } from './passwords.ts';
import { byCommandLine, findAccount, withService } from './service.ts';

type Listed = Awaited<ReturnType<Service['administration']['list']>>['accounts'][number];

/** Accounts read in one query. */
const PAGE = 500;

function showGenerated(password: string | undefined) {
  if (password === undefined) return;
  print(`Password: ${password}`);
  print('It is shown only once. The user must change it at the next sign-in.');
}

const create = defineCommand({
  name: 'user create',
  about: 'Create an account.',
  takes: ['USERNAME'],
  options: {
    email: { type: 'string', value: 'ADDRESS', about: 'E-mail address.' },
    'email-verified': { type: 'boolean', about: 'Mark the address as verified: pins, resets and notices go there.' },
    mobile: { type: 'string', value: 'NUMBER', about: 'Mobile number with its country code: +27 82 123 4567.' },
    'mobile-verified': { type: 'boolean', about: 'Mark the number as verified.' },
    name: { type: 'string', value: 'TEXT', about: 'First name.' },
    surname: { type: 'string', value: 'TEXT', about: 'Surname.' },
    role: { type: 'string', value: 'ROLE', multiple: true, about: 'A role; can be given several times.' },
    admin: { type: 'boolean', about: 'Short for --role Administrator.' },
    ...passwordOption,
  },
  async run(
    {
      email,
      'email-verified': isEmailConfirmed = false,
      mobile,
      'mobile-verified': isMobileConfirmed = false,
      name,
      surname,
      role = [],
      admin,
      'password-stdin': isPiped,
    },
    [userName = ''],
  ) {
    if (isEmailConfirmed && email === undefined) throw new UsageError('--email-verified needs --email ADDRESS.');
    if (isMobileConfirmed && mobile === undefined) throw new UsageError('--mobile-verified needs --mobile NUMBER.');
    const given = isPiped ? await readPassword() : undefined;
    const [{ ADMINISTRATOR }, { CreateInput, toAccountInput }, { checkInput }] = await Promise.all([
      import('../roles/index.ts'),
      import('../account-changes/index.ts'),
      import('../contract/input.ts'),
    ]);
    const input = checkInput(CreateInput, {
      userName,
      ...(email !== undefined && { emailAddress: email, isEmailConfirmed }),
      ...(mobile !== undefined && { mobileNumber: mobile, isMobileConfirmed }),
      ...(name !== undefined && { name }),
      ...(surname !== undefined && { surname }),
      roleNames: admin ? [...role, ADMINISTRATOR] : role,
      requireChangePassword: given === undefined,
    });
    const account = toAccountInput(input);
    await withService(async (service) => {
      const { hash, generated } = await hashPassword(service, given, account);
      const created = await service.administration.create(account, { hash }, await byCommandLine());
      print(`Created ${created.userName} (account ${created.id}).`);
      showGenerated(generated);
    });
    return undefined;
  },
});

const resetPassword = defineCommand({
  name: 'user reset-password',
  about: 'Set a password that the user must change at the next sign-in. Ends all sessions and unlocks the account.',
  takes: ['NAME'],
  options: passwordOption,
  async run({ 'password-stdin': isPiped }, [name = '']) {
    const given = isPiped ? await readPassword() : undefined;
    await withService(async (service) => {
      const account = await findAccount(service, name);
      const { hash, generated } = await hashPassword(service, given, account);
      await service.administration.resetPassword(account.id, { hash }, await byCommandLine());
      print(`Reset the password of ${account.userName}.`);
      showGenerated(generated);
    });
    return undefined;
  },
});

const resetFactors = defineCommand({
  name: 'user reset-factors',
  about: 'Remove all second factors and recovery codes of a user, and their lock. The owner is told.',
  takes: ['NAME'],
  options: { reason: { type: 'string', value: 'TEXT', about: 'What the audit trail says of the cause.' } },
  async run({ reason }, [name = '']) {
    await withService(async (service) => {
      const { id, userName } = await findAccount(service, name);
      const hadAny = await service.administration.resetFactors(id, reason, await byCommandLine());
      print(hadAny ? `Reset the second factors of ${userName}.` : `${userName} has no second factor.`);
    });
    return undefined;
  },
});

/** Declares a command that performs one action on one account. */
const action = (verb: 'activate' | 'deactivate' | 'unlock', done: string, about: string) =>
  defineCommand({
    name: `user ${verb}`,
    about,
    takes: ['NAME'],
    options: {},
    async run(_, [name = '']) {
      await withService(async (service) => {
        const { id, userName } = await findAccount(service, name);
        await service.administration[verb](id, await byCommandLine());
        print(`${done} ${userName}.`);
      });
      return undefined;
    },
  });

const list = defineCommand({
  name: 'user list',
  about: 'List accounts.',
  takes: [],
  options: {
    search: { type: 'string', value: 'TEXT', about: 'List only accounts with this text in a name, address or number.' },
    inactive: { type: 'boolean', about: 'List only deactivated accounts.' },
    json: { type: 'boolean', about: 'Print one JSON object a line.' },
  },
  async run({ search, inactive, json }) {
    await withService(async ({ administration }) => {
      for (let skip = 0; ; skip += PAGE) {
        const { accounts } = await administration.list({
          ...(search && { keyword: readWords(search) }),
          ...(inactive && { isActive: false }),
          sort: { by: 'id', descending: false },
          skip,
          take: PAGE,
        });
        if (json) for (const account of accounts) process.stdout.write(`${toJson(account)}\n`);
        else if (accounts.length > 0 || skip === 0) printTable(TITLES, accounts.map(toRow));
        if (accounts.length < PAGE) return;
      }
    });
    return undefined;
  },
});

const TITLES = ['ID', 'USER NAME', 'NAME', 'E-MAIL', 'MOBILE', 'ROLES', 'STATE', 'LAST SIGN-IN'];

function toRow(account: Listed): string[] {
  const { id, userName, name, surname, emailAddress, mobileNumber, roleNames, isActive, lockedUntil, lastSignInAt } =
    account;
  const lock = lockedUntil === null ? 'active' : `locked until ${toMoment(lockedUntil)}`;
  return [
    String(id),
    userName,
    `${name} ${surname}`.trim(),
    emailAddress ?? '',
    mobileNumber ?? '',
    roleNames.join(','),
    isActive ? lock : 'inactive',
    lastSignInAt === null ? '' : toMoment(lastSignInAt),
  ];
}

/** Returns the account as an import takes it, without its password. */
function toJson({
  mustChangePassword,
  lockedUntil,
  factorLockedUntil,
  lastSignInAt,
  createdAt,
  ...same
}: Listed): string {
  return JSON.stringify({
    ...same,
    requireChangePassword: mustChangePassword,
    lockedUntil: lockedUntil === null ? null : toIsoString(lockedUntil),
    factorLockedUntil: factorLockedUntil === null ? null : toIsoString(factorLockedUntil),
    lastLoginTime: lastSignInAt === null ? null : toIsoString(lastSignInAt),
    creationTime: toIsoString(createdAt),
  });
}

export const userCommands = [
  list,
  create,
  action('deactivate', 'Deactivated', 'Deactivate an account and end its sessions.'),
  action('activate', 'Activated', 'Activate an account that was deactivated.'),
  action('unlock', 'Unlocked', 'Unlock an account after too many failed attempts.'),
  resetPassword,
  resetFactors,
];
