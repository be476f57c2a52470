// The page "Roles": what each role grants. Administrators change it.
import { Button, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { Empty, LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { words } from '../../words/more.ts';
import { may, meKey, useMe } from '../me.ts';
import { useCreation } from '../use-creation.ts';
import { type Role, rolesKey, useUserCounts } from './role.ts';
import { RoleDialog } from './role-dialog.tsx';
import { RoleTable } from './role-table.tsx';
import { type RoleChange, undoRoleChange } from './undo.ts';

const SIZE = 25;

/** The pause in typing after which the search starts. */
const PAUSE_MS = 300;

export function RolesPage() {
  const me = useMe();
  const [typed, setTyped] = useState('');
  const [page, setPage] = useState(1);
  const [changed, setEdited] = useState<Role>();
  const [isCreating, setCreating] = useCreation();
  const edited = isCreating ? 'new' : changed;
  const close = () => {
    setEdited(undefined);
    setCreating(false);
  };
  const [keyword] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const input = { ...(keyword && { keyword }), skipCount: (page - 1) * SIZE, maxResultCount: SIZE };
  const {
    data,
    error,
    isPending,
    isPlaceholderData: isStale,
    refetch,
  } = useQuery({
    queryKey: [...rolesKey, input],
    queryFn: () => latchkey.call('Role/GetAll', input),
    placeholderData: keepPreviousData,
  });
  const countUsers = useUserCounts();
  const [done, remove, dialog] = useChanges(countUsers);
  const add = may(me, 'pages:maintenance') && <Button onClick={() => setCreating(true)}>{words.roles.add}</Button>;
  return (
    <Page title={words.roles.title} actions={add}>
      <Text>{words.roles.reason}</Text>
      <TextInput
        type="search"
        label={words.roles.search}
        placeholder={words.roles.searchHint}
        maxLength={100}
        maw={400}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setPage(1);
        }}
      />
      {isPending && <Loading />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data && (
        <>
          {data.items.length === 0 ? (
            <Empty>{words.roles.empty}</Empty>
          ) : (
            <RoleTable
              roles={data.items}
              isStale={isStale}
              countUsers={countUsers}
              onEdit={setEdited}
              onRemove={remove}
            />
          )}
          <Pager page={page} size={SIZE} total={data.totalCount} onChange={setPage} />
        </>
      )}
      {edited && (
        <RoleDialog
          edited={edited}
          onClose={close}
          onSaved={async (text, change) => {
            await done(text, change);
            close();
          }}
        />
      )}
      {dialog}
    </Page>
  );
}

/** @returns what to call after a change, the function that asks before it deletes a role, and its dialog. */
function useChanges(countUsers: ReturnType<typeof useUserCounts>) {
  const queries = useQueryClient();
  const notify = useNotify();
  const [ask, dialog] = useConfirm();
  /** Reads the roles and the user's own permissions again. */
  const reread = () => Promise.all([rolesKey, meKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
  const done = async (text: string, change?: RoleChange) => {
    await reread();
    notify(text, change && (() => undoRoleChange(change).then(reread)));
  };
  const remove = ({ id, name }: Role) =>
    ask({
      title: words.roles.removeTitle(name),
      text: words.roles.removeText(countUsers({ id })),
      yes: words.roles.remove,
      run: async () => {
        await latchkey.call('Role/Delete', { id });
        await done(words.roles.removed(name));
      },
    });
  return [done, remove, dialog] as const;
}
