// The differences of two values, each from the old to the new text.
import { Box, Stack, Text } from '@mantine/core';
import { words } from '../../words/all.ts';
import type { Definition } from './definition.ts';
import { findDifferences } from './describe.ts';

export function Differences({ definition, from, to }: { definition: Definition; from: unknown; to: unknown }) {
  const differences = findDifferences(definition, from, to);
  return (
    <Stack gap="xs">
      {differences.map((one) => (
        <Box key={one.label}>
          <Text size="sm" fw={600}>
            {one.label}
          </Text>
          <Side label={words.settings.from} text={one.from} />
          <Side label={words.settings.to} text={one.to} />
        </Box>
      ))}
    </Stack>
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
