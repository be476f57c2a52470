// Why this user cannot sign in: each thing that stands in the way, with the button that mends it.
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { formatTime } from '../../ui/format.ts';
import { useCountdown } from '../../ui/problem-notice.tsx';
import { words } from '../../words/index.ts';
import { type User, userKey } from './user.ts';
import type { UserActions } from './user-actions.tsx';

/** `isShut`: nobody gets in while it lasts; otherwise it only makes signing in or recovery harder. */
type Obstacle = {
  readonly key: string;
  readonly text: string;
  readonly isShut: boolean;
  readonly mend?: { readonly label: string; readonly run: (() => void) | undefined } | undefined;
};

/** @param timeLeft until the lock ends, in words. */
function findObstacles(user: User, actions: UserActions | undefined, timeLeft: string): Obstacle[] {
  const { obstacles: texts, actions: labels } = words.users;
  const mend = (label: string, run: (() => void) | undefined) => ({ label, run });
  const reset = mend(labels.resetPassword, actions?.resetPassword);
  const edit = mend(texts.edit, actions?.edit);
  const all: (Obstacle & { isThere: boolean })[] = [
    {
      key: 'inactive',
      isThere: !user.isActive,
      isShut: true,
      text: texts.inactive,
      mend: mend(labels.activate, actions?.activate),
    },
    {
      key: 'locked',
      isThere: user.lockedUntil !== null,
      isShut: true,
      text: texts.locked(formatTime(user.lockedUntil), timeLeft),
      mend: mend(labels.unlock, actions?.unlock),
    },
    { key: 'mustChange', isThere: user.requireChangePassword, isShut: false, text: texts.mustChange },
    { key: 'never', isThere: user.lastLoginTime === null, isShut: false, text: texts.neverSignedIn, mend: reset },
    {
      key: 'email',
      isThere: user.emailAddress !== null && !user.isEmailConfirmed,
      isShut: false,
      text: texts.unverifiedEmail,
      mend: edit,
    },
    {
      key: 'mobile',
      isThere: user.mobileNumber !== null && !user.isMobileConfirmed,
      isShut: false,
      text: texts.unverifiedMobile,
      mend: edit,
    },
    {
      key: 'noAddress',
      isThere: user.emailAddress === null && user.mobileNumber === null,
      isShut: false,
      text: texts.noAddress,
      mend: edit,
    },
  ];
  return all.filter(({ isThere }) => isThere);
}

export function Obstacles({ user, actions }: { user: User; actions: UserActions | undefined }) {
  const timeLeft = useLockCountdown(user);
  const found = findObstacles(user, actions, timeLeft);
  return (
    <Stack gap="xs">
      {found.every(({ isShut }) => !isShut) && (
        <Alert color="green" variant="light">
          {words.users.obstacles.none}
        </Alert>
      )}
      {found.map(({ key, text, isShut, mend }) => (
        <Alert key={key} color={isShut ? 'red' : 'orange'} variant={isShut ? 'light' : 'outline'}>
          <Group justify="space-between" gap="xs">
            <Text size="sm" flex="1 1 220px">
              {text}
            </Text>
            {mend?.run && (
              <Button size="xs" variant="default" onClick={mend.run}>
                {mend.label}
              </Button>
            )}
          </Group>
        </Alert>
      ))}
    </Stack>
  );
}

/** How long the account stays locked; once that is over, the service is asked again. */
function useLockCountdown({ id, lockedUntil }: User): string {
  const queries = useQueryClient();
  const seconds = useCountdown(lockedUntil === null ? undefined : Date.parse(lockedUntil));
  const isOver = lockedUntil !== null && seconds === 0;
  useEffect(() => {
    if (isOver) void queries.invalidateQueries({ queryKey: userKey(id) });
  }, [isOver, id, queries]);
  return words.users.obstacles.left(Math.floor(seconds / 60), seconds % 60);
}
