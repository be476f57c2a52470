// The users pages: the list, one account, or a new account, depending on the path.
import { Alert } from '@mantine/core';
import { useParams } from 'react-router';
import { Page } from '../../ui/page.tsx';
import { words } from '../../words/index.ts';
import { may, useMe } from '../me.ts';
import { CreatePage } from './create-page.tsx';
import { UserList } from './user-list.tsx';
import { UserPage } from './user-page.tsx';

export function UsersPage() {
  const me = useMe();
  const { id } = useParams();
  if (!may(me, 'Pages.Users')) {
    return (
      <Page title={words.users.deniedTitle}>
        <Alert color="red" variant="light">
          {words.users.denied}
        </Alert>
      </Page>
    );
  }
  if (id === undefined) return <UserList />;
  return id === 'new' ? <CreatePage /> : <UserPage key={id} id={Number(id)} />;
}
