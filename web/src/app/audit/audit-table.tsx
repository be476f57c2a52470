// Entries of the audit trail as a table.
import { Code, Paper, Table, Text } from '@mantine/core';
import type { Calls } from 'latchkey-sdk';
import { formatTime } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { translate, words } from '../../words/index.ts';

type Entry = Calls['Audit/GetAll']['result']['items'][number];

/** Long names wrap within their column. */
const wrap = { overflowWrap: 'anywhere' } as const;

export function AuditTable({ entries }: { entries: readonly Entry[] }) {
  const { columns } = words.audit;
  const head = [
    [columns.at, '16%'],
    [columns.action, '17%'],
    [columns.outcome, '22%'],
    [columns.user, '13%'],
    [columns.ipAddress, '13%'],
    [columns.details, '19%'],
  ] as const;
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={760} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table layout="fixed" verticalSpacing="xs" aria-label={words.audit.title}>
          <Table.Thead>
            <Table.Tr>
              {head.map(([text, width]) => (
                <Table.Th key={text} w={width}>
                  {text}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {entries.map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

function EntryRow({ entry }: { entry: Entry }) {
  const { at, action, outcome, reason, userName, userId, ipAddress, frontEnd, details } = entry;
  const { outcomes } = words.audit;
  return (
    <Table.Tr>
      <Table.Td>{formatTime(at)}</Table.Td>
      <Table.Td style={wrap}>{action}</Table.Td>
      <Table.Td style={wrap}>
        <StatusBadge colour={outcome === 'success' ? 'green' : 'red'}>
          {outcome === 'success' ? outcomes.success : outcomes.refused}
        </StatusBadge>
        {reason && <ReasonOf reason={reason} />}
      </Table.Td>
      <Table.Td style={wrap}>{userName ?? userId ?? '–'}</Table.Td>
      <Table.Td style={wrap}>
        {ipAddress ?? '–'}
        {frontEnd && <Text size="xs">{frontEnd}</Text>}
      </Table.Td>
      <Table.Td>{details !== null && <Details details={details} />}</Table.Td>
    </Table.Tr>
  );
}

/** Shows a reason in words, and its name in logs, events and responses. */
function ReasonOf({ reason }: { reason: string }) {
  const said = translate(words.audit.reasons, reason);
  return (
    <>
      {said !== reason && <Text size="xs">{said}</Text>}
      <Text size="xs" c="dimmed">
        {reason}
      </Text>
    </>
  );
}

/** Longer details are collapsed. */
const SHORT = 80;

function Details({ details }: { details: unknown }) {
  const text = JSON.stringify(details);
  if (text.length <= SHORT) return <Code style={wrap}>{text}</Code>;
  return (
    <details>
      <summary style={{ cursor: 'pointer' }}>{words.audit.show}</summary>
      <Code block style={{ ...wrap, whiteSpace: 'pre-wrap' }}>
        {JSON.stringify(details, null, 1)}
      </Code>
    </details>
  );
}
