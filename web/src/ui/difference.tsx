// A difference of two values: what it is of, and each side as text.
import { Box, Text } from '@mantine/core';
import { words } from '../words/all.ts';

/** An empty side is left out. */
export function Difference({ label, from, to }: { label: string; from: string; to: string }) {
  return (
    <Box>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Side label={words.settings.from} text={from} />
      <Side label={words.settings.to} text={to} />
    </Box>
  );
}

/** One side of a difference. Line breaks are kept. */
function Side({ label, text }: { label: string; text: string }) {
  if (text === '') return null;
  return (
    <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      <Text span c="dimmed">
        {label}
      </Text>{' '}
      {text}
    </Text>
  );
}
