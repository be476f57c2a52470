// The fields of a provider: exactly those that its type has. What is seldom needed is folded.
import { Button, Checkbox, NativeSelect, PasswordInput, Stack, Textarea, TextInput } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { faultOf, type Problem } from '../../ui/problem.ts';
import { words } from '../../words/all.ts';
import { may, useMe } from '../me.ts';
import { isCovered, useRoles } from '../roles/role.ts';
import { CLAIMS, ENDPOINTS, has, type ProviderType, type Typed } from './provider.ts';

export type FieldProps = {
  type: ProviderType;
  typed: Typed;
  change: (changes: Partial<Typed>) => void;
  problem: Problem | undefined;
};

export const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

type TextName = { [Name in keyof Typed]: Typed[Name] extends string ? Name : never }[keyof Typed];

/** Returns what a field of a text needs. */
function textField({ typed, change, problem }: FieldProps, name: Exclude<TextName, 'emailTrust'>) {
  const { fields, hints } = words.externalProviders;
  return {
    name,
    label: fields[name],
    description: hints[name],
    value: typed[name],
    error: faultOf(problem, name),
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
    ...plain,
  };
}

/** What a provider of this type is. The name is not asked again: it never changes. */
export function MainFields(props: FieldProps & { isNew: boolean }) {
  const { type, isNew } = props;
  const members = (['tenant', 'issuer', 'teamId', 'keyId'] as const).filter((member) => has(type, member));
  return (
    <>
      {isNew && <TextInput {...textField(props, 'name')} maxLength={100} required withAsterisk={false} />}
      <TextInput {...textField(props, 'displayName')} maxLength={100} spellCheck />
      {members.map((member) => (
        <TextInput key={member} {...textField(props, member)} maxLength={2000} />
      ))}
      {has(type, 'endpoints') && <EndpointFields {...props} />}
      <TextInput {...textField(props, 'clientId')} maxLength={500} required withAsterisk={false} />
      {isNew && <SecretFields {...props} />}
    </>
  );
}

/** What the service proves itself with. It is stored sealed, and never shown. */
export function SecretFields(props: FieldProps) {
  const { type } = props;
  return (
    <>
      {has(type, 'clientSecret') && (
        <PasswordInput
          {...textField(props, 'clientSecret')}
          // Browsers ignore "off" here, and would fill in the password of the administrator.
          autoComplete="new-password"
          maxLength={4000}
          visibilityToggleButtonProps={{ 'aria-label': words.common.showPassword }}
        />
      )}
      {has(type, 'privateKey') && (
        <Textarea {...textField(props, 'privateKey')} maxLength={10_000} autosize minRows={3} maxRows={8} />
      )}
    </>
  );
}

function EndpointFields({ typed, change, problem }: FieldProps) {
  const { endpoints, endpointHints } = words.externalProviders;
  return ENDPOINTS.map((name) => (
    <TextInput
      key={name}
      name={`endpoints.${name}`}
      label={endpoints[name]}
      description={endpointHints[name]}
      value={typed.endpoints[name]}
      error={problem?.fields[`endpoints.${name}`]}
      onChange={(event) => change({ endpoints: { ...typed.endpoints, [name]: event.currentTarget.value } })}
      maxLength={2000}
      {...plain}
    />
  ));
}

const FOLDED = [
  ...['scopes', 'authorizationParameters', 'claims', 'emailTrust', 'allowedDomains', 'registersNewUsers'],
  ...['roleForNewUsers', 'secretExpiresAt'],
];

/** The rest, which opens by itself if one of its fields is wrong. */
export function MoreFields(props: FieldProps) {
  const { problem } = props;
  const [isOpen, setOpen] = useState(false);
  const isWrong = Object.keys(problem?.fields ?? {}).some((name) => FOLDED.includes(name.split('.', 1)[0] ?? ''));
  const isShown = isOpen || isWrong;
  const Icon = isShown ? ChevronDown : ChevronRight;
  return (
    <>
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon size={16} aria-hidden />}
          aria-expanded={isShown}
          onClick={() => setOpen(!isShown)}
        >
          {words.externalProviders.more}
        </Button>
      </div>
      {isShown && (
        <Stack gap="md">
          <PeopleFields {...props} />
          <RequestFields {...props} />
        </Stack>
      )}
    </>
  );
}

/** Who may register, and when the secret expires. */
function PeopleFields(props: FieldProps) {
  const { typed, change, problem } = props;
  const { fields, hints, trusts, noRole } = words.externalProviders;
  const me = useMe();
  const roles = useRoles().flatMap((one) => (isCovered(me, one) ? [one.name] : []));
  const { roleForNewUsers: role } = typed;
  const known = role === '' || roles.includes(role) ? roles : [role, ...roles];
  return (
    <>
      <Checkbox
        name="registersNewUsers"
        label={fields.registersNewUsers}
        description={hints.registersNewUsers}
        checked={typed.registersNewUsers}
        onChange={(event) => change({ registersNewUsers: event.currentTarget.checked })}
      />
      <TextInput {...textField(props, 'allowedDomains')} maxLength={10_000} />
      {may(me, 'Pages.Users') ? (
        <NativeSelect
          name="roleForNewUsers"
          label={fields.roleForNewUsers}
          description={hints.roleForNewUsers}
          data={[{ value: '', label: noRole }, ...known.map((name) => ({ value: name, label: name }))]}
          value={role}
          error={problem?.fields.roleForNewUsers}
          onChange={(event) => change({ roleForNewUsers: event.currentTarget.value })}
        />
      ) : (
        <TextInput {...textField(props, 'roleForNewUsers')} maxLength={100} />
      )}
      <NativeSelect
        name="emailTrust"
        label={fields.emailTrust}
        description={hints.emailTrust}
        data={Object.entries(trusts).map(([value, label]) => ({ value, label }))}
        value={typed.emailTrust}
        error={problem?.fields.emailTrust}
        onChange={(event) => change({ emailTrust: event.currentTarget.value === 'always' ? 'always' : 'verified' })}
      />
      <TextInput {...textField(props, 'secretExpiresAt')} type="date" />
    </>
  );
}

/** What is asked of the provider, and how its answer is read. */
function RequestFields(props: FieldProps) {
  const { type, typed, change, problem } = props;
  const { claims, hints } = words.externalProviders;
  return (
    <>
      <TextInput {...textField(props, 'scopes')} placeholder={type.scopes.join(' ')} maxLength={5000} />
      <Textarea {...textField(props, 'authorizationParameters')} autosize minRows={2} maxLength={10_000} />
      {has(type, 'claims') &&
        CLAIMS.map((name) => (
          <TextInput
            key={name}
            name={`claims.${name}`}
            label={claims[name]}
            description={hints.claims}
            value={typed.claims[name]}
            error={problem?.fields[`claims.${name}`]}
            onChange={(event) => change({ claims: { ...typed.claims, [name]: event.currentTarget.value } })}
            maxLength={100}
            {...plain}
          />
        ))}
    </>
  );
}
