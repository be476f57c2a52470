// The button of the account menu, with the initials of the signed-in user.
import { Avatar, UnstyledButton, type UnstyledButtonProps, useMantineTheme } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import { words } from '../words/index.ts';
import { useMe } from './me.ts';

export function AccountButton(props: UnstyledButtonProps & ComponentPropsWithRef<'button'>) {
  const { fullName, userName } = useMe();
  const theme = useMantineTheme();
  const shownName = fullName || userName;
  return (
    <UnstyledButton aria-haspopup="menu" {...props} aria-label={words.shell.accountMenu(shownName)}>
      <Avatar size={34} name={shownName} variant="filled" color={theme.primaryColor} alt="" />
    </UnstyledButton>
  );
}
