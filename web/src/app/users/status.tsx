// The state of an account in a few words.
import { Group } from '@mantine/core';
import { Mark } from '../../ui/mark.tsx';
import { words } from '../../words/index.ts';
import type { User } from './user.ts';

export function Status({ user }: { user: User }) {
  const { status } = words.users;
  return (
    <Group gap={4}>
      {user.isActive ? <Mark colour="green">{status.active}</Mark> : <Mark colour="gray">{status.inactive}</Mark>}
      {user.lockedUntil !== null && <Mark colour="red">{status.locked}</Mark>}
      {user.requireChangePassword && <Mark colour="orange">{status.mustChange}</Mark>}
    </Group>
  );
}
