// Entries of the audit trail as a list: what happened, to whom, from where and when.
import { Stack, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import { Moment } from '../../ui/moment.tsx';
import { type Column, Records } from '../../ui/records.tsx';
import { words } from '../../words/all.ts';
import type { Filter } from './audit-search.ts';
import { useDefinition } from './details.ts';
import { actorOf, type Entry, refusalOf, sentenceOf, subjectOf, userOf } from './entry.ts';
import { EntryDialog } from './entry-dialog.tsx';
import { FrontEndName, PersonLink } from './names.tsx';

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true, style: { flexShrink: 0, marginTop: 2 } } as const;

export function EntryList({
  entries,
  isStale,
  onNarrow,
}: {
  entries: readonly Entry[];
  isStale: boolean;
  onNarrow: (changes: Partial<Filter>) => void;
}) {
  const { columns, title } = words.audit;
  const [chosen, setChosen] = useState<Entry>();
  const [isOpen, { open, close }] = useDisclosure();
  const show = (entry: Entry) => {
    setChosen(entry);
    open();
  };
  const list: Column<Entry>[] = [
    {
      key: 'event',
      label: columns.event,
      width: 42,
      isLead: true,
      cell: (entry) => <What entry={entry} onOpen={() => show(entry)} />,
    },
    { key: 'user', label: columns.user, width: 22, cell: who },
    { key: 'origin', label: columns.origin, width: 20, cell: where },
    { key: 'at', label: columns.at, width: 16, cell: ({ at }) => <Moment at={at} /> },
  ];
  return (
    <>
      <Records label={title} columns={list} records={entries} keyOf={({ id }) => String(id)} isStale={isStale} />
      <EntryDialog
        entry={chosen}
        isOpen={isOpen}
        onClose={close}
        onNarrow={(changes) => {
          close();
          onNarrow(changes);
        }}
      />
    </>
  );
}

/** The sentence opens the details. */
function What({ entry, onOpen }: { entry: Entry; onOpen: () => void }) {
  const isDone = entry.outcome === 'success';
  const [Icon, colour] = isDone ? [CircleCheck, 'green'] : [CircleX, 'red'];
  const refusal = refusalOf(entry);
  const setting = useDefinition(entry)?.label;
  const subject = setting ?? subjectOf(entry);
  return (
    <UnstyledButton className="thumb" onClick={onOpen} fz="sm" mih={24} aria-haspopup="dialog">
      <span style={{ display: 'flex', gap: 8 }}>
        <Icon {...ICON} color={`var(--mantine-color-${colour}-text)`} />
        <span>
          <Text span size="sm" fw={500}>
            {sentenceOf(entry)}
          </Text>
          {subject !== undefined && (
            <Text span size="sm" c="dimmed">
              {' '}
              {subject}
            </Text>
          )}
          {refusal !== undefined && (
            <Text span size="sm" c="red" display="block">
              {refusal}
            </Text>
          )}
        </span>
      </span>
    </UnstyledButton>
  );
}

function who(entry: Entry) {
  const [user, actor] = [userOf(entry), actorOf(entry)];
  if (!user && !actor) return null;
  return (
    <Stack gap={0}>
      {user && <PersonLink person={user} />}
      {actor && actor.name !== user?.name && (
        <Text size="xs" c="dimmed">
          {words.audit.by(actor.name)}
        </Text>
      )}
    </Stack>
  );
}

function where({ ipAddress, frontEnd }: Entry) {
  if (ipAddress === null) return null;
  return (
    <Stack gap={0}>
      <Text size="sm">{ipAddress}</Text>
      {frontEnd !== null && (
        <Text size="xs" c="dimmed">
          <FrontEndName appKey={frontEnd} />
        </Text>
      )}
    </Stack>
  );
}
