// What the command palette can do from any page: create something, list what needs work, change the appearance, and sign out.
import { useMantineColorScheme } from '@mantine/core';
import { ListFilter, LogOut, type LucideIcon, Monitor, Moon, Plus, Sun } from 'lucide-react';
import { useNavigate } from 'react-router';
import { words } from '../words/all.ts';
import { may, useMe } from './me.ts';
import { MAINTENANCE, mayOpen, sectionAt } from './sections.ts';
import { CREATION } from './use-creation.ts';

/** @property also other words under which a reader looks for it. */
type PaletteAction = {
  readonly label: string;
  readonly also?: string;
  readonly icon: LucideIcon;
  readonly run: () => unknown;
};

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

const ofUsers = (label: () => string, filter: string, also: string) => ({
  label: () => words.common.labelled(words.users.title, label()),
  path: `/users?${filter}`,
  permission: 'Pages.Users',
  also,
});

const ofTrail = (label: () => string, filter: string, also: string) => ({
  label: () => words.common.labelled(words.audit.title, label()),
  path: `/audit?${filter}`,
  permission: MAINTENANCE,
  also,
});

/** Lists by what is to be done with their entries, and who may see them. The other words are in all languages of the pages. */
const lists: readonly { label: () => string; path: string; permission: string; also: string }[] = [
  ofUsers(
    () => words.users.flags.locked,
    'locked=1',
    'unlock locked lockout block | entsperren sperre | déverrouiller verrouillés bloqués',
  ),
  ofUsers(
    () => words.users.flags.signedIn,
    'signedIn=1',
    'who is signed in logged in online sessions | wer angemeldet eingeloggt sitzungen | qui connecté en ligne sessions',
  ),
  ofUsers(
    () => words.users.flags.never,
    'never=1',
    'who never signed in invite login log in | nie angemeldete einladen | jamais connectés inviter',
  ),
  ofUsers(
    () => words.users.flags.mustChange,
    'mustChange=1',
    'who must change the password expired | kennwort ändern | changer mot de passe',
  ),
  ofUsers(
    () => words.users.flags.unverified,
    'unverified=1',
    'verify email e-mail mail phone unverified | bestätigen unbestätigte | vérifier courriel téléphone',
  ),
  ofUsers(
    () => words.users.states.inactive,
    'filter=inactive',
    'activate reactivate inactive disabled | aktivieren inaktive | activer réactiver inactifs',
  ),
  ofTrail(
    () => words.overview.figures.refusals,
    'outcome=refused',
    'refused failed denied sign-ins signins logins attempts | abgelehnte fehlgeschlagene anmeldungen | refusées échouées connexions',
  ),
  ofTrail(
    () => words.overview.figures.messagesFailed,
    'action=message.failed,message.dropped',
    'failed e-mail email sms delivery | fehlgeschlagene zustellung | échec courriel envoi',
  ),
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
      .filter(({ permission, path }) => {
        const section = sectionAt(path, me);
        return may(me, permission) && (!section || mayOpen(section, me));
      })
      .map(({ label, path, isDialog }) => ({
        label: label(),
        icon: Plus,
        run: () => navigate(path, isDialog ? { state: CREATION } : {}),
      })),
    ...lists
      .filter(({ permission }) => may(me, permission))
      .map(({ label, path, also }) => ({ label: label(), also, icon: ListFilter, run: () => navigate(path) })),
    ...themes.map(([scheme, name, icon]) => ({
      label: words.common.labelled(theme.title, name),
      icon,
      run: () => setColorScheme(scheme),
    })),
    { label: words.shell.signOut, icon: LogOut, run: signOut },
  ];
}
