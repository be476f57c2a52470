// Every page in a language that one added file gives: each text comes from it, and none is cut on a phone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { settingDefinitions } from '../../server/src/app/catalogue.ts';
import { createTestProvider } from '../../server/test/support/providers.ts';
import { createRegistering } from '../../server/test/support/registration.ts';
import { ADMIN_PASSWORD } from '../../server/test/support/service.ts';
import {
  ADDED,
  createPseudoLanguage,
  findFaults,
  type ServedPages,
  serveWithLanguage,
} from '../support/added-language.ts';
import { type OpenOptions, type Pages, startPages } from '../support/browser.ts';
import { enrollApp, setFactors } from '../support/factors.ts';
import { liftLimits } from '../support/messages.ts';

const looks: readonly OpenOptions[] = [{ width: 390 }, { width: 1280 }];

/** Returns the button without the names in its text, so that one of many like it is pressed. */
const kindOf = (label: string) =>
  label
    .replace(/[^⟦⟧]*⟦/g, '⟦')
    .replace(/⟧[^⟦⟧]*/g, '⟧')
    .replace(/\d+/g, '#');

/** What lies over other buttons. */
const OVERLAYS = '[role=dialog], [role=menu], .mantine-Overlay-root, .mantine-Notification-root';

/** Buttons that leave the page. */
const LEAVING = /Sign out ω|Sign out now|Download|Export|As CSV|As JSON/;

