// Obstacles: the reasons why this user cannot sign in, each with the button that fixes it.
import { Button, Group, Paper, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { describeTimeLeft, formatTime } from '../../ui/format.ts';
import { useCountdown } from '../../ui/problem-notice.tsx';
import { Section } from '../../ui/section.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { words } from '../../words/more.ts';
import { type UserDetails, userKey } from './user.ts';
import type { UserActions } from './user-actions.tsx';

/** `isBlocking`: it prevents every sign-in. Other obstacles make sign-in or recovery harder. */
type Obstacle = {
  readonly key: string;
  readonly text: string;
  readonly isBlocking: boolean;
  readonly fix?: { readonly label: string; readonly run: (() => void) | undefined } | undefined;
};

/** @param left the times until the locks end, in words. */
function findObstacles(
  user: UserDetails,
  actions: UserActions | undefined,
  left: { lock: string; factorLock: string },
): Obstacle[] {
  const { obstacles: texts, actions: labels, invitation } = words.users;
  const fix = (label: string, run: (() => void) | undefined) => ({ label, run });
  const reset = fix(labels.resetPassword, actions?.resetPassword);
  const edit = fix(texts.edit, actions?.edit);
  const { factors } = user;
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
      text: texts.locked(formatTime(user.lockedUntil), left.lock),
      fix: fix(labels.unlock, actions?.unlock),
    },
    {
      key: 'factorLocked',
      applies: factors.lockedUntil !== null,
      isBlocking: true,
      text: texts.factorLocked(formatTime(factors.lockedUntil), left.factorLock),
      fix: fix(labels.unlock, actions?.unlock),
    },
    {
      key: 'formerPasskeys',
      applies: factors.onlyFormerPasskeys,
      isBlocking: factors.recoveryCodesLeft === 0,
      text: texts.formerPasskeys,
    },
    { key: 'mustChange', applies: user.requireChangePassword, isBlocking: false, text: texts.mustChange },
    { key: 'mustEnroll', applies: factors.mustEnroll, isBlocking: false, text: texts.mustEnroll },
    {
      key: 'noPassword',
      applies: !user.hasPassword,
      isBlocking: false,
      text: invitation.noPassword,
      fix: actions?.invite ? fix(invitation.send, actions.invite) : reset,
    },
    {
      key: 'never',
      applies: user.lastLoginTime === null && user.hasPassword,
      isBlocking: false,
      text: texts.neverSignedIn,
      fix: reset,
    },
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

/** The section "Sign-in": one line when all is well. */
export function Obstacles({ user, actions }: { user: UserDetails; actions: UserActions | undefined }) {
  const { obstacles: texts } = words.users;
  const lock = useLockCountdown(user.id, user.lockedUntil);
  const factorLock = useLockCountdown(user.id, user.factors.lockedUntil);
  const found = findObstacles(user, actions, { lock, factorLock });
  const mayPass = found.every(({ isBlocking }) => !isBlocking) && user.hasPassword;
  return (
    <Section title={texts.title} note={mayPass && <Text size="sm">{texts.none}</Text>}>
      {found.length > 0 && (
        <Paper component="ul" withBorder className="rows">
          {found.map((obstacle) => (
            <Row key={obstacle.key} obstacle={obstacle} />
          ))}
        </Paper>
      )}
    </Section>
  );
}

function Row({ obstacle: { text, isBlocking, fix } }: { obstacle: Obstacle }) {
  return (
    <Group component="li" gap="sm" py="xs">
      {isBlocking && <StatusBadge colour="red">{words.users.obstacles.blocked}</StatusBadge>}
      <Text size="sm" flex="1 1 220px">
        {text}
      </Text>
      {fix?.run && (
        <Button size="xs" variant="default" flex="none" onClick={fix.run}>
          {fix.label}
        </Button>
      )}
    </Group>
  );
}

/** Returns the time until a lock ends, in words. Reads the account again when it has ended. */
function useLockCountdown(id: number, lockedUntil: string | null): string {
  const queries = useQueryClient();
  const seconds = useCountdown(lockedUntil === null ? undefined : Date.parse(lockedUntil));
  const isOver = lockedUntil !== null && seconds === 0;
  useEffect(() => {
    if (isOver) void queries.invalidateQueries({ queryKey: userKey(id) });
  }, [isOver, id, queries]);
  return describeTimeLeft(seconds) ?? words.users.obstacles.left(Math.floor(seconds / 60), seconds % 60);
}
