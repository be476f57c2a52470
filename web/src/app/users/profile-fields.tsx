// The fields of an account, for a new one and for changes.
import { Alert, Checkbox, SimpleGrid, TextInput } from '@mantine/core';
import type { Problem } from '../../ui/problem.ts';
import { TagsField } from '../../ui/tags-field.tsx';
import { words } from '../../words/more.ts';
import { useMe } from '../me.ts';
import { isCovered, useRoles } from '../roles/role.ts';
import { ADMINISTRATOR, type User } from './user.ts';

/** The typed profile. An empty address means none. */
export type Profile = Pick<
  User,
  'userName' | 'name' | 'surname' | 'isEmailConfirmed' | 'isMobileConfirmed' | 'requireChangePassword' | 'roleNames'
> & { readonly emailAddress: string; readonly mobileNumber: string };

/** Removes surrounding spaces. */
export const trim = (typed: Profile): Profile => ({
  ...typed,
  userName: typed.userName.trim(),
  name: typed.name.trim(),
  surname: typed.surname.trim(),
  emailAddress: typed.emailAddress.trim(),
  mobileNumber: typed.mobileNumber.trim(),
});

/** How a user gets the first password: by a link that also verifies the e-mail address, now, or later. */
export const firstPasswords = ['invite', 'password', 'later'] as const;
type FirstPassword = (typeof firstPasswords)[number];

export function ProfileFields(props: {
  value: Profile;
  onChange: (value: Profile) => void;
  problem: Problem | undefined;
  /** How a new user gets the first password. */
  way?: FirstPassword;
  /** The profile that the user has already. */
  former?: Profile;
  /** What the service refuses: any change of the addresses, or only to mark one as verified. */
  addresses?: 'fixed' | 'unverifiable' | undefined;
}) {
  const { value, onChange, problem, way = 'password' } = props;
  const { fields } = words.users;
  const text = (name: 'userName' | 'name' | 'surname', maxLength: number) => ({
    name,
    maxLength,
    label: fields[name],
    value: value[name],
    autoComplete: 'off',
    error: problem?.fields[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...value, [name]: event.currentTarget.value }),
  });
  return (
    <>
      <TextInput
        {...text('userName', 256)}
        required
        withAsterisk={false}
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput {...text('name', 100)} />
        <TextInput {...text('surname', 100)} />
      </SimpleGrid>
      <AddressFields {...props} member="emailAddress" confirmed="isEmailConfirmed" type="email" />
      <AddressFields {...props} member="mobileNumber" confirmed="isMobileConfirmed" type="tel" />
      <RoleField {...props} />
      {way === 'password' && (
        <Checkbox
          label={fields.requireChangePassword}
          checked={value.requireChangePassword}
          onChange={(event) => onChange({ ...value, requireChangePassword: event.currentTarget.checked })}
        />
      )}
    </>
  );
}

type FieldProps = Parameters<typeof ProfileFields>[0];

/** A changed address is not verified unless the administrator says so. The former one is as it was. */
function AddressFields(
  props: FieldProps & {
    member: 'emailAddress' | 'mobileNumber';
    confirmed: 'isEmailConfirmed' | 'isMobileConfirmed';
    type: 'email' | 'tel';
  },
) {
  const { value, onChange, problem, way, former, addresses, member, confirmed, type } = props;
  const { fields } = words.users;
  const hints = { emailAddress: undefined, mobileNumber: fields.mobileNumberHint };
  const change = (address: string) => {
    const isFormer = former !== undefined && address.trim() === former[member];
    onChange({ ...value, [member]: address, [confirmed]: isFormer && former[confirmed] });
  };
  const isVerifiedByLink = way === 'invite' && member === 'emailAddress';
  return (
    <>
      <TextInput
        name={member}
        label={fields[member]}
        type={type}
        autoComplete="off"
        disabled={addresses === 'fixed'}
        description={addresses === 'fixed' ? fields.ownAddressHint : hints[member]}
        value={value[member]}
        error={problem?.fields[member]}
        onChange={(event) => change(event.currentTarget.value)}
      />
      {value[member] !== '' && !isVerifiedByLink && (
        <Checkbox
          label={fields[confirmed]}
          description={addresses === 'unverifiable' ? fields.unverifiableHint : fields.confirmedHint[confirmed]}
          disabled={addresses !== undefined}
          checked={value[confirmed]}
          onChange={(event) => onChange({ ...value, [confirmed]: event.currentTarget.checked })}
        />
      )}
    </>
  );
}

function RoleField({ value, onChange, problem, former }: FieldProps) {
  const me = useMe();
  const { fields } = words.users;
  const roles = useRoles().filter((role) => isCovered(me, role));
  return (
    <>
      <TagsField
        name="roleNames"
        label={fields.roleNames}
        description={fields.roleNamesHint}
        data={roles.map(({ name }) => name)}
        limit={20}
        maxTags={50}
        maxLength={100}
        value={[...value.roleNames]}
        error={problem?.fields.roleNames}
        onChange={(roleNames) => onChange({ ...value, roleNames })}
      />
      {value.roleNames.includes(ADMINISTRATOR) && !former?.roleNames.includes(ADMINISTRATOR) && (
        <Alert color="orange" variant="light">
          {fields.administratorWarning}
        </Alert>
      )}
    </>
  );
}
