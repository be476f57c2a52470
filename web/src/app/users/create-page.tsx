// The page to create an account.
import { Button, Paper, Radio, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { meansQuery } from '../../api/means.ts';
import { Form } from '../../ui/form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { findTypingProblems, NewPassword } from '../../ui/new-password.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { Page } from '../../ui/page.tsx';
import { describeProblem, requireFields } from '../../ui/problem.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/more.ts';
import { may, useMe } from '../me.ts';
import { rolesKey } from '../roles/role.ts';
import { findChanges } from '../settings/definition.ts';
import { UnsavedGuard } from '../settings/unsaved-guard.tsx';
import { InvitationFields, type InvitationLanguage, ownLanguage, useInvitationTerms } from './invite.tsx';
import { firstPasswords, type Profile, ProfileFields, trim } from './profile-fields.tsx';
import { displayName, type User, useListPath, usersKey } from './user.ts';

const emptyProfile: Profile = {
  userName: '',
  name: '',
  surname: '',
  emailAddress: '',
  mobileNumber: '',
  isEmailConfirmed: false,
  isMobileConfirmed: false,
  requireChangePassword: true,
  roleNames: [],
};

export function CreatePage() {
  const { fields, invitation } = words.users;
  const mayVerify = may(useMe(), 'users:resetPassword');
  const listPath = useListPath();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const notify = useNotify();
  const [typed, setTyped] = useState(emptyProfile);
  const [password, setPassword] = useState({ password: '', repeated: '' });
  const isSaved = useRef(false);
  const isDirty = Object.keys(findChanges(emptyProfile, typed)).length > 0 || password.password !== '';
  const [chosen, setChosen] = useState<(typeof firstPasswords)[number]>();
  const [language, setLanguage] = useState(ownLanguage);
  const { data: terms } = useInvitationTerms();
  const means = useQuery(meansQuery);
  const mayInvite = terms?.isAllowed !== false && means.data?.email !== false;
  const way = chosen ?? (mayInvite ? 'invite' : 'password');
  const isInvited = way === 'invite';
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields({
      ...(typed.userName.trim() === '' && { userName: words.common.required }),
      ...(isInvited && typed.emailAddress.trim() === '' && { emailAddress: words.users.invitation.needsAddress }),
      ...(way === 'password' && findTypingProblems(password, 'password')),
    });
    const input = {
      ...trim(typed),
      // Otherwise the owner sets the first password, and nobody else knows it.
      ...(way === 'password' ? { password: password.password } : { requireChangePassword: false }),
      // The link verifies the address.
      ...(isInvited && { isEmailConfirmed: false }),
    };
    const from = location.pathname;
    const created = await latchkey.call('User/Create', input);
    isSaved.current = true;
    const told = isInvited
      ? await invite(created, language, terms?.reachesPeople === true)
      : words.users.created(displayName(created));
    await Promise.all([usersKey, rolesKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
    notify(told);
    // Whoever has left meanwhile stays where they are.
    if (location.pathname === from) await navigate(`/users/${created.id}`, { replace: true });
  });
  return (
    <Page title={words.users.create} trail={[{ path: listPath, label: words.users.title }]}>
      <UnsavedGuard isDirty={isDirty} isSaved={isSaved} />
      <Paper withBorder p={{ base: 'md', sm: 'lg' }} maw={640}>
        <Form label={words.users.create} onSubmit={submit} problem={problem}>
          <ProfileFields
            value={typed}
            onChange={setTyped}
            problem={problem}
            way={way}
            addresses={mayVerify ? undefined : 'unverifiable'}
          />
          <Radio.Group
            label={invitation.how}
            value={way}
            onChange={(value) => setChosen(firstPasswords.find((one) => one === value))}
          >
            <Stack gap="xs" mt="xs">
              {firstPasswords.map((value) => (
                <Radio key={value} value={value} label={invitation[value]} />
              ))}
            </Stack>
          </Radio.Group>
          {way === 'invite' && <InvitationFields language={language} onChange={setLanguage} />}
          {way === 'password' && (
            <NewPassword
              value={password}
              onChange={setPassword}
              problem={problem}
              name="password"
              labels={{ password: fields.password, repeated: fields.repeated }}
            />
          )}
          {way === 'later' && <Text size="sm">{invitation.laterHint}</Text>}
          <FormButtons
            submit={isInvited ? invitation.createAndSend : words.common.create}
            isBusy={isBusy}
            isDisabled={isInvited && !terms?.isAllowed}
            cancel={
              <Button variant="default" component={Link} to={listPath}>
                {words.common.cancel}
              </Button>
            }
          />
        </Form>
      </Paper>
    </Page>
  );
}

/** Sends the link. @returns what to tell: the account exists, even if the link could not be sent. */
async function invite(created: User, language: InvitationLanguage, reachesPeople: boolean): Promise<string> {
  const { invitation } = words.users;
  const name = displayName(created);
  try {
    await latchkey.call('User/SendInvitation', { userId: created.id, language });
    return reachesPeople
      ? invitation.createdAndSent(name)
      : `${words.users.created(name)} ${invitation.inOutbox(name)}`;
  } catch (error) {
    return `${invitation.notSent(name)} ${describeProblem(error).message}`;
  }
}
