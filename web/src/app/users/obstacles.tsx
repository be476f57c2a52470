// Obstacles: the reasons why this user cannot sign in, each with the button that fixes it.
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { describeTimeLeft, formatTime } from '../../ui/format.ts';
import { useCountdown } from '../../ui/problem-notice.tsx';
import { words } from '../../words/index.ts';
import { type User, userKey } from './user.ts';
import type { UserActions } from './user-actions.tsx';

/** `isBlocking`: it prevents every sign-in. Other obstacles make sign-in or recovery harder. */
type Obstacle = {
  readonly key: string;
  readonly text: string;
  readonly isBlocking: boolean;
  readonly fix?: { readonly label: string; readonly run: (() => void) | undefined } | undefined;
};

/** @param timeLeft the time until the lock ends, in words. */
function findObstacles(user: User, actions: UserActions | undefined, timeLeft: string): Obstacle[] {
  const { obstacles: texts, actions: labels } = words.users;
  const fix = (label: string, run: (() => void) | undefined) => ({ label, run });
  const reset = fix(labels.resetPassword, actions?.resetPassword);
  const edit = fix(texts.edit, actions?.edit);
  const all: (Obstacle & { applies: boolean })[] = [
    {
      key: 'inactive',
      applies: !user.isActive,
      isBlocking: true,
      text: texts.inactive,
      fix: fix(labels.activate, actions?.activate),
    },
    {
      key: 'locked',
      applies: user.lockedUntil !== null,
      isBlocking: true,
      text: texts.locked(formatTime(user.lockedUntil), timeLeft),
      fix: fix(labels.unlock, actions?.unlock),
    },
    { key: 'mustChange', applies: user.requireChangePassword, isBlocking: false, text: texts.mustChange },
    { key: 'never', applies: user.lastLoginTime === null, isBlocking: false, text: texts.neverSignedIn, fix: reset },
    {
      key: 'email',
      applies: user.emailAddress !== null && !user.isEmailConfirmed,
      isBlocking: false,
      text: texts.unverifiedEmail,
      fix: edit,
    },
    {
      key: 'mobile',
      applies: user.mobileNumber !== null && !user.isMobileConfirmed,
      isBlocking: false,
      text: texts.unverifiedMobile,
      fix: edit,
    },
    {
      key: 'noAddress',
      applies: user.emailAddress === null && user.mobileNumber === null,
      isBlocking: false,
      text: texts.noAddress,
      fix: edit,
    },
  ];
  return all.filter(({ applies }) => applies);
}

export function Obstacles({ user, actions }: { user: User; actions: UserActions | undefined }) {
  const timeLeft = useLockCountdown(user);
  const found = findObstacles(user, actions, timeLeft);
  return (
    <Stack gap="xs">
      {found.every(({ isBlocking }) => !isBlocking) && (
        <Alert color="green" variant="light">
          {words.users.obstacles.none}
        </Alert>
      )}
      {found.map(({ key, text, isBlocking, fix }) => (
        <Alert key={key} color={isBlocking ? 'red' : 'orange'} variant={isBlocking ? 'light' : 'outline'}>
          <Group justify="space-between" gap="xs">
            <Text size="sm" flex="1 1 220px">
              {text}
            </Text>
            {fix?.run && (
              <Button size="xs" variant="default" onClick={fix.run}>
                {fix.label}
              </Button>
            )}
          </Group>
        </Alert>
      ))}
    </Stack>
  );
}

/** Returns the time until the lock ends, in words. Reads the account again when it has ended. */
function useLockCountdown({ id, lockedUntil }: User): string {
  const queries = useQueryClient();
  const seconds = useCountdown(lockedUntil === null ? undefined : Date.parse(lockedUntil));
  const isOver = lockedUntil !== null && seconds === 0;
  useEffect(() => {
    if (isOver) void queries.invalidateQueries({ queryKey: userKey(id) });
  }, [isOver, id, queries]);
  return describeTimeLeft(seconds) ?? words.users.obstacles.left(Math.floor(seconds / 60), seconds % 60);
}
