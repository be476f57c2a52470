// The users pages: the list, one account, or a new account, depending on the path.
import { Alert } from '@mantine/core';
import { lazy } from 'react';
import { useParams } from 'react-router';
import { Page } from '../../ui/page.tsx';
import { words } from '../../words/index.ts';
import { may, useMe } from '../me.ts';
import { CreatePage } from './create-page.tsx';
import { UserList } from './user-list.tsx';
import { UserPage } from './user-page.tsx';

/** Few open it, and it loads the reader of CSV. */
const ImportPage = lazy(async () => ({ default: (await import('./import/import-page.tsx')).ImportPage }));

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
  if (id === 'import') return <ImportPage />;
  return id === 'new' ? <CreatePage /> : <UserPage key={id} id={Number(id)} />;
}
