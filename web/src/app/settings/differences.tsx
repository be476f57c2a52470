// The differences of two values, each from the old to the new text.
import { Stack } from '@mantine/core';
import { Difference } from '../../ui/difference.tsx';
import type { Definition } from './definition.ts';
import { findDifferences } from './describe.ts';

export function Differences({ definition, from, to }: { definition: Definition; from: unknown; to: unknown }) {
  const differences = findDifferences(definition, from, to);
  return (
    <Stack gap="xs">
      {differences.map((one) => (
        <Difference key={one.label} {...one} />
      ))}
    </Stack>
  );
}
