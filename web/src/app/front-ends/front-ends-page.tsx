// The page "Front ends": the registered front ends.
import { Anchor, Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { DangerButton } from '../../ui/danger-button.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { Refusal } from '../../ui/problem.ts';
import { Records } from '../../ui/records.tsx';
import { words } from '../../words/all.ts';
import { useCreation } from '../use-creation.ts';
import { type Change, type FrontEnd, FrontEndDialog, frontEndsKey } from './front-end-dialog.tsx';

/** The default front end cannot be deleted. */
const PROTECTED = 'default-app';

/** @throws Refusal if the front end is no longer as this change left it. */
async function undo({ before, after }: Change): Promise<void> {
  const { items } = await latchkey.call('FrontEndApp/GetAll');
  const present = items.find(({ id }) => id === after.id);
  const isSame =
    present?.name === after.name && present.appKey === after.appKey && present.description === after.description;
  if (!isSame) throw new Refusal(words.common.changedSince);
  await latchkey.call('FrontEndApp/Update', before);
}

export function FrontEndsPage() {
  const queries = useQueryClient();
  const notify = useNotify();
  const [ask, dialog] = useConfirm();
  const [changed, setEdited] = useState<FrontEnd>();
  const [isCreating, setCreating] = useCreation();
  const edited = isCreating ? 'new' : changed;
  const close = () => {
    setEdited(undefined);
    setCreating(false);
  };
  const frontEnds = useQuery({ queryKey: frontEndsKey, queryFn: () => latchkey.call('FrontEndApp/GetAll') });
  const reread = () => queries.invalidateQueries({ queryKey: frontEndsKey });
  const done = async (text: string, change?: Change) => {
    close();
    await reread();
    notify(text, change && (() => undo(change).then(reread)));
  };
  const remove = ({ id, name }: FrontEnd) =>
    ask({
      title: words.frontEnds.removeTitle(name),
      text: words.frontEnds.removeText,
      yes: words.frontEnds.remove,
      run: async () => {
        await latchkey.call('FrontEndApp/Delete', { id });
        await done(words.frontEnds.removed(name));
      },
    });
  const { columns } = words.frontEnds;
  return (
    <Page
      title={words.frontEnds.title}
      actions={<Button onClick={() => setCreating(true)}>{words.frontEnds.add}</Button>}
    >
      <Text>{words.frontEnds.reason}</Text>
      {frontEnds.isPending && <Loading />}
      {frontEnds.error && <LoadFailure error={frontEnds.error} retry={frontEnds.refetch} />}
      {frontEnds.data && (
        <Records
          label={words.frontEnds.title}
          records={frontEnds.data.items}
          keyOf={({ id }) => id}
          columns={[
            {
              key: 'name',
              label: columns.name,
              cell: (one) => (
                <Anchor component="button" type="button" size="sm" fw={600} ta="start" onClick={() => setEdited(one)}>
                  {one.name}
                </Anchor>
              ),
              isLead: true,
              width: 18,
            },
            { key: 'appKey', label: columns.appKey, cell: ({ appKey }) => appKey, width: 12 },
            { key: 'description', label: columns.description, cell: ({ description }) => description },
            {
              key: 'actions',
              label: columns.actions,
              width: 54,
              isLead: true,
              cell: (one) => <Actions frontEnd={one} onEdit={setEdited} onRemove={remove} />,
            },
          ]}
        />
      )}
      {edited && <FrontEndDialog edited={edited} onClose={close} onSaved={done} />}
      {dialog}
    </Page>
  );
}

function Actions(props: {
  frontEnd: FrontEnd;
  onEdit: (frontEnd: FrontEnd) => void;
  onRemove: (frontEnd: FrontEnd) => void;
}) {
  const { frontEnd, onEdit, onRemove } = props;
  const { name, appKey } = frontEnd;
  const key = encodeURIComponent(appKey);
  const look = { size: 'xs', variant: 'default' } as const;
  return (
    <Group gap="xs">
      <Button {...look} onClick={() => onEdit(frontEnd)} aria-label={words.frontEnds.editOne(name)}>
        {words.frontEnds.edit}
      </Button>
      <Button {...look} component={Link} to={`/settings?frontEnd=${key}`} aria-label={words.frontEnds.settingsOf(name)}>
        {words.frontEnds.settings}
      </Button>
      <Button {...look} component={Link} to={`/front-ends/${key}/brand`} aria-label={words.brand.edit.openOf(name)}>
        {words.brand.edit.open}
      </Button>
      <Button {...look} component={Link} to={`/front-ends/${key}/connect`} aria-label={words.connect.openOf(name)}>
        {words.connect.tab}
      </Button>
      {appKey !== PROTECTED && (
        <DangerButton size="xs" onClick={() => onRemove(frontEnd)} aria-label={words.frontEnds.removeTitle(name)}>
          {words.frontEnds.remove}
        </DangerButton>
      )}
    </Group>
  );
}
