// The dialog to edit an application.
import { Checkbox, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { faultOf, type Problem } from '../../ui/problem.ts';
import { TagsField } from '../../ui/tags-field.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/all.ts';
import { useFrontEnds } from '../audit/names.tsx';
import { useRoles } from '../roles/role.ts';
import { findChanges } from '../settings/definition.ts';
import { type Application, readList } from './application.ts';

/** What can be typed. Lists of addresses have one a line, lists of names have blanks between them. */
const toTyped = (application: Application) => ({
  name: application.name,
  redirectUris: application.redirectUris.join('\n'),
  postLogoutRedirectUris: application.postLogoutRedirectUris.join('\n'),
  backchannelLogoutUri: application.backchannelLogoutUri ?? '',
  scopes: application.scopes.join(' '),
  resources: application.resources.join(' '),
  allowedRoles: [...application.allowedRoles],
  pkce: application.pkce,
  consent: application.consent,
  frontEnd: application.frontEnd,
  idTokenAlgorithm: application.idTokenAlgorithm,
  claimsInIdToken: application.claimsInIdToken,
  accessTokenLifetime: application.accessTokenLifetime,
});

type Typed = ReturnType<typeof toTyped>;

const toInput = (typed: Typed) => ({
  ...typed,
  name: typed.name.trim(),
  redirectUris: readList(typed.redirectUris),
  postLogoutRedirectUris: readList(typed.postLogoutRedirectUris),
  backchannelLogoutUri: typed.backchannelLogoutUri.trim() || null,
  scopes: readList(typed.scopes),
  resources: readList(typed.resources),
});

export function EditDialog(props: {
  application: Application;
  onClose: () => void;
  onSaved: (saved: Application) => Promise<void>;
}) {
  const { application, onClose, onSaved } = props;
  const texts = words.applications;
  const [former] = useState(() => toTyped(application));
  const [typed, setTyped] = useState(former);
  const { submit, isBusy, problem } = useSubmit(async () => {
    const { id } = application;
    const present = toTyped(await latchkey.call('Application/Get', { id }));
    const changes = findChanges(toInput(former), toInput(typed), toInput(present));
    await onSaved(await latchkey.call('Application/Update', { id, ...changes }));
  });
  const change = (changes: Partial<Typed>) => setTyped({ ...typed, ...changes });
  const fields = { typed, change, problem };
  const title = texts.editOne(application.name);
  return (
    <Dialog isOpen onClose={onClose} title={title} isWide>
      <Form label={title} onSubmit={submit} problem={problem}>
        <TextInput
          name="name"
          label={texts.columns.name}
          description={texts.nameHint}
          value={typed.name}
          error={problem?.fields.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          maxLength={100}
          autoComplete="off"
          required
          withAsterisk={false}
          data-autofocus
        />
        {application.kind !== 'machine' && <PeopleFields {...fields} isWeb={application.kind === 'web'} />}
        <TokenFields {...fields} />
        <FormButtons submit={words.common.save} isBusy={isBusy} />
      </Form>
    </Dialog>
  );
}

type FieldProps = { typed: Typed; change: (changes: Partial<Typed>) => void; problem: Problem | undefined };

const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

/** What only applications have that people sign in to. */
function PeopleFields({ typed, change, problem, isWeb }: FieldProps & { isWeb: boolean }) {
  const { fields } = words.applications;
  const roles = useRoles();
  const { data } = useFrontEnds();
  const known = (data?.items ?? []).map(({ appKey, name }) => ({ value: appKey, label: name }));
  const isKnown = known.some(({ value }) => value === typed.frontEnd);
  return (
    <>
      {(['redirectUris', 'postLogoutRedirectUris'] as const).map((member) => (
        <Textarea
          key={member}
          name={member}
          label={fields[member]}
          description={fields[`${member}Hint`]}
          value={typed[member]}
          error={faultOf(problem, member)}
          onChange={(event) => change({ [member]: event.currentTarget.value })}
          autosize
          minRows={2}
          {...plain}
        />
      ))}
      <TextInput
        name="backchannelLogoutUri"
        label={fields.backchannelLogoutUri}
        description={fields.backchannelLogoutUriHint}
        value={typed.backchannelLogoutUri}
        error={problem?.fields.backchannelLogoutUri}
        onChange={(event) => change({ backchannelLogoutUri: event.currentTarget.value })}
        maxLength={2000}
        {...plain}
      />
      <TagsField
        name="allowedRoles"
        label={fields.allowedRoles}
        description={fields.allowedRolesHint}
        data={roles.map(({ name }) => name)}
        limit={20}
        maxTags={100}
        maxLength={100}
        value={typed.allowedRoles}
        error={problem?.fields.allowedRoles}
        onChange={(allowedRoles) => change({ allowedRoles })}
      />
      <NativeSelect
        name="frontEnd"
        label={fields.frontEnd}
        description={fields.frontEndHint}
        data={isKnown ? known : [{ value: typed.frontEnd, label: typed.frontEnd }, ...known]}
        value={typed.frontEnd}
        onChange={(event) => change({ frontEnd: event.currentTarget.value })}
      />
      {isWeb && (
        <NativeSelect
          name="pkce"
          label={fields.pkce}
          description={fields.pkceHint}
          data={Object.entries(fields.pkceRules).map(([value, label]) => ({ value, label }))}
          value={typed.pkce}
          error={problem?.fields.pkce}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (value === 'orNonce' || value === 'required' || value === 'optional') change({ pkce: value });
          }}
        />
      )}
      <Checkbox
        label={fields.consent}
        description={fields.consentHint}
        checked={typed.consent === 'ask'}
        onChange={(event) => change({ consent: event.currentTarget.checked ? 'ask' : 'none' })}
      />
      <Checkbox
        label={fields.claimsInIdToken}
        description={fields.claimsInIdTokenHint}
        checked={typed.claimsInIdToken}
        onChange={(event) => change({ claimsInIdToken: event.currentTarget.checked })}
      />
      <NativeSelect
        name="idTokenAlgorithm"
        label={fields.idTokenAlgorithm}
        description={fields.idTokenAlgorithmHint}
        data={['RS256', 'ES256']}
        value={typed.idTokenAlgorithm}
        onChange={(event) => change({ idTokenAlgorithm: event.currentTarget.value === 'ES256' ? 'ES256' : 'RS256' })}
      />
    </>
  );
}

/** What its tokens are for, and how long they last. */
function TokenFields({ typed, change, problem }: FieldProps) {
  const { fields } = words.applications;
  return (
    <>
      {(['scopes', 'resources'] as const).map((member) => (
        <TextInput
          key={member}
          name={member}
          label={fields[member]}
          description={fields[`${member}Hint`]}
          value={typed[member]}
          error={faultOf(problem, member)}
          onChange={(event) => change({ [member]: event.currentTarget.value })}
          maxLength={10_000}
          {...plain}
        />
      ))}
      <NumberInput
        name="accessTokenLifetime"
        label={fields.accessTokenLifetime}
        description={fields.accessTokenLifetimeHint}
        value={typed.accessTokenLifetime}
        error={problem?.fields.accessTokenLifetime}
        onChange={(value) => change({ accessTokenLifetime: Number(value) })}
        allowDecimal={false}
        allowNegative={false}
        hideControls
      />
    </>
  );
}
