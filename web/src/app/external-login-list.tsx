// The providers that an account is linked to, each with a button that takes the link away.
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { formatTime } from '../ui/format.ts';
import { words } from '../words/index.ts';

type Link = {
  readonly id: string;
  readonly provider: string;
  readonly providerKey?: string;
  readonly linkedAt: string;
};

export function LinkList<Shown extends Link>(props: {
  links: readonly Shown[];
  /** Of the button; the second names the provider for who cannot see which it is. */
  labels: readonly [short: string, of: (provider: string) => string];
  /** Absent for who may not. */
  onTakeAway: ((link: Shown) => void) | undefined;
}) {
  const { links, labels, onTakeAway } = props;
  const [label, labelOf] = labels;
  return (
    <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {links.map((link) => (
        <Paper key={link.id} component="li" withBorder p="sm">
          <Group justify="space-between" gap="sm">
            <Text component="div" size="sm" maw="100%" style={{ overflowWrap: 'anywhere' }}>
              <Text fw={600}>{link.provider}</Text>
              <div>{words.links.since(formatTime(link.linkedAt))}</div>
              {link.providerKey !== undefined && (
                <Text c="dimmed" size="sm">
                  {words.links.key(link.providerKey)}
                </Text>
              )}
            </Text>
            {onTakeAway && (
              <Button size="xs" variant="default" onClick={() => onTakeAway(link)} aria-label={labelOf(link.provider)}>
                {label}
              </Button>
            )}
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}
