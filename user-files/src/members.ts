// The members of an imported account, and which columns of any system they are likely to come from.
import { simplify } from './fields.ts';

export const members = [
  'userName',
  'name',
  'surname',
  'emailAddress',
  'isEmailConfirmed',
  'mobileNumber',
  'isMobileConfirmed',
  'isActive',
  'bannedUntil',
  'requireChangePassword',
  'roleNames',
  'passwordHash',
  'isDeleted',
  'tenantId',
] as const;

export type Member = (typeof members)[number];

/** What each column of the file becomes. A column that is left out is absent. Read it by {@link memberOf}. */
export type Mapping = Readonly<Partial<Record<string, Member>>>;

/** Returns what a column becomes. Its name may be that of a member which every object has, such as `constructor`. */
export const memberOf = (mapping: Mapping, column: string): Member | undefined =>
  Object.hasOwn(mapping, column) ? mapping[column] : undefined;

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
    'isactive active accountactive enabled isenabled accountenabled userenabled statusreadonly aktiv istaktiv kontoaktiv actif',
  bannedUntil: 'banneduntil banexpires gesperrtbis bannijusquau',
  requireChangePassword:
    'requirechangepassword mustchangepassword changepassword forcechangepassword passwordchangerequired mustchangepasswordatnextlogon changepasswordatnextlogin changepasswordatnextsignin',
  roleNames: 'rolenames roles role rollen rolle groups group gruppen',
  passwordHash: 'passwordhash hashedpassword hash',
  isDeleted: 'isdeleted deleted geloescht geloscht supprime',
  tenantId: 'tenantid tenant mandantid mandant',
};

const memberByName = new Map(
  Object.entries(synonyms).flatMap(([member, names]) =>
    // `Object.entries` does not type its keys; the table has no others.
    names.split(' ').map((name) => [name, member as Member] as const),
  ),
);

/** Guesses what the columns become: each member comes from the column with its name, else from the first that looks like it. */
export function guessMapping(columns: readonly string[]): Mapping {
  const guessed = new Map<Member, string>();
  for (const column of columns) {
    const member = memberByName.get(simplify(column));
    if (member && (!guessed.has(member) || column === member)) guessed.set(member, column);
  }
  return Object.fromEntries([...guessed].map(([member, column]) => [column, member]));
}
