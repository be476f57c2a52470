// Obstacles: the reasons why this user cannot sign in, each with the button that fixes it.
import { Button, Group, Paper, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { describeTimeLeft, formatMinute, formatTime } from '../../ui/format.ts';
import { useCountdown } from '../../ui/problem-notice.tsx';
import { Section } from '../../ui/section.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { words } from '../../words/more.ts';
import { useMe } from '../me.ts';
import { type UserDetails, userKey } from './user.ts';
import type { UserActions } from './user-actions.tsx';

/** `isBlocking`: it prevents every sign-in. Other obstacles make sign-in or recovery harder. */
type Obstacle = {
  readonly key: string;
  readonly text: string;
  readonly isBlocking: boolean;
  /** `to` is the path of the page where it is fixed. */
  readonly fix?: { readonly label: string; readonly run?: (() => void) | undefined; readonly to?: string } | undefined;
};

/**
 * @param options.isOwn whether it is the reader's own account, which has its addresses changed on a page of its own.
 * @param options.left the times until the locks end, in words.
 */
function findObstacles(
  user: UserDetails,
  actions: UserActions | undefined,
  { isOwn, left }: { isOwn: boolean; left: { lock: string; factorLock: string } },
): Obstacle[] {
  const { obstacles: texts, actions: labels, invitation, edit } = words.users;
  const fix = (label: string, run: (() => void) | undefined) => ({ label, run });
  const reset = fix(labels.resetPassword, actions?.resetPassword);
  const address = isOwn ? { label: words.account.title, to: '/account' } : fix(edit, actions?.edit);
  const { factors, isActive, hasPassword, passwordLinkExpiresAt: linkEnd } = user;
  const isInvited = isActive && !hasPassword && linkEnd !== null;
  const invite = fix(isInvited ? invitation.again : invitation.send, actions?.invite);
  const all: (Obstacle & { applies: boolean })[] = [
    {
      key: 'inactive',
      applies: !isActive,
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
      applies: !hasPassword,
      isBlocking: false,
      text: isInvited ? invitation.open(formatMinute(linkEnd)) : invitation.noPassword,
      fix: invite.run ? invite : reset,
    },
    {
      key: 'never',
      applies: user.lastLoginTime === null && hasPassword,
      isBlocking: false,
      text: texts.neverSignedIn,
      // A password that was handed out stays.
      fix: user.requireChangePassword ? undefined : reset,
    },
    {
      key: 'email',
      // The link of an invitation verifies it.
      applies: user.emailAddress !== null && !user.isEmailConfirmed && !isInvited,
      isBlocking: false,
      text: texts.unverifiedEmail,
      fix: address,
    },
    {
      key: 'mobile',
      applies: user.mobileNumber !== null && !user.isMobileConfirmed,
      isBlocking: false,
      text: texts.unverifiedMobile,
      fix: address,
    },
    {
      key: 'noAddress',
      applies: user.emailAddress === null && user.mobileNumber === null,
      isBlocking: false,
      text: texts.noAddress,
      fix: address,
    },
  ];
  return all.filter(({ applies }) => applies);
}

/** The section "Sign-in": one line when all is well. */
export function Obstacles({ user, actions }: { user: UserDetails; actions: UserActions | undefined }) {
  const { obstacles: texts } = words.users;
  const lock = useLockCountdown(user.id, user.lockedUntil);
  const factorLock = useLockCountdown(user.id, user.factors.lockedUntil);
  const isOwn = useMe().id === user.id;
  const found = findObstacles(user, actions, { isOwn, left: { lock, factorLock } });
  const mayPass = found.every(({ isBlocking }) => !isBlocking) && user.hasPassword;
  return (
    <Section title={texts.title} note={mayPass && <Text size="sm">{texts.none}</Text>}>
      {found.length > 0 && (
        <Paper component="ul" withBorder className="rows">
          {found.map((obstacle) => (
            <Row key={obstacle.key} obstacle={obstacle} isBusy={actions?.isBusy === true} />
          ))}
        </Paper>
      )}
    </Section>
  );
}

/** What brings the person back in is the main action of the page. */
function Row({ obstacle: { text, isBlocking, fix }, isBusy }: { obstacle: Obstacle; isBusy: boolean }) {
  const look = { size: 'xs', flex: 'none', ...(!isBlocking && { variant: 'default' }) };
  return (
    <Group component="li" gap="sm" py="xs">
      {isBlocking && <StatusBadge colour="red">{words.users.obstacles.blocked}</StatusBadge>}
      <Text size="sm" flex="1 1 220px">
        {text}
      </Text>
      {fix?.run && (
        <Button {...look} onClick={fix.run} loading={isBlocking && isBusy}>
          {fix.label}
        </Button>
      )}
      {fix?.to && (
        <Button {...look} component={Link} to={fix.to}>
          {fix.label}
        </Button>
      )}
    </Group>
  );
}

/** How often the account is read while only the clock of this browser says that a lock has ended. */
const REREAD_MS = 3000;

/** Returns the time until a lock ends, in words. Reads the account again when it has ended, until the service agrees. */
function useLockCountdown(id: number, lockedUntil: string | null): string {
  const queries = useQueryClient();
  const seconds = useCountdown(lockedUntil === null ? undefined : Date.parse(lockedUntil));
  const isOver = lockedUntil !== null && seconds === 0;
  useEffect(() => {
    if (!isOver) return;
    const reread = () =>
      void queries.invalidateQueries({ queryKey: userKey(id), exact: true }, { cancelRefetch: false });
    reread();
    const timer = setInterval(reread, REREAD_MS);
    return () => clearInterval(timer);
  }, [isOver, id, queries]);
  return describeTimeLeft(seconds) ?? words.users.obstacles.left(Math.floor(seconds / 60), seconds % 60);
}
