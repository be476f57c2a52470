// One kind of message: its texts, and beside them what people get.
import { Anchor, Box, Flex, Paper } from '@mantine/core';
import { ChevronLeft } from 'lucide-react';
import { Link } from 'react-router';
import { words } from '../../../words/all.ts';
import { linkTo } from '../context.ts';
import type { Definition } from '../definition.ts';
import { SettingCard } from '../setting-card.tsx';
import { MessagePreview } from './message-preview.tsx';

export function MessageEditor({ message }: { message: Definition }) {
  return (
    <>
      <Anchor
        component={Link}
        to={linkTo(message, undefined, false)}
        state={{ from: message.name }}
        size="sm"
        style={{ alignSelf: 'flex-start' }}
      >
        <ChevronLeft size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> {words.settings.messages.back}
      </Anchor>
      <Flex gap="md" wrap="wrap" align="flex-start">
        <Paper withBorder flex="1 1 420px" miw={0}>
          <SettingCard definition={message} appKey={undefined} isMarked={false} />
        </Paper>
        <Box flex="1 1 420px" miw={0}>
          <MessagePreview message={message} />
        </Box>
      </Flex>
    </>
  );
}
