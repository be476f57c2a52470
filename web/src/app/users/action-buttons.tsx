// The buttons of the actions on an account.
import { Button, Group, Stack } from '@mantine/core';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { words } from '../../words/all.ts';
import type { User } from './user.ts';
import type { UserActions } from './user-actions.tsx';

export function ActionButtons({ user, actions }: { user: User; actions: UserActions }) {
  const texts = words.users.actions;
  const { isBusy } = actions;
  return (
    <Stack gap="sm">
      <Group gap="xs" role="group" aria-label={texts.title}>
        <Button variant="default" onClick={actions.edit}>
          {words.users.edit}
        </Button>
        {actions.invite && (
          <Button variant="default" onClick={actions.invite}>
            {words.users.invitation.send}
          </Button>
        )}
        {actions.resetPassword && (
          <Button variant="default" onClick={actions.resetPassword}>
            {texts.resetPassword}
          </Button>
        )}
        {user.isActive ? (
          actions.deactivate && (
            <Button variant="default" onClick={actions.deactivate}>
              {texts.deactivate}
            </Button>
          )
        ) : (
          <Button variant="default" onClick={actions.activate} loading={isBusy}>
            {texts.activate}
          </Button>
        )}
        {(user.lockedUntil !== null || user.factorLockedUntil !== null) && (
          <Button variant="default" onClick={actions.unlock} loading={isBusy}>
            {texts.unlock}
          </Button>
        )}
        <Button variant="default" onClick={actions.signOutEverywhere}>
          {texts.signOut}
        </Button>
        <Button variant="default" onClick={actions.download} loading={isBusy}>
          {texts.download}
        </Button>
        {actions.remove && (
          <Button variant="default" c="var(--mantine-color-error)" onClick={actions.remove}>
            {texts.delete}
          </Button>
        )}
        {actions.erase && (
          <Button variant="default" c="var(--mantine-color-error)" onClick={actions.erase}>
            {texts.erase}
          </Button>
        )}
      </Group>
      <ProblemNotice problem={actions.problem} />
    </Stack>
  );
}
