// The members of an imported account, and which columns they are likely to come from. The service reads the cells.

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
  'tenantId',
] as const;

export type Member = (typeof members)[number];

/** What each column of the file becomes. A column that is left out is absent. */
export type Mapping = Readonly<Partial<Record<string, Member>>>;

/** Names of columns in other systems, without spaces, punctuation and accents, in lower case. */
const synonyms: Readonly<Record<Member, string>> = {
  userName:
    'username user login loginname loginid account accountname userprincipalname upn samaccountname uid benutzername benutzer anmeldename utilisateur identifiant',
  name: 'name firstname firstnamerequired givenname givennames forename fname vorname prenom',
  surname: 'surname lastname lastnamerequired familyname lname sn nachname familienname nom',
  emailAddress:
    'emailaddress emailaddressrequired email mail mailaddress primaryemail emailadresse mailadresse courriel',
  isEmailConfirmed: 'isemailconfirmed emailconfirmed emailverified isemailverified emailbestaetigt emailbestatigt',
  mobileNumber:
    'mobilenumber mobile mobileno mobilephone phonenumber phone telephonenumber cell cellphone mobilnummer mobil mobiltelefon handy handynummer telefon telefonnummer portable',
  isMobileConfirmed:
    'ismobileconfirmed mobileconfirmed mobileverified isphonenumberconfirmed phonenumberconfirmed phonenumberverified phoneverified',
  isActive:
    'isactive active accountactive enabled isenabled accountenabled userenabled aktiv istaktiv kontoaktiv actif',
  requireChangePassword:
    'requirechangepassword mustchangepassword changepassword forcechangepassword passwordchangerequired mustchangepasswordatnextlogon changepasswordatnextlogin changepasswordatnextsignin',
  roleNames: 'rolenames roles role rollen rolle groups group gruppen',
  passwordHash: 'passwordhash hashedpassword hash',
  isDeleted: 'isdeleted deleted geloescht geloscht supprime',
  tenantId: 'tenantid tenant mandantid mandant',
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

/** Returns the account of a row, as the call takes it. */
export function toAccount(values: Readonly<Record<string, unknown>>, mapping: Mapping): Record<string, unknown> {
  const account: Record<string, unknown> = {};
  for (const [column, member] of Object.entries(mapping)) {
    const value = values[column];
    if (member && value !== '' && value !== null && value !== undefined) account[member] = value;
  }
  return account;
}
