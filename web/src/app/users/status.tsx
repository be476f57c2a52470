// The state of an account as tags, for exceptions alone: an active account has none.
import { Group } from '@mantine/core';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { words } from '../../words/more.ts';
import type { User } from './user.ts';

export function Status({ user }: { user: User }) {
  const { status } = words.users;
  const { lockedUntil, factorLockedUntil } = user;
  return (
    <Group gap={4}>
      {!user.isActive && <StatusBadge colour="gray">{status.inactive}</StatusBadge>}
      {lockedUntil !== null && <StatusBadge colour="red">{status.locked}</StatusBadge>}
      {factorLockedUntil !== null && <StatusBadge colour="red">{status.factorLocked}</StatusBadge>}
      {user.requireChangePassword && <StatusBadge colour="orange">{status.mustChange}</StatusBadge>}
    </Group>
  );
}
