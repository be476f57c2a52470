// Every page of the service in its main states: which route it belongs to, where it is, and how a reader brings it there.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** Modules of the pages, imported by computed names: they are typed for browsers, tests are not. */
const load = (path: string) => import(new URL(`../../${path}`, import.meta.url).href);

/** The texts of the pages by language. */
export const texts = {
  en: (await load('web/src/words/en.ts')).en,
  de: (await load('web/src/words/languages/de.ts')).words,
  fr: (await load('web/src/words/languages/fr.ts')).words,
};

export type Language = keyof typeof texts;

type Words = (typeof texts)[Language];

/** One page in one state. `show` brings the page there after it has loaded, and returns when the state is visible. */
export type State = {
  readonly name: string;
  /** The route as the code declares it. */
  readonly route: string;
  readonly path: string;
  readonly show?: (page: Page, words: Words) => Promise<void>;
  /** Answers to calls that the state is about. */
  readonly prepare?: (page: Page) => Promise<void>;
};

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Returns the routes that the entries of the pages and the navigation declare. */
export function readRoutes(): { application: string[]; signIn: string[]; sections: string[] } {
  const all = (path: string, pattern: RegExp) => [...read(path).matchAll(pattern)].map(([, route = '']) => route);
  return {
    application: all('web/src/app/main.tsx', /^ {2}'([^']+)': [A-Z]\w+,$/gm),
    signIn: all('web/src/sign-in/main.tsx', /^ {2}'(\/[^']+)': (?:lazyComponent|LoginPage)/gm),
    sections: all('web/src/app/sections.ts', /path: '([^']+)'/g),
  };
}

const click = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click();

const dialog = (page: Page) => page.getByRole('dialog').first().waitFor();

/** Presses a button, and waits for its dialog. */
async function openDialog(page: Page, name: string | RegExp): Promise<void> {
  await click(page, name);
  await dialog(page);
}

const openMenu = async (page: Page, name: string | RegExp) => {
  await click(page, name);
  await page.getByRole('menu').first().waitFor();
};

/** Refuses a call, as a service with a fault does. */
const failing = (call: string) => async (page: Page) => {
  await page.route(`**/api/services/app/${call}*`, (route) => route.fulfill({ status: 500, json: { success: false } }));
};

/** Never answers a call. */
const hanging = (call: string) => async (page: Page) => {
  await page.route(`**/api/services/app/${call}*`, () => {});
};

/** Answers a call with this result. */
const answering = (call: string, result: object) => async (page: Page) => {
  await page.route(`**/api/services/app/${call}*`, (route) => route.fulfill({ json: { success: true, result } }));
};

const loading = (page: Page, { common }: Words) => page.getByRole('status', { name: common.loading }).first().waitFor();

const failed = (page: Page) => page.getByRole('alert').first().waitFor();

const FILE = {
  name: 'users.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('user,mail,phone\nimported,imported@example.org,\nthandi,,\n,nobody,12\n'),
};

async function chooseFile(page: Page, { users }: Words): Promise<void> {
  await page.locator('input[type=file]').first().setInputFiles(FILE);
  await page.getByRole('combobox', { name: users.imports.mapping.memberOf('user') }).selectOption('userName');
}

async function selectUsers(page: Page, { records }: Words): Promise<void> {
  await page.getByRole('checkbox', { name: records.chooseAll }).check();
}

/** Types into each single-line field, so that a form has changes. */
async function switchFirst(page: Page, { settings }: Words): Promise<void> {
  await page.getByRole('switch').first().press('Space');
  await page.getByRole('region', { name: settings.bar.label }).waitFor();
}

/** The longest name of an application, without a place to break it. */
const APPLICATION = 'Abteilungsverwaltungsanwendung'.repeat(4).slice(0, 100);

/** A request of that application. */
const WAITING = {
  application: { name: APPLICATION },
  frontEnd: 'default-app',
  loginHint: 'thandi',
  prompt: [],
  acrValues: 'aal1',
};

