// A section of a page, in a frame with its title, and the facts in it.
import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** @param props.note what stands beside the title. A section may have nothing else. */
export function Section({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }} aria-labelledby={id}>
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {note}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}

/** Facts about one thing, below each other. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <Stack component="dl" gap="sm" m={0}>
    {children}
  </Stack>
);

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  );
}
