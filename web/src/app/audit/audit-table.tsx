// Entries of the audit trail as a table.
import { Badge, Code, Table, Text } from '@mantine/core';
import type { Calls } from 'latchkey-sdk';
import { formatTime } from '../../ui/format.ts';
import { sayOr, words } from '../../words/index.ts';

type Entry = Calls['Audit/GetAll']['result']['items'][number];

export function AuditTable({ entries }: { entries: readonly Entry[] }) {
  const { columns } = words.audit;
  const head = [columns.at, columns.action, columns.outcome, columns.user, columns.ipAddress, columns.details];
  return (
    <Table.ScrollContainer minWidth={860} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table verticalSpacing="xs" striped aria-label={words.audit.title}>
        <Table.Thead>
          <Table.Tr>
            {head.map((text) => (
              <Table.Th key={text}>{text}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={entry.id}>
              <Table.Td>{formatTime(entry.at)}</Table.Td>
              <Table.Td>{entry.action}</Table.Td>
              <Table.Td>
                <Badge color={entry.outcome === 'success' ? 'green' : 'red'} variant="dot">
                  {entry.outcome === 'success' ? words.audit.outcomes.success : words.audit.outcomes.refused}
                </Badge>
                {entry.reason && <ReasonOf reason={entry.reason} />}
              </Table.Td>
              <Table.Td>{entry.userName ?? (entry.userId === null ? '–' : String(entry.userId))}</Table.Td>
              <Table.Td>
                {entry.ipAddress ?? '–'}
                {entry.frontEnd && <Text size="xs">{entry.frontEnd}</Text>}
              </Table.Td>
              <Table.Td maw={280}>
                {entry.details !== null && (
                  <Code style={{ overflowWrap: 'anywhere' }}>{JSON.stringify(entry.details)}</Code>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** In words, and as it is called elsewhere: in logs, events and answers. */
function ReasonOf({ reason }: { reason: string }) {
  const said = sayOr(words.audit.reasons, reason);
  return (
    <>
      {said !== reason && <Text size="xs">{said}</Text>}
      <Text size="xs" c="dimmed">
        {reason}
      </Text>
    </>
  );
}