/** What applications were told when a session ended, in each state. */
const USER_SESSIONS = {
  items: [
    {
      id: '0',
      frontEnd: 'default-app',
      ipAddress: '196.25.1.4',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
      signedInAt: '2026-01-01T12:00:00Z',
      lastRefreshedAt: '2026-01-01T13:00:00Z',
      method: 'pwd',
      application: { name: APPLICATION },
    },
  ],
};

const SIGN_OUTS = {
  items: [
    {
      sessionId: '0',
      endedAt: '2026-01-01T12:00:00Z',
      applications: ['pending', 'confirmed', 'refused', 'failed', 'unreachable'].map((state, index) => ({
        name: index === 0 ? APPLICATION : `Application ${index}`,
        state,
        at: '2026-01-01T12:00:00Z',
        tokensEndAt: '2099-12-31T23:59:59Z',
      })),
    },
  ],
};

const users: readonly State[] = [
  { name: 'users', route: '/users', path: '/users' },
  { name: 'users-filtered', route: '/users', path: '/users?filter=active&factor=without&unverified=1&from=2020-01-31' },
  {
    name: 'users-filters',
    route: '/users',
    path: '/users',
    async show(page, { users }) {
      await page.getByRole('button', { name: new RegExp(`^(${users.filter}|${users.filterButton})$`) }).click();
      await page.getByLabel(users.flags.locked).waitFor();
    },
  },
  { name: 'users-empty', route: '/users', path: '/users?keyword=no-such-user' },
  { name: 'users-failed', route: '/users', path: '/users', prepare: failing('User/GetAll'), show: failed },
  { name: 'users-loading', route: '/users', path: '/users', prepare: hanging('User/GetAll'), show: loading },
  { name: 'users-selected', route: '/users', path: '/users', show: selectUsers },
  {
    name: 'users-actions',
    route: '/users',
    path: '/users',
    async show(page, words) {
      await selectUsers(page, words);
      await openMenu(page, words.users.bulk.choose);
    },
  },
  {
    name: 'users-results',
    route: '/users',
    path: '/users?keyword=user-00',
    async show(page, words) {
      const { bulk } = words.users;
      await selectUsers(page, words);
      await openMenu(page, bulk.choose);
      await page.getByRole('menuitem', { name: bulk.actions.unlock.label }).click();
      await dialog(page);
      await page.getByRole('dialog').getByRole('button', { name: bulk.actions.unlock.yes, exact: true }).click();
      await page.getByRole('dialog').getByRole('listitem').filter({ hasText: bulk.done }).first().waitFor();
    },
  },
  {
    name: 'users-export',
    route: '/users',
    path: '/users',
    show: (page, { users: { exports } }) => openMenu(page, exports.open),
  },
  { name: 'user-new', route: '/users/:id', path: '/users/new' },
  {
    name: 'user-new-faults',
    route: '/users/:id',
    path: '/users/new',
    async show(page, words) {
      await click(page, words.users.invitation.createAndSend);
      await page.getByText(words.common.required).first().waitFor();
    },
  },
  { name: 'user', route: '/users/:id', path: '/users/$user' },
  // The administrator, who has open sessions.
  { name: 'user-sessions', route: '/users/:id', path: '/users/1' },
  {
    name: 'user-sign-outs',
    route: '/users/:id',
    path: '/users/$user',
    prepare: answering('Session/GetSignOuts', SIGN_OUTS),
    show: (page, { signOuts }) => page.getByRole('region', { name: signOuts.title }).waitFor(),
  },
  {
    name: 'user-edit',
    route: '/users/:id',
    path: '/users/$user',
    show: (page, { users: { edit } }) => openDialog(page, edit),
  },
  {
    name: 'user-deactivate',
    route: '/users/:id',
    path: '/users/$user',
    show: (page, { users: { actions } }) => openDialog(page, actions.deactivate),
  },
  {
    name: 'user-reset',
    route: '/users/:id',
    path: '/users/$user',
    show: (page, { users: { actions } }) => openDialog(page, actions.resetPassword),
  },
  {
    name: 'user-session',
    route: '/users/:id',
    path: '/users/$user',
    prepare: answering('User/GetSessions', USER_SESSIONS),
    // In a name, the browser makes a plain space of the hard one of French.
    show: (page, { users: { sessions } }) =>
      openDialog(page, new RegExp(`^${sessions.endOne('').replace(/\s/g, ' ')}`)),
  },
  {
    name: 'user-reset-link',
    route: '/users/:id',
    path: '/users/$user',
    show: (page, { users: { resetLink } }) => openDialog(page, resetLink.open),
  },
  {
    name: 'user-generated',
    route: '/users/:id',
    path: '/users/$user',
    async show(page, { users: { actions } }) {
      await openDialog(page, actions.resetPassword);
      await click(page, actions.generate);
      await page.getByText(actions.generated).waitFor();
    },
  },
  { name: 'user-unknown', route: '/users/:id', path: '/users/999999', show: failed },
  { name: 'import', route: '/users/:id', path: '/users/import' },
  { name: 'import-columns', route: '/users/:id', path: '/users/import', show: chooseFile },
  {
    name: 'import-checked',
    route: '/users/:id',
    path: '/users/import',
    async show(page, words) {
      await chooseFile(page, words);
      await click(page, words.users.imports.check);
      await page.getByText(words.users.imports.checked).waitFor();
    },
  },
];

