// The sections of the application, as the navigation and the command palette list them.
import {
  AppWindow,
  CircleUser,
  KeyRound,
  LayoutDashboard,
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

/** Who sees the overview and the pages of policy and operation. */
export const MAINTENANCE = 'pages:maintenance';

type Group = { readonly label: (() => string) | undefined; readonly sections: readonly Section[] };

const groups: readonly Group[] = [
  {
    label: undefined,
    sections: [
      { path: '/', label: () => words.overview.title, icon: LayoutDashboard, permission: MAINTENANCE },
      { path: '/account', label: () => words.shell.account, icon: CircleUser },
    ],
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
        permission: MAINTENANCE,
      },
      { path: '/front-ends', label: () => words.shell.frontEnds, icon: AppWindow, permission: MAINTENANCE },
      { path: '/service-keys', label: () => words.shell.serviceKeys, icon: KeyRound, permission: MAINTENANCE },
    ],
  },
  {
    label: () => words.shell.groups.operation,
    sections: [
      { path: '/audit', label: () => words.shell.audit, icon: ScrollText, permission: MAINTENANCE },
      { path: '/outbox', label: () => words.shell.outbox, icon: Mail, permission: MAINTENANCE },
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

/** Whether the page at this path belongs to the section. Users without the overview see their account at `/`. */
export function isWithin(path: string, section: Section, me: Me): boolean {
  const shown = path === '/' && !may(me, MAINTENANCE) ? '/account' : path;
  return shown === section.path || shown.startsWith(`${section.path}/`);
}
