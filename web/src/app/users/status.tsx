// The state of an account as badges.
import { Group } from '@mantine/core';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { words } from '../../words/index.ts';
import type { User } from './user.ts';

export function Status({ user }: { user: User }) {
  const { status } = words.users;
  return (
    <Group gap={4}>
      {user.isActive ? (
        <StatusBadge colour="green">{status.active}</StatusBadge>
      ) : (
        <StatusBadge colour="gray">{status.inactive}</StatusBadge>
      )}
      {user.lockedUntil !== null && <StatusBadge colour="red">{status.locked}</StatusBadge>}
      {user.requireChangePassword && <StatusBadge colour="orange">{status.mustChange}</StatusBadge>}
    </Group>
  );
}