const settings: readonly State[] = [
  { name: 'settings', route: '/settings', path: '/settings' },
  { name: 'settings-front-end', route: '/settings', path: '/settings?frontEnd=portal' },
  { name: 'settings-messages', route: '/settings', path: '/settings?category=Messages' },
  {
    name: 'settings-message',
    route: '/settings',
    path: '/settings?category=Messages&setting=Latchkey.Messages.PasswordResetLink',
    show: (page) => page.getByText('123456').first().waitFor(),
  },
  { name: 'settings-compare', route: '/settings', path: '/settings?view=compare' },
  { name: 'settings-failed', route: '/settings', path: '/settings', prepare: failing('Settings/*'), show: failed },
  { name: 'settings-changed', route: '/settings', path: '/settings?frontEnd=portal', show: switchFirst },
  {
    name: 'settings-review',
    route: '/settings',
    path: '/settings?frontEnd=portal',
    async show(page, words) {
      await switchFirst(page, words);
      await openDialog(page, words.settings.bar.review);
    },
  },
  {
    name: 'settings-unsaved',
    route: '/settings',
    path: '/settings?frontEnd=portal',
    async show(page, words) {
      await switchFirst(page, words);
      await page.keyboard.press('Control+K');
      await page.getByLabel(words.shell.search.placeholder).fill(words.shell.outbox);
      await page.locator('[data-action]').first().waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: words.settings.unsaved.title }).waitFor();
    },
  },
  {
    name: 'settings-presets',
    route: '/settings',
    path: '/settings',
    async show(page, { settings: { presets } }) {
      await openDialog(page, presets.open);
      await page.getByRole('dialog').getByRole('combobox', { name: presets.choose }).selectOption('aal2');
    },
  },
  {
    name: 'settings-origin',
    route: '/settings',
    path: '/settings?frontEnd=portal',
    show: async (page, { settings: { origin } }) => {
      await page
        .getByRole('button', { name: new RegExp(`^${origin.open}`) })
        .first()
        .click();
      await dialog(page);
    },
  },
  {
    name: 'settings-found',
    route: '/settings',
    path: '/settings',
    async show(page, { settings: { search } }) {
      await page.getByRole('searchbox', { name: search.label }).fill('a');
    },
  },
];

