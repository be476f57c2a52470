// The members of an imported account: which columns they are likely to come from, and how a cell becomes a value.

export const members = [
  'userName',
  'name',
  'surname',
  'emailAddress',
  'isEmailConfirmed',
  'mobileNumber',
  'isMobileConfirmed',
  'isActive',
  'requireChangePassword',
  'roleNames',
  'passwordHash',
  'isDeleted',
] as const;

export type Member = (typeof members)[number];

/** What each column of the file becomes. A column that is left out is absent. */
export type Mapping = Readonly<Partial<Record<string, Member>>>;

/** Names of columns in other systems, without spaces, punctuation and accents, in lower case. */
const synonyms: Readonly<Record<Member, string>> = {
  userName: 'username user login loginname account benutzername benutzer anmeldename',
  name: 'name firstname givenname forename vorname',
  surname: 'surname lastname familyname nachname familienname',
  emailAddress: 'emailaddress email mail mailaddress emailadresse',
  isEmailConfirmed: 'isemailconfirmed emailconfirmed emailverified isemailverified emailbestaetigt emailbestatigt',
  mobileNumber: 'mobilenumber mobile mobileno phonenumber phone cell cellphone mobilnummer handy handynummer telefon',
  isMobileConfirmed: 'ismobileconfirmed mobileconfirmed isphonenumberconfirmed phonenumberconfirmed phoneverified',
  isActive: 'isactive active enabled isenabled aktiv',
  requireChangePassword: 'requirechangepassword mustchangepassword changepassword passwordchangerequired',
  roleNames: 'rolenames roles role rollen rolle groups group gruppen',
  passwordHash: 'passwordhash hash',
  isDeleted: 'isdeleted deleted',
};

const memberOf = new Map(
  Object.entries(synonyms).flatMap(([member, names]) =>
    // `Object.entries` does not type its keys; the table has no others.
    names.split(' ').map((name) => [name, member as Member] as const),
  ),
);

const simplify = (column: string) =>
  column
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

/** Guesses what the columns become: each member comes from the first column that looks like it. */
export function guessMapping(columns: readonly string[]): Mapping {
  const guessed: Record<string, Member> = {};
  for (const column of columns) {
    const member = memberOf.get(simplify(column));
    if (member && !Object.values(guessed).includes(member)) guessed[column] = member;
  }
  return guessed;
}

const flags: readonly Member[] = [
  'isEmailConfirmed',
  'isMobileConfirmed',
  'isActive',
  'requireChangePassword',
  'isDeleted',
];

const spellings = new Map(
  Object.entries({
    true: true,
    yes: true,
    ja: true,
    y: true,
    j: true,
    x: true,
    1: true,
    false: false,
    no: false,
    nein: false,
    n: false,
    0: false,
  }),
);

/** Returns the value of a member. A text that is no value stays, and the service refuses it. */
function toValue(member: Member, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (flags.includes(member)) return spellings.get(value.toLowerCase()) ?? value;
  if (member !== 'roleNames') return value;
  const roles = value.split(value.includes(';') ? ';' : ',');
  return roles.map((role) => role.trim()).filter((role) => role !== '');
}

/** Returns the account of a row, as the call takes it. Without a user name, the e-mail address is the user name. */
export function toAccount(values: Readonly<Record<string, unknown>>, mapping: Mapping): Record<string, unknown> {
  const account: Record<string, unknown> = {};
  for (const [column, member] of Object.entries(mapping)) {
    const value = values[column];
    if (member && value !== '' && value !== null && value !== undefined) account[member] = toValue(member, value);
  }
  if (account.userName === undefined && account.emailAddress !== undefined) account.userName = account.emailAddress;
  return account;
}
