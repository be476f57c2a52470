// The list of all kinds of messages. Each leads to its editor.
import { Anchor, Box, Group, Paper, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { words } from '../../../words/all.ts';
import { linkTo, useSettings } from '../context.ts';
import type { Definition } from '../definition.ts';
import { meansOf, shortLabel } from './message.ts';

export function MessageList({ messages }: { messages: readonly Definition[] }) {
  const texts = words.settings.messages;
  return (
    <Paper component="ul" withBorder className="rows" aria-label={texts.title}>
      {messages.map((message) => (
        <Row key={message.name} message={message} />
      ))}
    </Paper>
  );
}

/** Has the focus after its editor was left. */
function Row({ message }: { message: Definition }) {
  const link = useRef<HTMLAnchorElement>(null);
  const { state } = useLocation();
  const isLeft = state?.from === message.name;
  useEffect(() => {
    if (isLeft) link.current?.focus();
  }, [isLeft]);
  const { values, edits } = useSettings();
  const { messages: texts, changed } = words.settings;
  return (
    <Group component="li" gap="sm" wrap="nowrap">
      <Box flex={1} miw={0} py="xs">
        <Anchor component={Link} ref={link} to={linkTo(message, undefined)} size="sm" fw={500}>
          {shortLabel(message)}
        </Anchor>
        <Text size="xs" c="dimmed">
          {message.description}
        </Text>
      </Box>
      {values.isChanged(message, undefined) && <StatusBadge colour="blue">{changed}</StatusBadge>}
      {edits.find(message, undefined) && <StatusBadge colour="orange">{texts.unsaved}</StatusBadge>}
      <Text size="xs" c="dimmed" flex="none" visibleFrom="xs">
        {meansOf(message)
          .map((means) => words.outbox.means[means])
          .join(' · ')}
      </Text>
    </Group>
  );
}