const others: readonly State[] = [
  { name: 'not-found', route: '*', path: '/nowhere' },
  { name: 'overview', route: '/', path: '' },
  { name: 'overview-failed', route: '/', path: '', prepare: failing('Overview/*'), show: failed },
  { name: 'navigation', route: '/', path: '', show: (page, { shell }) => click(page, shell.menu) },
  {
    name: 'account-menu',
    route: '/',
    path: '',
    show: (page, { shell }) => openMenu(page, new RegExp(`^${shell.accountMenu('')}`)),
  },
  {
    name: 'palette',
    route: '/outbox',
    path: '/outbox',
    async show(page, { shell: { search } }) {
      await page.keyboard.press('Control+K');
      await page.getByLabel(search.placeholder).fill('a');
      await page.locator('[data-action]').first().waitFor();
    },
  },
  {
    name: 'shortcuts',
    route: '/outbox',
    path: '/outbox',
    async show(page) {
      await page.keyboard.press('?');
      await dialog(page);
    },
  },
  { name: 'account', route: '/account', path: '/account' },
  {
    name: 'account-password',
    route: '/account',
    path: '/account',
    show: (page, { account }) => openDialog(page, account.password.change),
  },
  {
    name: 'account-address',
    route: '/account',
    path: '/account',
    show: (page, { account }) => openDialog(page, account.profile.add.emailAddress),
  },
  {
    name: 'account-authenticator',
    route: '/account',
    path: '/account',
    show: (page, { factors }) => openDialog(page, factors.account.authenticator.setUp),
  },
  {
    name: 'account-questions',
    route: '/account',
    path: '/account',
    show: (page, { account }) => openDialog(page, account.questions.begin),
  },
  { name: 'roles', route: '/roles', path: '/roles' },
  {
    name: 'roles-empty',
    route: '/roles',
    path: '/roles',
    show: async (page, { roles }) => {
      await page.getByRole('searchbox').fill('no such role');
      await page.getByText(roles.empty).waitFor();
    },
  },
  { name: 'role-add', route: '/roles', path: '/roles', show: (page, { roles }) => openDialog(page, roles.add) },
  { name: 'front-ends', route: '/front-ends', path: '/front-ends' },
  {
    name: 'front-end-add',
    route: '/front-ends',
    path: '/front-ends',
    show: (page, { frontEnds }) => openDialog(page, frontEnds.add),
  },
  { name: 'brand', route: '/front-ends/:appKey/brand', path: '/front-ends/portal/brand' },
  {
    name: 'brand-illegible',
    route: '/front-ends/:appKey/brand',
    path: '/front-ends/kiosk/brand',
    async show(page, { brand }) {
      await page.locator('input[name=accent]').fill('#ffd400');
      await page.getByLabel(brand.edit.terms).fill('javascript:alert(1)');
      await click(page, brand.edit.save);
    },
  },
  { name: 'front-end-connect', route: '/front-ends/:appKey/connect', path: '/front-ends/portal/connect' },
  { name: 'service-keys', route: '/service-keys', path: '/service-keys' },
  {
    name: 'service-key-add',
    route: '/service-keys',
    path: '/service-keys',
    show: (page, { serviceKeys }) => openDialog(page, serviceKeys.add),
  },
  { name: 'applications', route: '/applications', path: '/applications' },
  {
    name: 'application-add',
    route: '/applications',
    path: '/applications',
    show: (page, { applications }) => openDialog(page, applications.add),
  },
  { name: 'application', route: '/applications/:id', path: '/applications/$application' },
  {
    name: 'application-edit',
    route: '/applications/:id',
    path: '/applications/$application',
    show: (page, { applications }) => openDialog(page, applications.edit),
  },
  { name: 'application-connect', route: '/applications/:id', path: '/applications/$application?tab=connect' },
  { name: 'application-unknown', route: '/applications/:id', path: '/applications/none' },
  { name: 'external-providers', route: '/external-providers', path: '/external-providers' },
  {
    name: 'external-provider-add',
    route: '/external-providers/add',
    path: '/external-providers/add',
    async show(page, { externalProviders: texts, common }) {
      await page.getByLabel(texts.columns.type).selectOption('oauth2');
      await click(page, texts.more);
      await click(page, common.create);
    },
  },
  { name: 'external-provider', route: '/external-providers/:id', path: '/external-providers/$provider' },
  {
    name: 'external-provider-edit',
    route: '/external-providers/:id',
    path: '/external-providers/$provider',
    async show(page, { externalProviders: texts }) {
      await openDialog(page, texts.edit);
      await click(page, texts.more);
    },
  },
  {
    name: 'external-provider-secret',
    route: '/external-providers/:id',
    path: '/external-providers/$provider',
    show: (page, { externalProviders: texts }) => openDialog(page, texts.secret.open),
  },
  {
    name: 'external-provider-history',
    route: '/external-providers/:id',
    path: '/external-providers/$provider',
    show: (page, { settings }) => openDialog(page, settings.history.open),
  },
  { name: 'external-provider-unknown', route: '/external-providers/:id', path: '/external-providers/none' },
  { name: 'webhooks', route: '/webhooks', path: '/webhooks' },
  { name: 'webhooks-failed', route: '/webhooks', path: '/webhooks', prepare: failing('Webhook/GetAll'), show: failed },
  {
    name: 'webhook-add',
    route: '/webhooks',
    path: '/webhooks',
    show: (page, { webhooks }) => openDialog(page, webhooks.add),
  },
  { name: 'webhook', route: '/webhooks/:id', path: '/webhooks/$webhook' },
  {
    name: 'webhook-rotate',
    route: '/webhooks/:id',
    path: '/webhooks/$webhook',
    show: (page, { webhooks }) => openDialog(page, webhooks.rotation.open),
  },
  { name: 'webhook-unknown', route: '/webhooks/:id', path: '/webhooks/none' },
  { name: 'audit', route: '/audit', path: '/audit' },
  { name: 'audit-failed', route: '/audit', path: '/audit', prepare: failing('Audit/GetAll'), show: failed },
  {
    name: 'audit-entry',
    route: '/audit',
    path: '/audit',
    async show(page) {
      await page.getByRole('main').locator('button[aria-haspopup=dialog]:not([role=combobox])').first().click();
      await dialog(page);
    },
  },
  { name: 'outbox', route: '/outbox', path: '/outbox' },
  { name: 'guide', route: '/guide', path: '/guide' },
  { name: 'guide-page', route: '/guide/*', path: '/guide/roles' },
  { name: 'api', route: '/api', path: '/api' },
  { name: 'api-call', route: '/api/:id', path: '/api/User_Create' },
];

