// The menu of the signed-in user: the account, the colour scheme, the language, and the way out.
import { Avatar, Menu, UnstyledButton, useMantineColorScheme, useMantineTheme } from '@mantine/core';
import { Check, CircleUser, Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import { chooseLanguage, languages, words } from '../words/index.ts';
import { useMe } from './me.ts';

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

const schemes = [
  { scheme: 'light', label: () => words.shell.theme.light, icon: <Sun {...ICON} /> },
  { scheme: 'dark', label: () => words.shell.theme.dark, icon: <Moon {...ICON} /> },
  { scheme: 'auto', label: () => words.shell.theme.auto, icon: <Monitor {...ICON} /> },
] as const;

export function AccountMenu({ signOut, showShortcuts }: { signOut: () => void; showShortcuts: () => void }) {
  const { fullName, userName } = useMe();
  const theme = useMantineTheme();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const target = useRef<HTMLButtonElement>(null);
  const shownName = fullName || userName;
  const openShortcuts = () => {
    // The dialog gives the focus back to the element that has it now.
    target.current?.focus();
    showShortcuts();
  };
  const checked = (isChecked: boolean) => ({
    role: 'menuitemradio',
    'aria-checked': isChecked,
    rightSection: isChecked && <Check {...ICON} />,
  });
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton ref={target} aria-label={words.shell.accountMenu(shownName)}>
          <Avatar size={34} name={shownName} variant="filled" color={theme.primaryColor} alt="" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label style={{ overflowWrap: 'anywhere' }}>{shownName}</Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<CircleUser {...ICON} />}>
          {words.shell.account}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{words.shell.theme.title}</Menu.Label>
        {schemes.map(({ scheme, label, icon }) => (
          <Menu.Item
            key={scheme}
            leftSection={icon}
            onClick={() => setColorScheme(scheme)}
            {...checked(scheme === colorScheme)}
          >
            {label()}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{words.shell.language}</Menu.Label>
        {languages.map(({ tag, name }) => (
          <Menu.Item
            key={tag}
            lang={tag}
            onClick={() => chooseLanguage(tag)}
            {...checked(document.documentElement.lang === tag)}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Keyboard {...ICON} />} onClick={openShortcuts}>
          {words.shell.shortcuts}
        </Menu.Item>
        <Menu.Item leftSection={<LogOut {...ICON} />} onClick={signOut}>
          {words.shell.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
