// What tabs share: automatic log-off, one refresh, signing off.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { itAtLength } from '../server/test/support/scale.ts';
import { ADMIN_PASSWORD } from '../server/test/support/service.ts';
import {
  assertAccessible,
  type Pages,
  readToken,
  signIn,
  startPages,
  waitForRevocation,
  waitForToken,
} from './support/browser.ts';

const WHO = '/api/services/app/Session/GetCurrentLoginInfo';
const SESSIONS = '/api/services/app/Session/GetAll';
const TIMEOUT = 120;

/**
 * A tab in which messages of others arrive when the application has drawn something, and before the effects of that. Where others
 * answer later still, the tab goes to the sign-in page, and comes back from there.
 */
const ANSWERS_WHEN_DRAWN = `
  const { set } = Object.getOwnPropertyDescriptor(BroadcastChannel.prototype, 'onmessage');
  let held = location.pathname.startsWith('/app') ? [] : undefined;
  Object.defineProperty(BroadcastChannel.prototype, 'onmessage', {
    set(listener) {
      set.call(this, (event) => (held ? held.push(() => listener(event)) : listener(event)));
    },
  });
  const drawn = new MutationObserver(() => {
    if (!held || !document.querySelector('.mantine-Skeleton-root')) return;
    drawn.disconnect();
    const told = held;
    held = undefined;
    for (const tell of told) tell();
  });
  drawn.observe(document, { childList: true, subtree: true });
`;

