// The sections of the application, as the navigation and the command palette list them.
import {
  AppWindow,
  CircleUser,
  KeyRound,
  type LucideIcon,
  Mail,
  ScrollText,
  Shield,
  SlidersHorizontal,
  Users,
} from 'lucide-react';
import { words } from '../words/index.ts';
import { type Me, may } from './me.ts';

export type Section = {
  readonly path: string;
  readonly label: () => string;
  readonly icon: LucideIcon;
  /** Who may open it; absent for every user. */
  readonly permission?: string;
};

type Group = { readonly label: (() => string) | undefined; readonly sections: readonly Section[] };

const groups: readonly Group[] = [
  {
    label: undefined,
    sections: [{ path: '/account', label: () => words.shell.account, icon: CircleUser }],
  },
  {
    label: () => words.shell.groups.people,
    sections: [
      { path: '/users', label: () => words.shell.users, icon: Users, permission: 'Pages.Users' },
      { path: '/roles', label: () => words.shell.roles, icon: Shield, permission: 'Pages.Users' },
    ],
  },
  {
    label: () => words.shell.groups.policy,
    sections: [
      {
        path: '/settings',
        label: () => words.shell.settings,
        icon: SlidersHorizontal,
        permission: 'pages:maintenance',
      },
      { path: '/front-ends', label: () => words.shell.frontEnds, icon: AppWindow, permission: 'pages:maintenance' },
      { path: '/service-keys', label: () => words.shell.serviceKeys, icon: KeyRound, permission: 'pages:maintenance' },
    ],
  },
  {
    label: () => words.shell.groups.operation,
    sections: [
      { path: '/audit', label: () => words.shell.audit, icon: ScrollText, permission: 'pages:maintenance' },
      { path: '/outbox', label: () => words.shell.outbox, icon: Mail, permission: 'pages:maintenance' },
    ],
  },
];

/** Returns the groups with the sections that the user may open. */
export function groupsFor(me: Me): Group[] {
  return groups
    .map(({ label, sections }) => ({
      label,
      sections: sections.filter(({ permission }) => permission === undefined || may(me, permission)),
    }))
    .filter(({ sections }) => sections.length > 0);
}

/** Whether the page at this path belongs to the section. */
export const isWithin = (path: string, section: Section) =>
  path === section.path || path.startsWith(`${section.path}/`);
