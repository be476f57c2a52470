// The second factors and passkeys of an account, for administrators.
import { Group, List, Text } from '@mantine/core';
import { DangerButton } from '../../ui/danger-button.tsx';
import { formatTime } from '../../ui/format.ts';
import { words } from '../../words/more.ts';
import type { UserDetails } from './user.ts';

export const hasFactors = ({ factors: { authenticator, passkeys } }: UserDetails) =>
  authenticator.enrolled || passkeys.length > 0;

/** @param props.onReset absent if the user may not remove them. */
export function FactorList({ user, onReset }: { user: UserDetails; onReset: (() => void) | undefined }) {
  const { authenticator, passkeys, recoveryCodesLeft, trustedDevices } = user.factors;
  const texts = words.users.factors;
  const used = (at: string | null) => (at === null ? texts.unused : texts.used(formatTime(at)));
  return (
    <>
      <List size="sm" spacing={4}>
        {authenticator.enrolled && (
          <List.Item>
            <b>{texts.authenticator}</b>: {texts.since(formatTime(authenticator.since))},{' '}
            {used(authenticator.lastUsedAt)}
          </List.Item>
        )}
        {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
          <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
            <b>{texts.passkey(name)}</b>: {texts.since(formatTime(createdAt))}, {used(lastUsedAt)}
          </List.Item>
        ))}
      </List>
      <Text size="sm">
        {texts.codes(recoveryCodesLeft)} {trustedDevices.length > 0 && texts.devices(trustedDevices.length)}
      </Text>
      {onReset && (
        <Group>
          <DangerButton onClick={onReset}>{texts.reset}</DangerButton>
        </Group>
      )}
    </>
  );
}