describe('tabs of one browser', () => {
  let pages: Pages;
  let context: BrowserContext;
  let tabs: Page[];
  before(async () => {
    pages = await startPages();
    await pages.test.set('Latchkey.RateLimiting', { loginPermitLimit: 1000 });
  });
  beforeEach(async () => {
    await pages.test.set('Shesha.Security', { useAutoLogoff: true, autoLogoffTimeout: TIMEOUT });
    await pages.test.set('Latchkey.Tokens', { accessTokenLifetime: 86_400 });
  });
  afterEach(() => context.close());
  after(() => pages.close());

  /** Signs in in one tab, and opens these pages in others; their clocks move only when a test moves them. */
  async function open(...paths: string[]) {
    context = await pages.open();
    await context.clock.install();
    const page = await context.newPage();
    await signIn(page);
    tabs = [page];
    for (const path of paths) {
      const tab = await context.newPage();
      await tab.goto(`/app${path}`);
      tabs.push(tab);
    }
    for (const tab of tabs) {
      const signOut = tab.getByRole('button', { name: 'Sign out', exact: true });
      await signOut.waitFor().catch(async (cause) => {
        throw new Error(`${tab.url()} shows: ${await tab.locator('body').innerText()}`, { cause });
      });
    }
  }
  const tokenOf = (index: number) => readToken(tabs[index] as Page);
  const pass = (seconds: number) => context.clock.fastForward(seconds * 1000);
  const inEach = async (look: (tab: Page) => Promise<unknown>) => {
    for (const tab of tabs) await look(tab);
  };
  const dialog = (tab: Page) => tab.getByRole('dialog', { name: 'Are you still there?' });
  const touch = (tab: Page | undefined) => tab?.keyboard.press('Shift');

  it('warn together before automatic log-off, and stay when the person confirms in one', async () => {
    await open('/front-ends');
    await pass(TIMEOUT - 50);
    await inEach((tab) => dialog(tab).waitFor());
    await assertAccessible(tabs[0] as Page);
    await tabs[1]?.getByRole('button', { name: 'Stay signed in' }).click();
    await inEach((tab) => dialog(tab).waitFor({ state: 'hidden' }));
    // A dialog that was opened in between does not cover the next warning, and Escape closes what lies above it alone.
    const form = tabs[1]?.getByRole('dialog', { name: 'Create a front end' });
    await tabs[1]?.getByRole('button', { name: 'Create a front end' }).click();
    await form?.getByLabel('Name').fill('The kiosk');
    await form?.getByRole('button', { name: 'Close' }).focus();
    await tabs[1]?.keyboard.press('?');
    await tabs[1]?.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await tabs[1]?.keyboard.press('Escape');
    await tabs[1]?.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'hidden' });
    await pass(TIMEOUT - 50);
    await inEach((tab) => dialog(tab).waitFor());
    await tabs[1]?.getByRole('button', { name: 'Stay signed in' }).click();
    await inEach((tab) => dialog(tab).waitFor({ state: 'hidden' }));
    assert.equal(await form?.getByLabel('Name').inputValue(), 'The kiosk');
    await pass(TIMEOUT - 50);
    await inEach((tab) => dialog(tab).waitFor());
    await tabs[0]?.mouse.move(200, 200);
    await tabs[0]?.getByRole('button', { name: 'Sign out now' }).press('Enter');
    await inEach((tab) => tab.waitForURL('**/login?*'));
  });

  itAtLength('keep each other signed in while one of them is used', async () => {
    await open('/front-ends');
    for (let round = 0; round < 4; round += 1) {
      await pass(TIMEOUT - 70);
      await touch(tabs[0]);
    }
    await inEach(async (tab) => {
      assert.match(tab.url(), /\/app/);
      assert.equal(await dialog(tab).count(), 0);
    });
  });

  it('are all signed off without activity, despite background requests, and the token is revoked', async () => {
    await open('/outbox', '/audit?live=1');
    const token = await tokenOf(0);
    assert.equal((await pages.test.get(SESSIONS, { token })).status, 200);
    await context.clock.runFor((TIMEOUT + 2) * 1000);
    await inEach((tab) => tab.waitForURL('**/login?end=idle*'));
    await tabs[0]?.getByText('You were signed out because you were not active for a while.').waitFor();
    await waitForRevocation(pages, token);
  });

  itAtLength('are signed off after a sleep, and waking up does not count as activity', async () => {
    await open('/front-ends');
    const token = await tokenOf(0);
    await pass(8 * 3600);
    await touch(tabs[1]);
    await inEach((tab) => tab.waitForURL('**/login?end=idle*'));
    assert.equal((await pages.test.get(WHO, { token })).result.user, null);
  });

  itAtLength('learn of a changed timeout within a minute', async () => {
    await pages.test.set('Shesha.Security', { useAutoLogoff: false });
    await open();
    await pass(3600);
    await pages.test.set('Shesha.Security', { useAutoLogoff: true, autoLogoffTimeout: 300 });
    await touch(tabs[0]);
    const heard = tabs[0]?.waitForResponse((answer) => answer.url().includes('name=Shesha.Security'));
    await pass(31);
    await heard;
    await pass(250);
    await inEach((tab) => dialog(tab).waitFor());
  });

  it('refresh the token of an active person once, by one of three tabs', async () => {
    // Set before the tabs open: minutes pass here in a moment, and the tabs would sign off before they learn of it.
    await pages.test.set('Shesha.Security', { useAutoLogoff: false });
    await pages.test.set('Latchkey.Tokens', { accessTokenLifetime: 300 });
    await open('/front-ends', '/audit');
    await touch(tabs[1]);
    const old = await tokenOf(0);
    let refreshes = 0;
    context.on('request', (request) => {
      if (/RefreshToken/.test(request.url())) refreshes += 1;
    });
    const answered = context.waitForEvent('response', (answer) => /RefreshToken/.test(answer.url()));
    const due = await tabs[0]?.evaluate("JSON.parse(sessionStorage['latchkey::copy']).expiresAt - 60_000 - Date.now()");
    await pass(Number(due) / 1000);
    const { accessToken: fresh } = (await (await answered).json()).result;
    await inEach((tab) => waitForToken(tab, fresh));
    await context.clock.runFor(20_000);
    assert.equal(refreshes, 1);
    assert.equal(await tokenOf(0), fresh);
    assert.equal((await pages.test.get(SESSIONS, { token: old })).error.reason, 'token.revoked');
    assert.equal((await pages.test.get(SESSIONS, { token: fresh })).status, 200);
    await tabs[2]?.reload();
    await tabs[2]?.getByRole('heading', { name: 'Audit trail' }).waitFor();
  });

  it('show the page of a tab that learns of the session only when it has drawn', async () => {
    await open();
    const tab = await context.newPage();
    await tab.addInitScript(ANSWERS_WHEN_DRAWN);
    await tab.goto('/app/front-ends');
    await tab.getByRole('heading', { name: 'Front ends' }).waitFor();
  });

  itAtLength('let the token of an inactive person expire', async () => {
    await pages.test.set('Shesha.Security', { useAutoLogoff: false });
    await pages.test.set('Latchkey.Tokens', { accessTokenLifetime: 300 });
    await open();
    await pass(301);
    await inEach((tab) => tab.waitForURL('**/login?end=ended*'));
  });

  itAtLength('keep the token of an inactive person fresh, until they count down and sign off together', async () => {
    await pages.test.set('Shesha.Security', { useAutoLogoff: true, autoLogoffTimeout: 300 });
    await pages.test.set('Latchkey.Tokens', { accessTokenLifetime: 120 });
    await open('/front-ends');
    const passToRefresh = async (seconds: number) => {
      const answered = context.waitForEvent('response', (answer) => /RefreshToken/.test(answer.url()));
      await pass(seconds);
      const { accessToken } = (await (await answered).json()).result;
      await inEach((tab) => waitForToken(tab, accessToken));
      // The tab that refreshes waits a second for the others.
      await pass(2);
    };
    await passToRefresh(90);
    await passToRefresh(90);
    await inEach(async (tab) => assert.equal(await dialog(tab).count(), 0));
    await pass(75);
    await inEach((tab) => dialog(tab).waitFor());
    await passToRefresh(15);
    await inEach(async (tab) => assert.equal(await dialog(tab).count(), 1));
    await pass(30);
    await inEach((tab) => tab.waitForURL('**/login?end=idle*'));
  });

  it('notice when they get the focus that another device has ended the session', async () => {
    await open('/front-ends');
    const { result } = await pages.test.post('/api/TokenAuth/Authenticate', {
      body: { userNameOrEmailAddress: 'admin', password: ADMIN_PASSWORD },
    });
    await pages.test.post('/api/services/app/Session/EndOthers', { token: result.accessToken });
    // The clock stands still: nothing but the focus makes them ask.
    await tabs[1]?.evaluate("dispatchEvent(new Event('focus'))");
    await inEach((tab) => tab.waitForURL('**/login?end=ended*'));
  });

  it('are signed off together', async () => {
    await open('/front-ends');
    await tabs[1]?.getByRole('button', { name: 'Sign out' }).click();
    await inEach((tab) => tab.waitForURL('**/login?end=signedOff*'));
  });
});
