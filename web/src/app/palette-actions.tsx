// What the command palette can do from any page: create something, change the appearance, and sign out.
import { useMantineColorScheme } from '@mantine/core';
import { LogOut, type LucideIcon, Monitor, Moon, Plus, Sun } from 'lucide-react';
import { useNavigate } from 'react-router';
import { words } from '../words/all.ts';
import { may, useMe } from './me.ts';
import { MAINTENANCE } from './sections.ts';
import { CREATION } from './use-creation.ts';

type PaletteAction = { readonly label: string; readonly icon: LucideIcon; readonly run: () => unknown };

/** Where something is created, and who may do so. A list opens its dialog. */
const creations: readonly { label: () => string; path: string; permission: string; isDialog?: true }[] = [
  { label: () => words.users.create, path: '/users/new', permission: 'Pages.Users' },
  { label: () => words.users.imports.title, path: '/users/import', permission: 'Pages.Users' },
  { label: () => words.roles.add, path: '/roles', permission: MAINTENANCE, isDialog: true },
  { label: () => words.applications.add, path: '/applications', permission: MAINTENANCE, isDialog: true },
  { label: () => words.frontEnds.add, path: '/front-ends', permission: MAINTENANCE, isDialog: true },
  { label: () => words.externalProviders.add, path: '/external-providers/add', permission: MAINTENANCE },
  { label: () => words.serviceKeys.add, path: '/service-keys', permission: MAINTENANCE, isDialog: true },
  { label: () => words.webhooks.add, path: '/webhooks', permission: MAINTENANCE, isDialog: true },
];

export function usePaletteActions(signOut: () => void): readonly PaletteAction[] {
  const me = useMe();
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const { theme } = words.shell;
  const themes = [
    ['light', theme.light, Sun],
    ['dark', theme.dark, Moon],
    ['auto', theme.auto, Monitor],
  ] as const;
  return [
    ...creations
      .filter(({ permission }) => may(me, permission))
      .map(({ label, path, isDialog }) => ({
        label: label(),
        icon: Plus,
        run: () => navigate(path, isDialog ? { state: CREATION } : {}),
      })),
    ...themes.map(([scheme, name, icon]) => ({
      label: `${theme.title}: ${name}`,
      icon,
      run: () => setColorScheme(scheme),
    })),
    { label: words.shell.signOut, icon: LogOut, run: signOut },
  ];
}
