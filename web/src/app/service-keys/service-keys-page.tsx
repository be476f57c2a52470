// The page "Service keys": the keys with which other services call this one.
import { Button, Paper, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { formatMinute } from '../../ui/format.ts';
import { useNotify } from '../../ui/notify.tsx';
import { Empty, LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { words } from '../../words/index.ts';
import { CreateDialog } from './create-dialog.tsx';
import { type ServiceKey, serviceKeysKey } from './service-key.ts';

/** Long names wrap within their column. */
const wrap = { overflowWrap: 'anywhere' } as const;

export function ServiceKeysPage() {
  const queries = useQueryClient();
  const notify = useNotify();
  const [ask, dialog] = useConfirm();
  const [isOpen, setOpen] = useState(false);
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
  const { title, columns, permissions, usedAt, withdraw, withdrawTitle } = words.serviceKeys;
  return (
    <Paper withBorder>
      <Table verticalSpacing="xs" aria-label={title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{columns.name}</Table.Th>
            <Table.Th visibleFrom="sm">{columns.permissions}</Table.Th>
            <Table.Th visibleFrom="sm">{columns.createdAt}</Table.Th>
            <Table.Th visibleFrom="sm">{columns.lastUsedAt}</Table.Th>
            <Table.Th>{columns.actions}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => {
            const allowed = key.permissions.map((permission) => permissions[permission].label).join(', ');
            const lastUse = usedAt(key.lastUsedAt && formatMinute(key.lastUsedAt));
            return (
              <Table.Tr key={key.name}>
                <Table.Td style={wrap}>
                  {key.name}
                  <Text size="sm" c="dimmed" hiddenFrom="sm">
                    {allowed}. {columns.lastUsedAt}: {lastUse}
                  </Text>
                </Table.Td>
                <Table.Td visibleFrom="sm">{allowed}</Table.Td>
                <Table.Td visibleFrom="sm">{formatMinute(key.createdAt)}</Table.Td>
                <Table.Td visibleFrom="sm">{lastUse}</Table.Td>
                <Table.Td>
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => onWithdraw(key.name)}
                    aria-label={withdrawTitle(key.name)}
                  >
                    {withdraw}
                  </Button>
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
