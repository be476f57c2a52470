// Code with a button that copies it.
import { Box, Paper } from '@mantine/core';
import { words } from '../words/index.ts';
import { CopyValue } from './copy-button.tsx';
import { Scrollable } from './scrollable.tsx';

const backdrop = 'var(--sunken)';

/** @param props.height the most that it takes, as CSS. Longer code scrolls. */
export function CodeBlock({ text, height }: { text: string; height?: string }) {
  return (
    <Paper withBorder pos="relative" bg={backdrop}>
      <Scrollable label={words.common.code} p="sm" pe={48} {...(height !== undefined && { mah: height })}>
        <Box component="pre" m={0} fz="sm" ff="monospace" lang="en">
          <code>{text}</code>
        </Box>
      </Scrollable>
      {/* Browsers give the clipboard to secure contexts only. */}
      {isSecureContext && (
        <Box pos="absolute" top={8} right={8} bg={backdrop} h={24}>
          <CopyValue value={text} label={words.common.code} />
        </Box>
      )}
    </Paper>
  );
}
