// The buttons of the actions on an account: the main ones beside its name, and the others, of which some destroy.
import { Button, Group, Stack } from '@mantine/core';
import { DangerButton } from '../../ui/danger-button.tsx';
import { words } from '../../words/more.ts';
import type { User } from './user.ts';
import type { UserActions } from './user-actions.tsx';

type Props = { user: User; actions: UserActions };

export function MainActions({ actions }: Pick<Props, 'actions'>) {
  return (
    <Group gap="xs">
      {actions.sendResetLink && (
        <Button variant="default" onClick={actions.sendResetLink}>
          {words.users.resetLink.open}
        </Button>
      )}
      {actions.resetPassword && (
        <Button variant="default" onClick={actions.resetPassword}>
          {words.users.actions.resetPassword}
        </Button>
      )}
      <Button onClick={actions.edit}>{words.users.edit}</Button>
    </Group>
  );
}

export function FurtherActions({ user, actions }: Props) {
  const texts = words.users.actions;
  return (
    <Stack gap="xs" align="stretch" role="group" aria-label={texts.title}>
      <Button variant="default" onClick={actions.download} loading={actions.isBusy}>
        {texts.download}
      </Button>
      {user.isActive && actions.deactivate && (
        <DangerButton onClick={actions.deactivate}>{texts.deactivate}</DangerButton>
      )}
      {actions.remove && <DangerButton onClick={actions.remove}>{texts.delete}</DangerButton>}
      {actions.erase && <DangerButton onClick={actions.erase}>{texts.erase}</DangerButton>}
    </Stack>
  );
}
