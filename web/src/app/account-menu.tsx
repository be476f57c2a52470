// The menu of the signed-in user: the account, the colour scheme, the language, and the way out.
import { Menu, useMantineColorScheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { CircleUser, Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { chooseLanguage, languages, nameLanguage, words } from '../words/index.ts';
import { AccountButton } from './account-button.tsx';
import { useMe } from './me.ts';

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

const schemes = [
  { scheme: 'light', label: () => words.shell.theme.light, icon: <Sun {...ICON} /> },
  { scheme: 'dark', label: () => words.shell.theme.dark, icon: <Moon {...ICON} /> },
  { scheme: 'auto', label: () => words.shell.theme.auto, icon: <Monitor {...ICON} /> },
] as const;

/** It opens when it is shown: the button that it replaces has been pressed. */
export function AccountMenu({ signOut, showShortcuts }: { signOut: () => void; showShortcuts: () => void }) {
  const { fullName, userName } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const isTouch = useMediaQuery('(pointer: coarse)', undefined, { getInitialValueInEffect: false });
  const target = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    // The menu gives the focus back to the element that had it.
    target.current?.focus();
    setOpen(true);
  }, []);
  const shownName = fullName || userName;
  const openShortcuts = () => {
    // The dialog gives the focus back to the element that has it now.
    target.current?.focus();
    showShortcuts();
  };
  return (
    <Menu
      position="bottom-end"
      width={240}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      opened={isOpen}
      onChange={setOpen}
    >
      <Menu.Target>
        <AccountButton ref={target} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label style={{ overflowWrap: 'anywhere' }}>{shownName}</Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<CircleUser {...ICON} />}>
          {words.shell.account}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{words.shell.theme.title}</Menu.Label>
        <Menu.RadioGroup value={colorScheme}>
          {schemes.map(({ scheme, label, icon }) => (
            <Menu.RadioItem
              key={scheme}
              value={scheme}
              rightSection={icon}
              onChange={() => setColorScheme(scheme)}
              closeMenuOnClick
            >
              {label()}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{words.common.language}</Menu.Label>
        <Menu.RadioGroup value={document.documentElement.lang} onChange={chooseLanguage}>
          {languages.map((tag) => (
            <Menu.RadioItem key={tag} value={tag} lang={tag} closeMenuOnClick>
              {nameLanguage(tag)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        {!isTouch && (
          <Menu.Item leftSection={<Keyboard {...ICON} />} onClick={openShortcuts}>
            {words.shell.shortcuts}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<LogOut {...ICON} />} onClick={signOut}>
          {words.shell.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
