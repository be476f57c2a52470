// The page to create an account.
import { Anchor, Button, Group, Paper, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { Form } from '../../ui/form.tsx';
import { findTypingProblems, NewPassword } from '../../ui/new-password.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { Page } from '../../ui/page.tsx';
import { requireFields } from '../../ui/problem.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/index.ts';
import { rolesKey } from '../roles/role.ts';
import { type Profile, ProfileFields, trim } from './profile-fields.tsx';
import { displayName, useListPath, usersKey } from './user.ts';

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
  const { fields } = words.users;
  const listPath = useListPath();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const notify = useNotify();
  const [typed, setTyped] = useState(emptyProfile);
  const [password, setPassword] = useState({ password: '', repeated: '' });
  const hasPassword = password.password !== '' || password.repeated !== '';
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields({
      ...(typed.userName.trim() === '' && { userName: words.common.required }),
      ...(hasPassword && findTypingProblems(password, 'password')),
    });
    const input = { ...trim(typed), ...(hasPassword && { password: password.password }) };
    const created = await latchkey.call('User/Create', input);
    await Promise.all([usersKey, rolesKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
    notify(words.users.created(displayName(created)));
    await navigate(`/users/${created.id}`, { replace: true });
  });
  return (
    <Page title={words.users.create}>
      <Anchor component={Link} to={listPath} size="sm">
        {words.users.back}
      </Anchor>
      <Paper withBorder p={{ base: 'md', sm: 'lg' }} maw={640}>
        <Form label={words.users.create} onSubmit={submit} problem={problem}>
          <ProfileFields value={typed} onChange={setTyped} problem={problem} />
          <Text size="sm">{fields.passwordHint}</Text>
          <NewPassword
            value={password}
            onChange={setPassword}
            problem={problem}
            name="password"
            labels={{ password: fields.password, repeated: fields.repeated }}
          />
          <Group>
            <Button type="submit" loading={isBusy}>
              {words.users.create}
            </Button>
            <Button component={Link} to={listPath} variant="default">
              {words.common.cancel}
            </Button>
          </Group>
        </Form>
      </Paper>
    </Page>
  );
}