/** The pages of the application, for an administrator. `$user`, `$webhook`, `$application` and `$provider` in a path are ids. */
export const applicationStates: readonly State[] = [...others, ...users, ...settings];

const NAME = 'thandi';

const submit = (page: Page) => page.locator('button[type=submit]').first().click();

const forget = async (page: Page) => {
  await page.locator('input[name=username], input[autocomplete~=username]').first().fill(NAME);
  await submit(page);
};

/** The pages of a visitor who has not signed in. */
export const visitorStates: readonly State[] = [
  { name: 'login', route: '/login', path: '/login' },
  { name: 'login-brand', route: '/login', path: '/login?frontEnd=portal' },
  { name: 'login-long-name', route: '/login', path: '/login?frontEnd=kiosk' },
  {
    name: 'login-faults',
    route: '/login',
    path: '/login',
    async show(page, { common }) {
      await submit(page);
      await page.getByText(common.required).first().waitFor();
    },
  },
  { name: 'login-ended', route: '/login', path: '/login?end=idle' },
  {
    name: 'login-locked',
    route: '/login',
    path: '/login',
    async show(page, { signIn, locked }) {
      const waiting = page.getByText(locked.title);
      for (let tries = 0; (await waiting.count()) === 0 && tries < 8; tries += 1) {
        await page.getByLabel(signIn.name).fill('locked by a visitor');
        await page.getByLabel(signIn.password, { exact: true }).fill(`wrong ${tries}`);
        await submit(page);
        await page.getByRole('alert').first().waitFor();
      }
      await waiting.waitFor();
    },
  },
  {
    name: 'login-change',
    route: '/login',
    path: '/login',
    async show(page, { signIn, change }) {
      await page.getByLabel(signIn.name).fill('lerato');
      await page.getByLabel(signIn.password, { exact: true }).fill('staple gravel lantern');
      await submit(page);
      await page.getByRole('heading', { name: change.title }).waitFor();
    },
  },
  {
    name: 'login-second-factor',
    route: '/login',
    path: '/login',
    async show(page, { signIn, factors }) {
      await page.getByLabel(signIn.name).fill('sipho');
      await page.getByLabel(signIn.password, { exact: true }).fill('staple gravel lantern');
      await submit(page);
      await page.getByRole('heading', { name: factors.challenge.title }).waitFor();
    },
  },
  {
    name: 'login-application',
    route: '/login',
    path: '/login?authorization=0',
    prepare: answering('Authorization/Get', WAITING),
    show: (page) => page.getByText(APPLICATION).waitFor(),
  },
  {
    name: 'login-application-ended',
    route: '/login',
    path: '/login?authorization=none',
    show: (page, { signInTo }) => page.getByText(signInTo.authorization.ended.text).waitFor(),
  },
  {
    name: 'login-application-consent',
    route: '/login',
    path: '/login?authorization=0',
    async prepare(page) {
      await answering('Authorization/Get', WAITING)(page);
      const scopes = ['openid', 'profile', 'email', 'phone', 'roles', 'offline_access'];
      await answering('Authorization/Continue', { consentNeeded: { application: { name: APPLICATION }, scopes } })(
        page,
      );
    },
    async show(page, { signIn, signInTo }) {
      await page.getByLabel(signIn.name).fill(NAME);
      await page.getByLabel(signIn.password, { exact: true }).fill('staple gravel lantern');
      await submit(page);
      await page.getByText(signInTo.authorization.consent.later).waitFor();
    },
  },
  {
    name: 'device-unknown',
    route: '/device',
    path: '/device?user_code=BBBBBBBB',
    async show(page) {
      await submit(page);
      await page.locator('[aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'device',
    route: '/device',
    path: '/device?user_code=BCDF-GHJK',
    prepare: answering('Device/Get', {
      authorization: '0',
      application: { name: APPLICATION },
      ipAddress: '2001:db8:85a3:1234:5678:8a2e:370:7334',
    }),
    async show(page, { signInTo }) {
      await submit(page);
      await page.getByText(signInTo.device.warning).waitFor();
    },
  },
  { name: 'sign-out', route: '/sign-out', path: '/sign-out?question=none' },
  { name: 'signed-out', route: '/signed-out', path: '/signed-out' },
  {
    name: 'signed-out-told',
    route: '/signed-out',
    path: '/signed-out?receipt=0',
    prepare: answering('Session/GetSignOut', SIGN_OUTS),
    show: (page, { signInTo }) => page.getByText(signInTo.signOut.told.waiting).waitFor(),
  },
  { name: 'pin', route: '/login/pin', path: '/login/pin' },
  {
    name: 'pin-sent',
    route: '/login/pin',
    path: '/login/pin',
    async show(page, { pin }) {
      await page.getByLabel(pin.name).fill(NAME);
      await submit(page);
      await page.getByLabel(pin.code, { exact: true }).waitFor();
    },
  },
  { name: 'external', route: '/login/external', path: '/login/external/Company' },
  { name: 'forgot', route: '/forgot-password', path: '/forgot-password' },
  {
    name: 'forgot-methods',
    route: '/forgot-password',
    path: '/forgot-password',
    async show(page, { forgot }) {
      await forget(page);
      await page.getByText(forgot.choose).waitFor();
    },
  },
  {
    name: 'forgot-code',
    route: '/forgot-password',
    path: '/forgot-password',
    async show(page, { forgot }) {
      await forget(page);
      await page.getByText(forgot.choose).waitFor();
      await page.getByRole('main').getByRole('button').first().click();
      await page.getByText(forgot.linkSent).waitFor();
    },
  },
  { name: 'reset', route: '/reset-password', path: '/reset-password' },
  { name: 'register', route: '/register', path: '/register' },
  {
    name: 'register-pin',
    route: '/register',
    path: '/register',
    async show(page, { register }) {
      await page.getByLabel(register.mobile).first().fill('+27821239999');
      await submit(page);
      await page.getByLabel(register.pin, { exact: true }).waitFor();
    },
  },
];