describe('a language that one file adds', () => {
  let pages: Pages;
  let served: ServedPages;
  let userId: number;
  let webhookId: string;
  let applicationId: string;
  let providerId: string;
  before(async () => {
    pages = await startPages('sqlite', { additions: { providers: [createTestProvider('Example').info] } });
    await liftLimits(pages);
    const { test } = pages;
    served = await serveWithLanguage(pages, ADDED.tag, await createPseudoLanguage());
    await createRegistering(test).open('email');
    await setFactors(pages, { authenticator: true, passkeys: true, trustedDeviceDays: 30 });
    await test.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
    userId = await test.createUser('sipho', {
      name: 'Sipho',
      surname: 'Dlamini',
      emailAddress: 'sipho@example.org',
      mobileNumber: '+27821234567',
      isMobileConfirmed: true,
      roleNames: ['UserManager'],
    });
    await enrollApp(pages, 'sipho');
    const token = await test.admin();
    await test.post('/api/services/app/FrontEndApp/Create', { token, body: { appKey: 'kiosk', name: 'Kiosk' } });
    await test.createServiceKey('billing', ['introspect']);
    const body = { url: 'http://127.0.0.1:9/events', actions: ['*'], description: 'Kiosk' };
    webhookId = (await test.post('/api/services/app/Webhook/Create', { token, body })).result.id;
    const application = { name: 'Kiosk', kind: 'web', redirectUris: ['https://kiosk.example.org/'] };
    applicationId = (await test.post('/api/services/app/Application/Create', { token, body: application })).result.id;
    const provider = { type: 'oidc', name: 'Kiosk', clientId: 'kiosk', issuer: 'https://kiosk.example.org' };
    providerId = (await test.post('/api/services/app/ExternalProvider/Create', { token, body: provider })).result.id;
    await test.post('/api/TokenAuth/Authenticate', { body: { userNameOrEmailAddress: 'sipho', password: 'x' } });
    await test.post('/api/TokenAuth/OtpAuthenticateSendPin', { body: { userNameOrMobileNo: 'sipho' } });
    await test.deliver();
  });
  after(async () => {
    await served.close();
    await pages.close();
  });

  /** Opens the application in the added language, chosen in the account menu. */
  async function open(look: OpenOptions): Promise<Page> {
    const context = await pages.open(look);
    const page = await context.newPage();
    await page.goto(`${served.url}/login`);
    await page.getByLabel('User name or e-mail address').fill('admin');
    await page.getByLabel('Password', { exact: true }).fill(ADMIN_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/app');
    await page.getByRole('button', { name: 'Menu of admin' }).click();
    await page.getByRole('menu').getByText(ADDED.name).click();
    await page.locator(`html[lang=${ADDED.tag}]`).waitFor();
    return page;
  }

  for (const look of looks) {
    it(`has every text of the sign-in pages, ${look.width} px wide`, async () => {
      const page = await (await pages.open(look)).newPage();
      await page.addInitScript(
        `if (location.protocol === 'http:') localStorage['latchkey::language'] = '${ADDED.tag}'`,
      );
      await walk(page, signInPaths, look);
    });

    it(`has every text of the application, ${look.width} px wide`, async () => {
      await walk(await open(look), appPaths(userId, webhookId, applicationId, providerId), look);
    });
  }

  /** Opens each page, and on a phone presses its buttons. */
  async function walk(page: Page, paths: readonly string[], { width }: OpenOptions): Promise<void> {
    const faults: string[] = [];
    for (const path of paths) {
      await show(page, served.url + path);
      for (const fault of await findFaults(page, isData)) faults.push(`${path}: ${fault}`);
      if (width === 390 && !path.includes('?')) await press(page, path, faults);
    }
    assert.deepEqual(faults, []);
    await page.context().close();
  }

  /** Presses one button of each kind on a page, and the button that sends a form in a dialog. */
  async function press(page: Page, path: string, faults: string[]): Promise<void> {
    const buttons = page.locator(
      // The skip link is behind the page until the keyboard reaches it.
      `${path === '/app' ? '' : 'main '}:is(button, [role=combobox], input[aria-haspopup]):not(.skip-link):visible`,
    );
    const pressed = new Set<string>();
    const note = async (what: string) => {
      await settle(page);
      for (const fault of await findFaults(page, isData)) faults.push(`${path}, ${what}: ${fault}`);
    };
    for (let at = 0; at < (await buttons.count()); at += 1) {
      const button = buttons.nth(at);
      const label = (await button.getAttribute('aria-label')) ?? (await button.textContent()) ?? '';
      const kind = kindOf(label);
      if (pressed.has(kind) || LEAVING.test(label) || (await button.isDisabled())) continue;
      pressed.add(kind);
      const isPressed = await button.click({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
      if (!isPressed) faults.push(`${path}, ${label}: cannot be pressed`);
      await note(label);
      const send = page.getByRole('dialog').locator('form:has(input:visible) button[type=submit]:enabled').first();
      if ((await send.count()) > 0) {
        await send.click();
        await note(`${label}, sent`);
      }
      await page.keyboard.press('Escape');
      const isAsBefore = page.url() === served.url + path && (await page.locator(OVERLAYS).count()) === 0;
      if (!isAsBefore) await show(page, served.url + path);
    }
  }
});

const signInPaths = [
  '/login',
  '/login/pin',
  '/login/external/Example',
  '/forgot-password',
  '/reset-password',
  '/reset-password#username=sipho&code=x',
  '/register',
  '/device',
  '/sign-out',
  '/signed-out',
];

const categories = [...new Set(settingDefinitions.map(({ category }) => category))];

const appPaths = (userId: number, webhookId: string, applicationId: string, providerId: string) => [
  '/app',
  '/app?range=30d',
  '/app/account',
  '/app/users',
  '/app/users?keyword=nothing',
  '/app/users/new',
  '/app/users/import',
  '/app/users/999',
  `/app/users/${userId}`,
  '/app/roles',
  '/app/front-ends',
  '/app/front-ends/kiosk/brand',
  '/app/front-ends/kiosk/connect',
  '/app/service-keys',
  '/app/applications',
  `/app/applications/${applicationId}`,
  `/app/applications/${applicationId}?tab=connect`,
  '/app/external-providers',
  '/app/external-providers/add',
  `/app/external-providers/${providerId}`,
  '/app/webhooks',
  `/app/webhooks/${webhookId}`,
  '/app/audit',
  '/app/audit?action=brand.logoUploaded',
  '/app/outbox',
  '/app/guide',
  '/app/guide/roles',
  '/app/api',
  '/app/settings',
  '/app/settings?view=compare&frontEnd=default-app,kiosk',
  ...categories.flatMap((category) => [
    `/app/settings?${new URLSearchParams({ category })}`,
    `/app/settings?${new URLSearchParams({ frontEnd: 'kiosk', category })}`,
  ]),
];

/** Opens a page, also if only its fragment differs. */
async function show(page: Page, url: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(url);
  await settle(page);
}

/** Waits until a page has what it asked for. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1, [role=alert]').first().waitFor();
  const loading = page.locator('[role=status][aria-label], [data-loading]');
  for (const one of await loading.all()) await one.waitFor({ state: 'hidden' });
  await page.waitForLoadState('networkidle');
}

/** What the test has typed, what the service starts with, and names of the API. */
const data = [
  // Messages, and their texts with placeholders.
  /[\s\S]*\{\{\w+\}\}[\s\S]*|.*your Latchkey code.*|^Latchkey: .*|^A sign-in to an application has ended$/g,
  // Programs and providers, and what OpenID calls scopes, kinds and algorithms.
  /\b(Grafana|Nextcloud|user_oidc|GitLab|Gitea|Forgejo|Argo CD|Portainer|oauth2-proxy|Vaultwarden|Immich|Proxmox VE)\b/g,
  /\b(Home Assistant|Apache|mod_auth_openidc|Google|Microsoft|GitHub|Apple|Facebook|LinkedIn)\b/g,
  /^(?:(openid|profile|email|phone|roles|offline_access|oidc|web|RS256|ES256|isEnabled) ?)+$/g,
  /\b(Sipho Dlamini|sipho@example\.org|sipho|Kiosk|kiosk|billing|Example|AD|SD|admin|Administrator|UserManager)\b/g,
  /\b(Latchkey(\.\w+)*|latchkey|Shesha\.\w+|Default UI|default-app|at\+jwt|JWT|UTC)\b|https?:\/\/\S+/g,
  /\bRoles and permissions\b|Manages everything: .*\.|Manages users who .*\.|\b(What|Which|In which|Where) .*\?/g,
  // What the audit trail calls actions, reasons, channels, permissions and clients that are no browser.
  /\b[a-z]\w+(\.\w+)+\b|\b(Pages\.Users|users:resetPassword|outbox|introspect|lightMyRequest|test)\b/g,
  /\bOWASP ASVS [\d.]+|\bNIST SP [\w-]+ [\d.]+/g,
  // Ids, and a language tag.
  /\b[\da-f]{8}(-[\da-f]{4,12}){4}\b|: en\b/g,
];

/** Whether a text is only what users typed, names, or parts of the API. */
const isData = (text: string) => !/[a-z]{2}/i.test(data.reduce((rest, pattern) => rest.replace(pattern, ''), text));
