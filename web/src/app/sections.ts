// The sections of the application, as the navigation and the command palette list them.
import {
  AppWindow,
  Blocks,
  BookOpen,
  CircleUser,
  KeyRound,
  LayoutDashboard,
  LogIn,
  type LucideIcon,
  Mail,
  ScrollText,
  Shield,
  SlidersHorizontal,
  SquareTerminal,
  Users,
  Webhook,
} from 'lucide-react';
import { words } from '../words/index.ts';
import { type Me, may } from './me.ts';

export type Section = {
  readonly path: string;
  readonly label: () => string;
  readonly icon: LucideIcon;
  /** The guide of its pages, such as `roles#names`; absent for the guide itself. */
  readonly guide: string | undefined;
  /** Who finds it in the navigation; absent for every user. */
  readonly permission?: string;
  /** Whether the other users may open its pages, too. */
  readonly isOpen?: true;
};

/** Who sees the overview and the pages of policy and operation. */
export const MAINTENANCE = 'pages:maintenance';

type Group = { readonly label: (() => string) | undefined; readonly sections: readonly Section[] };

const groups: readonly Group[] = [
  {
    label: undefined,
    sections: [
      {
        path: '/',
        label: () => words.overview.title,
        icon: LayoutDashboard,
        guide: 'operating#the-overview',
        permission: MAINTENANCE,
      },
      { path: '/account', label: () => words.shell.account, icon: CircleUser, guide: 'pages#my-account' },
    ],
  },
  {
    label: () => words.shell.groups.people,
    sections: [
      { path: '/users', label: () => words.shell.users, icon: Users, guide: 'users', permission: 'Pages.Users' },
      { path: '/roles', label: () => words.shell.roles, icon: Shield, guide: 'roles', permission: 'Pages.Users' },
    ],
  },
  {
    label: () => words.shell.groups.policy,
    sections: [
      {
        path: '/settings',
        label: () => words.shell.settings,
        icon: SlidersHorizontal,
        guide: 'settings',
        permission: MAINTENANCE,
      },
      {
        path: '/front-ends',
        label: () => words.shell.frontEnds,
        icon: AppWindow,
        guide: 'pages#front-ends',
        permission: MAINTENANCE,
      },
      {
        path: '/applications',
        label: () => words.shell.applications,
        icon: Blocks,
        guide: 'sign-in-with-latchkey',
        permission: MAINTENANCE,
      },
      {
        path: '/external-providers',
        label: () => words.shell.externalProviders,
        icon: LogIn,
        guide: 'external-providers',
        permission: MAINTENANCE,
      },
      {
        path: '/service-keys',
        label: () => words.shell.serviceKeys,
        icon: KeyRound,
        guide: 'introspection#service-keys',
        permission: MAINTENANCE,
      },
    ],
  },
  {
    label: () => words.shell.groups.operation,
    sections: [
      {
        path: '/audit',
        label: () => words.shell.audit,
        icon: ScrollText,
        guide: 'operating#the-audit-trail',
        permission: MAINTENANCE,
      },
      {
        path: '/webhooks',
        label: () => words.shell.webhooks,
        icon: Webhook,
        guide: 'webhooks',
        permission: MAINTENANCE,
      },
      {
        path: '/outbox',
        label: () => words.shell.outbox,
        icon: Mail,
        guide: 'delivery#the-development-outbox',
        permission: MAINTENANCE,
      },
    ],
  },
  {
    label: () => words.shell.groups.help,
    sections: [
      { path: '/guide', label: () => words.shell.guide, icon: BookOpen, guide: undefined },
      {
        path: '/api',
        label: () => words.shell.api,
        icon: SquareTerminal,
        guide: 'reference/http-api',
        permission: MAINTENANCE,
        isOpen: true,
      },
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

/** Returns the section that the page at this path belongs to. */
export const sectionAt = (path: string, me: Me): Section | undefined =>
  groups.flatMap(({ sections }) => sections).find((one) => isWithin(path, one, me));

/** Whether the user may open the pages of the section. The service refuses their calls otherwise. */
export const mayOpen = ({ permission, isOpen }: Section, me: Me): boolean =>
  permission === undefined || isOpen === true || may(me, permission);
