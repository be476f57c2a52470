// The page "Service keys": the keys with which other services call this one.
import { Button, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { latchkey } from '../../api/latchkey.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { DangerButton } from '../../ui/danger-button.tsx';
import { formatMinute } from '../../ui/format.ts';
import { useNotify } from '../../ui/notify.tsx';
import { Empty, LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { Records } from '../../ui/records.tsx';
import { words } from '../../words/more.ts';
import { useCreation } from '../use-creation.ts';
import { CreateDialog } from './create-dialog.tsx';
import { nameAllowed, type ServiceKey, serviceKeysKey } from './service-key.ts';

export function ServiceKeysPage() {
  const queries = useQueryClient();
  const notify = useNotify();
  const [ask, dialog] = useConfirm();
  const [isOpen, setOpen] = useCreation();
  const texts = words.serviceKeys;
  const keys = useQuery({ queryKey: serviceKeysKey, queryFn: () => latchkey.call('ServiceKey/GetAll') });
  const reload = () => queries.invalidateQueries({ queryKey: serviceKeysKey });
  const withdraw = (name: string) =>
    ask({
      title: texts.withdrawTitle(name),
      text: texts.withdrawText,
      yes: texts.withdraw,
      run: async () => {
        await latchkey.call('ServiceKey/Withdraw', { name });
        await reload();
        notify(texts.withdrawn(name));
      },
    });
  return (
    <Page title={texts.title} actions={<Button onClick={() => setOpen(true)}>{texts.add}</Button>}>
      <Text>{texts.reason}</Text>
      {keys.isPending && <Loading />}
      {keys.error && <LoadFailure error={keys.error} retry={keys.refetch} />}
      {keys.data?.items.length === 0 && <Empty>{texts.empty}</Empty>}
      {keys.data && keys.data.items.length > 0 && <KeyTable keys={keys.data.items} onWithdraw={withdraw} />}
      {isOpen && <CreateDialog onClose={() => setOpen(false)} onCreated={reload} />}
      {dialog}
    </Page>
  );
}

function KeyTable({ keys, onWithdraw }: { keys: readonly ServiceKey[]; onWithdraw: (name: string) => void }) {
  const { title, columns, usedAt, withdraw, withdrawTitle } = words.serviceKeys;
  return (
    <Records
      label={title}
      records={keys}
      keyOf={({ name }) => name}
      columns={[
        { key: 'name', label: columns.name, isLead: true, cell: ({ name }) => toText(name, 600) },
        {
          key: 'permissions',
          label: columns.permissions,
          cell: ({ permissions }) => toText(nameAllowed(permissions).join(', ')),
        },
        {
          key: 'createdAt',
          label: columns.createdAt,
          width: 18,
          cell: ({ createdAt }) => toText(formatMinute(createdAt)),
        },
        {
          key: 'lastUsedAt',
          label: columns.lastUsedAt,
          width: 18,
          cell: ({ lastUsedAt }) => toText(usedAt(lastUsedAt && formatMinute(lastUsedAt))),
        },
        {
          key: 'actions',
          label: columns.actions,
          width: 16,
          isLead: true,
          cell: ({ name }) => (
            <DangerButton size="xs" onClick={() => onWithdraw(name)} aria-label={withdrawTitle(name)}>
              {withdraw}
            </DangerButton>
          ),
        },
      ]}
    />
  );
}

const toText = (text: string, weight = 400) => (
  <Text size="sm" fw={weight}>
    {text}
  </Text>
);
