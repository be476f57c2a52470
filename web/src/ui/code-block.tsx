// Code with a button that copies it.
import { Box, Group, Paper } from '@mantine/core';
import { words } from '../words/index.ts';
import { CopyValue } from './copy-button.tsx';
import { Scrollable } from './scrollable.tsx';

/** A single line, such as a password, is seen as a whole. */
const whole = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const;

/** @param props.height the most that it takes, as CSS. Longer code scrolls. */
export function CodeBlock({ text, height }: { text: string; height?: string }) {
  return (
    <Paper withBorder bg="var(--sunken)">
      <Group wrap="nowrap" align="flex-start" gap={0}>
        <Scrollable label={words.common.code} p="sm" flex={1} miw={0} {...(height !== undefined && { mah: height })}>
          <Box component="pre" m={0} fz="sm" ff="monospace" lang="en" style={text.includes('\n') ? {} : whole}>
            <code>{text}</code>
          </Box>
        </Scrollable>
        <Box display="flex" pt={14} pe={8}>
          <CopyValue value={text} label={words.common.code} />
        </Box>
      </Group>
    </Paper>
  );
}
