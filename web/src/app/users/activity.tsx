// The latest entries of the audit trail about an account: what it did, what was done to it, and why something was refused.
import { Anchor, Box, Group, Paper, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { formatTime } from '../../ui/format.ts';
import { LoadFailure, Loading } from '../../ui/page.tsx';
import { words } from '../../words/more.ts';
import { useDefinition } from '../audit/details.ts';
import { actorOf, type Entry, refusalOf, sentenceOf, subjectOf } from '../audit/entry.ts';
import { EntryDialog } from '../audit/entry-dialog.tsx';
import { userKey } from './user.ts';

const SHOWN = 8;

export function Activity({ userId }: { userId: number }) {
  const texts = words.users.activity;
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<Entry>();
  const [isOpen, { open, close }] = useDisclosure();
  const show = (entry: Entry) => {
    setChosen(entry);
    open();
  };
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...userKey(userId), 'activity'],
    queryFn: () => latchkey.call('Audit/GetAll', { userId, maxResultCount: SHOWN }),
  });
  return (
    <>
      {isPending && <Loading rows={2} />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data?.items.length === 0 && <Text size="sm">{texts.none}</Text>}
      {data && data.items.length > 0 && (
        <Paper component="ul" withBorder className="rows" aria-label={texts.title}>
          {data.items.map((entry) => (
            <ActivityRow key={entry.id} entry={entry} onOpen={() => show(entry)} />
          ))}
        </Paper>
      )}
      <Group gap="md">
        <Anchor component={Link} to={`/audit?userId=${userId}`} size="sm">
          {texts.all}
        </Anchor>
        <Anchor component={Link} to={`/audit?userId=${userId}&outcome=refused`} size="sm">
          {texts.refusals}
        </Anchor>
      </Group>
      <EntryDialog
        entry={chosen}
        isOpen={isOpen}
        onClose={close}
        onNarrow={(changes) => navigate(`/audit?${new URLSearchParams(changes)}`)}
      />
    </>
  );
}

/** The sentence opens the details. */
function ActivityRow({ entry, onOpen }: { entry: Entry; onOpen: () => void }) {
  const setting = useDefinition(entry)?.label;
  const subject = setting ?? subjectOf(entry);
  const refusal = refusalOf(entry);
  const actor = actorOf(entry);
  const where = [
    formatTime(entry.at),
    ...(actor ? [words.users.activity.by(actor.name)] : []),
    ...(entry.ipAddress === null ? [] : [words.users.activity.from(entry.ipAddress)]),
  ];
  return (
    <Box component="li" py="xs" style={{ overflowWrap: 'anywhere' }}>
      <UnstyledButton onClick={onOpen} fz="sm" mih={24} aria-haspopup="dialog">
        {sentenceOf(entry)}
        {subject !== undefined && (
          <Text span size="sm" c="dimmed">
            {' '}
            {subject}
          </Text>
        )}
        {refusal && (
          <Text span size="sm" c="var(--danger)">
            {' · '}
            {refusal}
          </Text>
        )}
      </UnstyledButton>
      <Text size="xs" c="dimmed">
        {where.join(' · ')}
      </Text>
    </Box>
  );
}
