// The overview of administrators, in a real browser.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { HOUR_MS, startOfHour } from '../server/src/counters/index.ts';
import type { Instant } from '../server/src/foundation/clock.ts';
import { itAtLength, spread } from '../server/test/support/scale.ts';
import { USER_PASSWORD } from '../server/test/support/service.ts';
import {
  assertAccessible,
  assertAccessibleEverywhere,
  type OpenOptions,
  openSignedIn,
  type Pages,
  startPages,
  tabTo,
} from './support/browser.ts';
import { liftLimits } from './support/messages.ts';
import { weigh } from './support/weigh.ts';

/** What the page may add to the files of every page, in bytes of gzip. */
const OWN_BYTES = 25_000;

const DAY_HOURS = 24;

/** What happens in each hour of the example. */
const hourly = [
  ['signIn', 'password', 5],
  ['signIn', 'passkey', 2],
  ['application', 'Grafana', 3],
  ['application', 'pin', 1],
  ['refusal', 'signIn.invalidCredentials', 1],
  ['messageSent', 'email', 3],
] as const;

describe('the overview', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
  });
  after(() => pages.close());

  async function open(path = '/app', options: OpenOptions = {}) {
    const context = await pages.open(options);
    const page = await context.newPage();
    await openSignedIn(page, path);
    return { context, page };
  }
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
  const figure = (page: Page, name: string) =>
    page
      .getByLabel('Figures')
      .locator('div')
      .filter({ has: page.getByText(name, { exact: true }) })
      .last();
  const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  /** Adds what two periods of 30 days would have counted. */
  async function fill() {
    const { service, clock } = pages.test;
    const now = startOfHour(clock.now());
    const hours = Array.from({ length: 62 * DAY_HOURS }, (_, index) => (now - index * HOUR_MS) as Instant);
    const rows = hours.flatMap((hour) => hourly.map(([name, part, count]) => ({ hour, figure: name, part, count })));
    await service.counters.flush();
    for (let at = 0; at < rows.length; at += 1000) {
      await service.database.sql
        .insertInto('hourly_count')
        .values(rows.slice(at, at + 1000))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }

  it('is the first page of administrators, and says since when a young service counts', async () => {
    const { context, page } = await open();
    await heading(page, 'Overview').waitFor();
    assert.match(await page.title(), /^Overview · /);
    assert.equal(await page.getByRole('link', { name: 'Overview' }).getAttribute('aria-current'), 'page');
    // The hour would be one before its first start.
    await page.getByText(/^The service has been counting since [^:]+\. There are no figures from before\.$/).waitFor();
    assert.equal(await figure(page, 'Sign-ins').locator('dd').count(), 1, 'the number, and no second line');
    await card(page, 'Refusals by reason').getByText('None in this range.').waitFor();
    const started = card(page, 'Get started');
    await started.getByText('0 of 6 done').waitFor();
    await started.getByRole('link', { name: /^Create the first user/ }).waitFor();
    await started.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await started.getByRole('button', { name: 'Dismiss' }).click();
    await page.reload();
    await heading(page, 'Overview').waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await started.count(), 0);
    await card(page, 'Needs attention').getByRole('link', { name: 'Open the outbox' }).first().click();
    await heading(page, 'Outbox').waitFor();
    await context.close();
  });

  itAtLength(
    'leaves the own account at its place: for administrators beside it, for others as first page',
    async () => {
      const { context, page } = await open('/app/account');
      await heading(page, 'My account').waitFor();
      await context.close();
      await pages.test.createUser('plain');
      await pages.test.createUser('keeper', { roleNames: ['UserManager'] });
      for (const name of ['plain', 'keeper']) {
        const other = await pages.open();
        const first = await other.newPage();
        await openSignedIn(first, '/app', name, USER_PASSWORD);
        await heading(first, 'My account').waitFor();
        assert.equal(await first.getByRole('link', { name: 'Overview' }).count(), 0);
        assert.equal(await first.getByRole('link', { name: 'My account' }).getAttribute('aria-current'), 'page');
        await other.close();
      }
    },
  );

  it('shows figures with their change, and charts with a table, for the range in the address', async () => {
    await fill();
    const { context, page } = await open('/app?range=7d');
    await page.getByRole('radio', { name: '7 days' }).waitFor({ state: 'attached' });
    assert.equal(await page.getByRole('radio', { name: '7 days' }).isChecked(), true);
    await figure(page, 'In the outbox').getByText('As many as before').waitFor();
    await page.getByText('30 days', { exact: true }).click();
    await page.waitForURL('**/app?range=30d');
    await figure(page, 'In the outbox')
      .getByText(/^2,\d\d\d$/)
      .waitFor();
    const signIns = card(page, 'Sign-ins by method');
    await signIns.getByRole('img', { name: /^Sign-ins by method: \d,\d\d\d\. Most at / }).scrollIntoViewIfNeeded();
    await signIns.locator('svg .recharts-bar-rectangle').first().waitFor();
    assert.equal(await signIns.getByRole('table').count(), 0);
    await tabTo(page, signIns.locator('summary'));
    await page.keyboard.press('Enter');
    const rows = signIns.getByRole('table', { name: 'Sign-ins by method' }).getByRole('row');
    await rows.nth(30).waitFor();
    assert.equal(await rows.count(), 31, 'a heading and 30 days');
    await rows.nth(15).getByText('Password 120 · Passkey 48').waitFor();
    const applications = card(page, 'Sign-ins to applications');
    await applications.locator('summary').click();
    await applications.getByRole('row').nth(15).getByText('Grafana 72 · pin 24').waitFor();
    await page.reload();
    await figure(page, 'In the outbox')
      .getByText(/^2,\d\d\d$/)
      .waitFor();
    await page.getByText('24 hours', { exact: true }).click();
    await page.waitForURL('**/app');
    await figure(page, 'In the outbox').getByText('72', { exact: true }).waitFor();
    await signIns.getByRole('link', { name: 'Password', exact: true }).click();
    await page.waitForURL('**/app/audit?action=signIn.password&outcome=success&range=24h');
    const listed = page.getByRole('table').locator('tbody').getByRole('row');
    await listed.filter({ hasText: 'Signed in with a password' }).first().waitFor();
    assert.equal(await listed.filter({ hasNotText: 'Signed in with a password' }).count(), 0);
    await context.close();
  });

  it('calls messages sent if a gateway took them, and leads to the outbox for the others', async () => {
    const { context, page } = await open();
    /** Shows the page of a service that has gateways for all means but these, and has sent messages by these. */
    const show = async (withoutGateway: readonly string[], means: readonly string[]) => {
      await page.route('**/Overview/Get?*', async (route) => {
        const answer = await (await route.fetch()).json();
        const { attention, messagesSent } = answer.result;
        answer.result.attention = [
          ...attention.filter(({ kind }: { kind: string }) => kind !== 'noGateway'),
          ...withoutGateway.map((one) => ({ kind: 'noGateway', means: one })),
        ];
        messagesSent.parts = means.map((name) => ({ ...messagesSent.parts[0], name }));
        await route.fulfill({ json: answer });
      });
      await page.reload();
      await heading(page, 'Needs attention').waitFor();
      await page.unroute('**/Overview/Get?*');
    };
    const legend = (name: string) => card(page, 'Messages').getByRole('link', { name, exact: true });
    const leads = async (name: string, path: string) => assert.equal(await legend(name).getAttribute('href'), path);
    const sent = '/app/audit?action=message.sent&range=24h';
    const cases = [
      [['email', 'sms'], ['email'], 'In the outbox', 'In the outbox', '/app/outbox'],
      [['sms'], ['email', 'sms'], 'Sent or in the outbox', 'Sent or in the outbox', sent],
      [['sms'], ['email'], 'Messages sent', 'Sent', sent],
      [[], ['email', 'sms'], 'Messages sent', 'Sent', sent],
    ] as const;
    for (const [withoutGateway, means, tile, part, path] of spread(cases, 2)) {
      await show(withoutGateway, means);
      await figure(page, tile).waitFor();
      await leads(part, path);
    }
    await context.close();
  });

  itAtLength('shows applications of any name, on a phone too', async () => {
    const context = await pages.open({ width: 320 });
    const page = await context.newPage();
    await page.route('**/Overview/Get?*', async (route) => {
      const answer = await (await route.fetch()).json();
      const { starts, applications } = answer.result;
      const counts = starts.map(() => 1);
      const names = ['label', 'Other', 'x'.repeat(100), 'Grafana', 'other'];
      applications.parts = names.map((name) => ({ name, total: counts.length, counts }));
      applications.total = names.length * counts.length;
      await route.fulfill({ json: answer });
    });
    await openSignedIn(page, '/app');
    const applications = card(page, 'Sign-ins to applications');
    await applications.scrollIntoViewIfNeeded();
    await applications.locator('svg .recharts-bar-rectangle').first().waitFor();
    assert.equal(await applications.getByRole('listitem').count(), 4);
    const times = await applications.locator('.recharts-xAxis-tick-labels text').allTextContents();
    assert.match(times.join(), /^(\d\d:00,?)+$/);
    await applications.locator('summary').click();
    await applications.getByRole('table').waitFor();
    await assertAccessible(page);
    await applications.locator('svg .recharts-bar-rectangle').first().hover();
    const tip = applications.locator('.recharts-tooltip-wrapper');
    await tip.getByText('label').waitFor();
    await assertAccessible(page);
    await context.close();
  });

  it('begins with delivery, and leads to what each step names', async () => {
    const { context, page } = await open();
    const steps = card(page, 'Get started').getByRole('listitem');
    await steps.first().waitFor();
    const links = await steps.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    assert.deepEqual(links, [
      '/app/guide/delivery#e-mail-by-smtp',
      '/app/guide/delivery#sms-by-an-http-gateway',
      '/app/account',
      '/app/settings?category=Security&setting=Latchkey.Factors',
      '/app/applications',
      '/app/users/new',
    ]);
    await steps.getByRole('link', { name: /^Connect the first application/ }).click();
    await page.getByRole('dialog', { name: 'Create an application' }).waitFor();
    await pages.test.set('Latchkey.Factors', { passkeys: true });
    await page.goto('/app');
    await steps.getByRole('link', { name: /^Protect your account with a second factor/ }).waitFor();
    assert.equal(await steps.count(), 6);
    await pages.test.set('Latchkey.Factors', { passkeys: false });
    await context.close();
  });

  it('tells the numbers of a bar beside the pointer', async () => {
    const { context, page } = await open('/app?range=7d', { width: 1280 });
    const signIns = card(page, 'Sign-ins by method');
    // It moves what stands below it when it has loaded.
    await card(page, 'Get started').waitFor();
    await signIns.scrollIntoViewIfNeeded();
    const bar = signIns.locator('svg .recharts-bar-rectangle').nth(3);
    await bar.waitFor();
    await bar.hover();
    await signIns.locator('.recharts-tooltip-wrapper').getByText('120').waitFor();
    await context.close();
  });

  it('leads from the number of open sessions to the users who have them', async () => {
    await pages.test.createUser('sleeper');
    const { context, page } = await open();
    await card(page, 'Right now').getByRole('link', { name: 'Open sessions of users' }).click();
    await page.waitForURL('**/app/users?signedIn=1');
    await page.getByRole('button', { name: 'Remove the filter "With an open session"' }).waitFor();
    await page.getByRole('link', { name: 'admin', exact: true }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'sleeper' }).count(), 0);
    await context.close();
  });

  it('shows what needs attention, all of it by keyboard, and leads to the setting', async () => {
    await pages.test.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
    await pages.test.set('Abp.Zero.UserManagement.UserLockOut.IsEnabled', false, 'default-app');
    await pages.test.set('Abp.Zero.UserManagement.PasswordComplexity.RequireDigit', true, 'default-app');
    const { context, page } = await open();
    const attention = card(page, 'Needs attention');
    await attention.getByText('Weak setting: Use reset password via security questions').waitFor();
    await attention.getByText('(OWASP ASVS 6.4.2, NIST SP 800-63B-4 3.1.1.2)').waitFor();
    const all = attention.getByRole('button', { name: /^Show all \d+$/ });
    await tabTo(page, all);
    await page.keyboard.press('Enter');
    await all.waitFor({ state: 'hidden' });
    const items = attention.getByRole('listitem');
    const fifth = await items.nth(4).evaluate((item) => item === item.ownerDocument.activeElement);
    assert.equal(fifth, true, 'the focus is on the first item that appeared');
    const digit = items.filter({ hasText: 'Weak setting at default-app: Require digit' });
    await digit.getByRole('link', { name: 'Change the setting' }).click();
    await page.waitForURL('**/app/settings?frontEnd=default-app&category=Password+complexity&setting=*');
    await page.getByText('Such a rule makes passwords easier to guess').first().waitFor();
    await context.close();
  });

  it('tells why it cannot load, and tries again', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    let isDown = true;
    // An error of the service, and no outage: after one, the page tries again by itself.
    const error = { code: 500, reason: 'internal', message: 'Internal error.', details: 'Internal error.' };
    await page.route('**/Overview/Get?*', (route) =>
      isDown ? route.fulfill({ status: 500, json: { success: false, error } }) : route.continue(),
    );
    await openSignedIn(page, '/app');
    await page.getByRole('alert').waitFor();
    await assertAccessible(page);
    isDown = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await card(page, 'Right now').getByText('Open sessions').waitFor();
    await context.close();
  });

  itAtLength('is German for a reader of German', async () => {
    const context = await pages.open({ locale: 'de-DE' });
    const page = await context.newPage();
    await openSignedIn(page, '/app');
    await page.getByText('Schwache Einstellung: Passwort mit Sicherheitsfragen zurücksetzen').waitFor();
    await page.getByText('30 Tage', { exact: true }).click();
    await page
      .getByLabel('Zahlen')
      .getByText(/^2\.\d\d\d$/)
      .first()
      .waitFor();
    await context.close();
  });

  itAtLength('is accessible, with its tables and all findings', async () => {
    await assertAccessibleEverywhere(pages, async (page) => {
      await openSignedIn(page, '/app?range=30d');
      await page.getByRole('button', { name: /^Show all/ }).click();
      for (const title of ['Sign-ins by method', 'Refusals by reason', 'Messages']) {
        await card(page, title).scrollIntoViewIfNeeded();
        await card(page, title).locator('svg .recharts-bar-rectangle').first().waitFor();
        await card(page, title).locator('summary').click();
        await card(page, title).getByRole('table').waitFor();
      }
    });
  });

  it('adds little to what every page loads, before its charts are in view', async () => {
    const shell = await loadAt('/app/front-ends', 'Front ends', 'Default UI');
    const own = [...(await loadAt('/app', 'Overview', 'Get started'))].filter(([path]) => !shell.has(path));
    const told = own.map(([path, size]) => `${size} ${path}`).join('\n');
    assert.ok(
      own.some(([path]) => path.startsWith('/assets/overview-page-')),
      told,
    );
    assert.ok(!own.some(([path]) => path.startsWith('/assets/bars-')), told);
    assert.ok(own.reduce((sum, [, size]) => sum + size, 0) < OWN_BYTES, told);
  });

  /** Opens a page on a phone. @param shown what loads last. @returns the size of each file, in bytes of gzip. */
  async function loadAt(path: string, title: string, shown: string): Promise<Map<string, number>> {
    const context = await pages.open({ width: 390 });
    const page = await context.newPage();
    const loading = weigh(page);
    await openSignedIn(page, path);
    await heading(page, title).waitFor();
    await page.getByText(shown, { exact: true }).first().waitFor();
    await loading.settle();
    const loaded = await loading.read();
    await context.close();
    return new Map([...loaded].map(([url, bytes]) => [new URL(url).pathname, bytes]));
  }
});
