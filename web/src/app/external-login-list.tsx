// The list of an account's external logins, each with a button that removes it.
import { Group, Paper, Stack, Text } from '@mantine/core';
import { DangerButton } from '../ui/danger-button.tsx';
import { formatTime } from '../ui/format.ts';
import { words } from '../words/more.ts';

type ExternalLogin = {
  readonly id: string;
  readonly provider: string;
  readonly displayName: string;
  readonly providerKey?: string;
  readonly linkedAt: string;
};

type Named = { readonly name: string; readonly displayName: string };

/** Returns the logins with what people call their providers. A provider that is not offered has its name alone. */
export const withNames = <Login extends { readonly provider: string }>(
  logins: readonly Login[],
  offered: readonly Named[],
) =>
  logins.map((login) => ({
    ...login,
    displayName: offered.find(({ name }) => name === login.provider)?.displayName ?? login.provider,
  }));

export function ExternalLoginList<Shown extends ExternalLogin>(props: {
  logins: readonly Shown[];
  /** The label of the button. The second one names the provider, for screen readers. */
  labels: readonly [short: string, of: (provider: string) => string];
  onRemove: (login: Shown) => void;
}) {
  const { logins, labels, onRemove } = props;
  const [label, labelOf] = labels;
  return (
    <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {logins.map((login) => (
        <Paper key={login.id} component="li" withBorder p="sm">
          <Group justify="space-between" gap="sm">
            <Text component="div" size="sm" maw="100%" style={{ overflowWrap: 'anywhere' }}>
              <Text fw={600}>{login.displayName}</Text>
              <div>{words.links.since(formatTime(login.linkedAt))}</div>
              {login.providerKey !== undefined && (
                <Text c="dimmed" size="sm">
                  {words.links.key(login.providerKey)}
                </Text>
              )}
            </Text>
            <DangerButton size="xs" onClick={() => onRemove(login)} aria-label={labelOf(login.displayName)}>
              {label}
            </DangerButton>
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}
