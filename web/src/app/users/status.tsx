// The state of an account as tags, for exceptions alone: an active account has none.
import { Group } from '@mantine/core';
import { formatMinute } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { words } from '../../words/more.ts';
import type { User } from './user.ts';

/** @param props.isExact says until when a lock holds. */
export function Status({ user, isExact = false }: { user: User; isExact?: boolean }) {
  const { status } = words.users;
  const { lockedUntil, factorLockedUntil } = user;
  const until = (text: string, end: string) => (isExact ? status.until(text, formatMinute(end)) : text);
  return (
    <Group gap={4}>
      {!user.isActive && <StatusBadge colour="gray">{status.inactive}</StatusBadge>}
      {lockedUntil !== null && <StatusBadge colour="red">{until(status.locked, lockedUntil)}</StatusBadge>}
      {factorLockedUntil !== null && (
        <StatusBadge colour="red">{until(status.factorLocked, factorLockedUntil)}</StatusBadge>
      )}
      {user.requireChangePassword && <StatusBadge colour="orange">{status.mustChange}</StatusBadge>}
    </Group>
  );
}
