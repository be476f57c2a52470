// The page "Front ends": the registered front ends.
import { Button, Group, Paper, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { words } from '../../words/index.ts';
import { type FrontEnd, FrontEndDialog } from './front-end-dialog.tsx';

const key = ['front-ends'];

/** The default front end cannot be deleted. */
const PROTECTED = 'default-app';

/** Long names wrap within their column. */
const wrap = { overflowWrap: 'anywhere' } as const;

export function FrontEndsPage() {
  const queries = useQueryClient();
  const notify = useNotify();
  const [ask, dialog] = useConfirm();
  const [edited, setEdited] = useState<FrontEnd | 'new'>();
  const frontEnds = useQuery({ queryKey: key, queryFn: () => latchkey.call('FrontEndApp/GetAll') });
  const done = async (text: string) => {
    setEdited(undefined);
    await queries.invalidateQueries({ queryKey: key });
    notify(text);
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
      actions={<Button onClick={() => setEdited('new')}>{words.frontEnds.add}</Button>}
    >
      <Text>{words.frontEnds.reason}</Text>
      {frontEnds.isPending && <Loading />}
      {frontEnds.error && <LoadFailure error={frontEnds.error} retry={frontEnds.refetch} />}
      {frontEnds.data && (
        <Paper withBorder>
          <Table verticalSpacing="xs" aria-label={words.frontEnds.title}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{columns.name}</Table.Th>
                <Table.Th visibleFrom="sm">{columns.appKey}</Table.Th>
                <Table.Th visibleFrom="sm">{columns.description}</Table.Th>
                <Table.Th>{columns.actions}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {frontEnds.data.items.map((one) => (
                <Table.Tr key={one.id}>
                  <Table.Td style={wrap}>
                    {one.name}
                    <Text size="sm" c="dimmed" hiddenFrom="sm">
                      {one.appKey}
                    </Text>
                  </Table.Td>
                  <Table.Td visibleFrom="sm" style={wrap}>
                    {one.appKey}
                  </Table.Td>
                  <Table.Td visibleFrom="sm" style={wrap}>
                    {one.description}
                  </Table.Td>
                  <Table.Td>
                    <Group gap="xs">
                      <Button
                        size="xs"
                        variant="default"
                        onClick={() => setEdited(one)}
                        aria-label={words.frontEnds.editOne(one.name)}
                      >
                        {words.frontEnds.edit}
                      </Button>
                      <Button
                        component={Link}
                        to={`/settings?frontEnd=${encodeURIComponent(one.appKey)}`}
                        size="xs"
                        variant="default"
                        aria-label={words.frontEnds.settingsOf(one.name)}
                      >
                        {words.frontEnds.settings}
                      </Button>
                      {one.appKey !== PROTECTED && (
                        <Button
                          size="xs"
                          variant="default"
                          onClick={() => remove(one)}
                          aria-label={words.frontEnds.removeTitle(one.name)}
                        >
                          {words.frontEnds.remove}
                        </Button>
                      )}
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Paper>
      )}
      {edited && <FrontEndDialog edited={edited} onClose={() => setEdited(undefined)} onSaved={done} />}
      {dialog}
    </Page>
  );
}
