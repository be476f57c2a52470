// The state of an account as tags, for exceptions alone: an active account has none.
import { Group } from '@mantine/core';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { words } from '../../words/all.ts';
import type { User } from './user.ts';

export function Status({ user }: { user: User }) {
  const { status } = words.users;
  const isLocked = user.lockedUntil !== null || user.factorLockedUntil !== null;
  return (
    <Group gap={4}>
      {!user.isActive && <StatusBadge colour="gray">{status.inactive}</StatusBadge>}
      {isLocked && <StatusBadge colour="red">{status.locked}</StatusBadge>}
      {user.requireChangePassword && <StatusBadge colour="orange">{status.mustChange}</StatusBadge>}
    </Group>
  );
}
