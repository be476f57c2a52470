// The texts of the first view in English: the shell, the overview, and what all pages share.
import { guide, shortcuts } from './en-help.ts';
import { overview } from './en-overview.ts';
import { pages } from './en-pages.ts';

const number = (count: number) => count.toLocaleString('en');
const seconds = (count: number) => (count === 1 ? '1 second' : `${count} seconds`);

/** Translations of the validation errors of settings. */
const faults: Readonly<Record<string, string | undefined>> = {
  '… must be boolean.': 'Use yes or no.',
  '… must be <= #.': 'Use at most #.',
  '… must be >= #.': 'Use at least #.',
  '… must hold {{…}}.': 'The text must hold {{…}}.',
  '… holds {{…}}, but may hold only {{…}}.': 'There is no {{…}} here. Use only {{…}}.',
  '… has double braces that hold no placeholder.': 'Double braces must hold a placeholder.',
  'Links may not lead to https://…. Add it to the allowed origins of Latchkey.Links.':
    'Links may not lead to https://…. Add it to the allowed origins in the general settings, under “Links in messages”.',
};

export const first = {
  guide,
  shortcuts,
  ...pages,
  common: {
    ...pages.common,
    sendTest: {
      email: 'Send me a test e-mail',
      sms: 'Send me a test SMS',
      unverified: {
        email: 'Verify your own e-mail address first:',
        sms: 'Verify your own mobile number first:',
      },
      sent: (to: string) => `A test is on its way to ${to}. The audit trail has the result.`,
    },
    undo: 'Undo',
    undone: 'The change was undone.',
    changedSince: 'Another administrator has changed this meanwhile. Nothing was saved.',
    save: 'Save',
    create: 'Create',
    discardTitle: 'Discard your changes?',
    discardText: 'What you have changed is not saved.',
    keepEditing: 'Keep editing',
    discard: 'Discard',
  },
  service: { ...pages.service, faults: { ...pages.service.faults, ...faults } },
  overview,
  list: {
    total: (count: number) => (count === 1 ? '1 entry' : `${number(count)} entries`),
    moreThan: (count: number) => `More than ${number(count)} entries`,
    size: 'Rows on a page',
    rows: (count: number) => `${count} rows`,
    page: (page: number | string) => `Page ${page}`,
    first: 'First page',
    previous: 'Previous page',
    next: 'Next page',
    last: 'Last page',
  },
  copy: { copy: (label: string) => `Copy: ${label}`, copied: 'Copied' },
  records: {
    choose: (name: string) => `Select ${name}`,
    chooseAll: 'Select all on this page',
    sort: 'Sort by',
    ascending: (column: string) => `${column}, ascending`,
    descending: (column: string) => `${column}, descending`,
  },
  shell: {
    skip: 'Skip to the content',
    denied: 'You do not have permission to open this page. Please ask an administrator.',
    deniedTitle: 'Not permitted',
    failed: 'Not loaded',
    home: 'Go to the first page',
    navigation: 'Sections',
    menu: 'Menu',
    account: 'My account',
    settings: 'Settings',
    users: 'Users',
    roles: 'Roles',
    frontEnds: 'Front ends',
    serviceKeys: 'Service keys',
    applications: 'Applications',
    externalProviders: 'External providers',
    audit: 'Audit trail',
    webhooks: 'Webhooks',
    outbox: 'Outbox',
    signOut: 'Sign out',
    accountMenu: (name: string) => `Menu of ${name}`,
    guide: 'Guide',
    api: 'API explorer',
    shortcuts: 'Keyboard shortcuts',
    groups: { people: 'People', policy: 'Policy', operation: 'Operation', help: 'Help' },
    theme: { title: 'Appearance', light: 'Light', dark: 'Dark', auto: 'As on this device' },
    search: {
      open: 'Find',
      placeholder: 'Search pages, users, settings and guides',
      none: 'Nothing found.',
      pages: 'Pages',
      actions: 'Actions',
      users: 'Users',
      settings: 'Settings',
      guides: 'Guides',
    },
    trail: 'You are here',
  },
  idle: {
    title: 'Are you still there?',
    text: (count: number) => `The service signs you out in ${seconds(count)}.`,
    stay: 'Stay signed in',
    signOut: 'Sign out now',
  },
};

export type FirstWords = typeof first;
