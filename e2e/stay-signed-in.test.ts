// Whether a sign-in outlives the browser, as the person chose; and how tabs share one that does not.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { pinIn } from '../server/test/support/registration.ts';
import { isLong, itAtLength } from '../server/test/support/scale.ts';
import { ADMIN_PASSWORD } from '../server/test/support/service.ts';
import { assertAccessible, readToken, signIn, waitForRevocation, waitForToken } from './support/browser.ts';
import { receive } from './support/messages.ts';
import { type ProviderPages, passThrough, startProviderPages } from './support/providers.ts';

const STAY = 'Stay signed in';
const REFRESH = '**/api/TokenAuth/RefreshTokenAsync';

/** The time between two reads of what is to change. */
const POLL_MS = 50;

/**
 * Runs in a page before its own scripts: `ahead` moves its clock, `isDeaf` hides storage events, `isMute` sends no
 * messages to other tabs, `delay` delays them by this many ms, `hurry` shortens time limits by this factor, and `stale`
 * is what the tab reads instead of the `localStorage`.
 */
const control = `
  Object.assign(window, { ahead: 0, isDeaf: false, isMute: false, delay: 0, hurry: 1, stale: null });
  const { now } = Date;
  Date.now = () => now() + ahead;
  addEventListener('storage', (event) => isDeaf && event.stopImmediatePropagation());
  const { postMessage } = BroadcastChannel.prototype;
  BroadcastChannel.prototype.postMessage = function (message) {
    if (!isMute) setTimeout(() => postMessage.call(this, message), delay);
  };
  const { timeout } = AbortSignal;
  AbortSignal.timeout = (milliseconds) => timeout.call(AbortSignal, milliseconds / hurry);
  const { getItem } = Storage.prototype;
  Storage.prototype.getItem = function (key) {
    return stale && this === localStorage ? (stale[key] ?? null) : getItem.call(this, key);
  };`;

describe('a sign-in', () => {
  let all: ProviderPages;
  let context: BrowserContext;
  before(async () => {
    all = await startProviderPages();
    await all.pages.test.createUser('thandi', { mobileNumber: '+27821234567', isMobileConfirmed: true });
  });
  beforeEach(async () => {
    context = await all.pages.open();
    await context.addInitScript(control);
  });
  afterEach(() => context.close());
  after(() => all.close());

  const openTab = async (path: string) => {
    const tab = await context.newPage();
    await tab.goto(path);
    return tab;
  };
  const signOutButton = (tab: Page) => tab.getByRole('button', { name: 'Sign out', exact: true });
  const isIn = (tab: Page) => signOutButton(tab).waitFor();
  const isOut = (tab: Page) => tab.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  const lasting = (tab: Page) =>
    tab.evaluate('JSON.stringify({ ...localStorage }) + document.cookie') as Promise<string>;
  const own = (tab: Page) => tab.evaluate('JSON.stringify({ ...sessionStorage })') as Promise<string>;

  /** Closes every tab, as closing the browser does. */
  async function closeAll() {
    for (const tab of context.pages()) await tab.close();
  }
  async function fillIn(tab: Page, name: string, password: string, isStaying: boolean) {
    await tab.getByLabel('User name or e-mail address').fill(name);
    await tab.getByLabel('Password', { exact: true }).fill(password);
    if (isStaying) await tab.getByRole('checkbox', { name: STAY }).check();
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
  async function signInAs(tab: Page, name: string, password: string, isStaying: boolean) {
    await tab.goto('/login');
    await fillIn(tab, name, password, isStaying);
    await tab.waitForURL('**/app');
  }
  async function signInByPin(tab: Page, isStaying: boolean) {
    await tab.getByLabel('User name, e-mail address or mobile number').fill('thandi');
    if (isStaying) await tab.getByRole('checkbox', { name: STAY }).check();
    await tab.getByRole('button', { name: 'Send the code' }).click();
    await tab.getByLabel('Code', { exact: true }).waitFor();
    await tab.getByLabel('Code', { exact: true }).fill(pinIn({ text: await receive(all.pages) }));
    await tab.waitForURL('**/app');
  }
  async function assertLasts(tab: Page, isStaying: boolean) {
    await isIn(tab);
    const token = await readToken(tab);
    assert.ok(token);
    assert.equal((await lasting(tab)).includes(token), isStaying);
    await closeAll();
    const later = await openTab('/app');
    await (isStaying ? isIn(later) : isOut(later));
    if (!isStaying) assert.doesNotMatch((await lasting(later)) + (await own(later)), /eyJ/);
    await closeAll();
  }

  it('with a password does not outlive the browser, unless the person chose to stay signed in', async () => {
    const page = await openTab('/login');
    assert.equal(await page.getByRole('checkbox', { name: STAY }).isChecked(), false);
    await assertAccessible(page);
    await signIn(page);
    await assertLasts(page, false);
    const other = await openTab('/login');
    await signInAs(other, 'admin', ADMIN_PASSWORD, true);
    await assertLasts(other, true);
  });

  itAtLength('with a pin does not outlive the browser, unless the person chose to stay signed in', async () => {
    for (const isStaying of [false, true]) {
      const page = await openTab('/login/pin');
      await signInByPin(page, isStaying);
      await assertLasts(page, isStaying);
    }
  });

  itAtLength('through a provider keeps the choice during the visit there', async () => {
    const login = all.addAtAcme('stays');
    for (const isStaying of [false, true]) {
      await context.close();
      context = await all.pages.open();
      const page = await openTab('/login');
      if (isStaying) await page.getByRole('checkbox', { name: STAY }).check();
      await passThrough(page, 'Continue with Acme', login);
      await page.waitForURL('**/app');
      await assertLasts(page, isStaying);
    }
  });

  it('is shared with new tabs, and ended in all of them', async () => {
    for (const isStaying of isLong ? [false, true] : [false]) {
      const first = await openTab('/login');
      await signInAs(first, 'admin', ADMIN_PASSWORD, isStaying);
      const second = await openTab('/app/front-ends');
      await isIn(second);
      const token = await readToken(first);
      assert.equal(await readToken(second), token);
      await signOutButton(second).click();
      for (const tab of [first, second]) {
        await tab.waitForURL('**/login?end=signedOff');
        assert.doesNotMatch((await lasting(tab)) + (await own(tab)), /eyJ/);
      }
      await waitForRevocation(all.pages, token);
      await closeAll();
    }
  });

  it('of another account replaces the previous one in all tabs, in either kind of storage', async () => {
    const tabs = [await openTab('/login'), await openTab('/login/pin'), await openTab('/login/pin')];
    const [first, ...others] = tabs as [Page, Page, Page];
    await signInAs(first, 'admin', ADMIN_PASSWORD, false);
    await isIn(first);
    for (const [index, other] of others.entries()) {
      const isStaying = index === 0;
      await signInByPin(other, isStaying);
      await isIn(other);
      const token = await readToken(other);
      await waitForToken(first, token);
      const kept = (await lasting(first)) + (await own(first));
      assert.equal(kept.match(/"eyJ|\\"eyJ/g)?.length, 1, 'a token is left of the account before');
      await first.reload();
      await first.getByText('thandi').first().waitFor();
    }
  });

  itAtLength(
    'is refreshed while a tab sleeps, and that tab gets the new token before it uses the revoked one',
    async () => {
      for (const isDeaf of isLong ? [false, true] : [true]) {
        const [first, second] = await openTwo();
        await second.evaluate(`isDeaf = ${isDeaf}`);
        // A request that has read the token, but is not sent yet, would use the old one.
        await second.waitForLoadState('networkidle');
        const wake = await sleep(second);
        const old = await readToken(first);
        const fresh = await refreshIn(first);
        await wake();
        // The browser may update the storage of a tab some time after it has resumed the tab.
        const mark = await readMark(first);
        while ((await readMark(second)) !== mark) await second.waitForTimeout(POLL_MS);
        const used: (string | undefined)[] = [];
        second.on('request', (request) => used.push(request.headers().authorization));
        const answered = second.waitForResponse('**/FrontEndApp/GetAll');
        await second.getByRole('link', { name: 'Front ends' }).click();
        assert.equal((await answered).status(), 200);
        assert.ok(used.includes(`Bearer ${fresh}`) && !used.includes(`Bearer ${old}`), isDeaf ? 'deaf' : 'woken');
        assert.equal(await readToken(second), fresh);
        await signOutButton(first).click();
        await isOut(second);
        await closeAll();
      }
    },
  );

  itAtLength('is refreshed for the other tab, also when the refreshing tab closes at once', async () => {
    const [first, second] = await openTwo();
    await second.evaluate('isMute = true');
    const fresh = await refreshIn(first);
    await first.close();
    await waitForToken(second, fresh);
    await second.reload();
    await isIn(second);
  });

  itAtLength('is refreshed by another tab when the refresh of one tab gets no response', async () => {
    const [first, second] = await openTwo();
    await first.evaluate('hurry = 100');
    await loseRefresh(first);
    const fresh = await refreshIn(second);
    await waitForToken(first, fresh);
  });

  itAtLength('is refreshed by another tab when the refreshing tab is put to sleep', async () => {
    const [first, second] = await openTwo();
    await second.evaluate('hurry = 100');
    await loseRefresh(first);
    const wake = await sleep(first);
    const fresh = await refreshIn(second);
    await wake();
    await waitForToken(first, fresh);
    await isIn(first);
  });

  itAtLength('goes on in a tab that wakes after its time while another tab is used', async () => {
    for (const isIdle of isLong ? [true, false] : [true]) {
      await all.pages.test.set('Shesha.Security', { useAutoLogoff: isIdle, autoLogoffTimeout: 120 });
      const [first, second] = await openTwo(isIdle);
      await second.waitForLoadState('networkidle');
      await second.evaluate('stale = { ...localStorage }');
      const wake = await sleep(second);
      // Later than the time of automatic log-off, or than the lifetime of the token that the sleeping tab reads.
      const late = isIdle ? 300_000 : 25 * 3_600_000;
      if (!isIdle) await refreshIn(first);
      for (let ahead = 50_000; isIdle && ahead <= late; ahead += 50_000) {
        await first.evaluate(`ahead = ${ahead}`);
        await first.keyboard.press('Shift');
      }
      await first.evaluate(`ahead = ${late}`);
      await wake();
      // On a busy machine, timers run late, and the storage is updated later still.
      await second.evaluate(
        `ahead = ${late}; setTimeout(() => (stale = null), 350); dispatchEvent(new Event('focus'));
        for (const until = performance.now() + 600; performance.now() < until; );`,
      );
      const token = await readToken(first);
      await waitForToken(second, token);
      const answered = second.waitForResponse('**/FrontEndApp/GetAll');
      await second.getByRole('link', { name: 'Front ends' }).click();
      assert.equal((await answered).status(), 200);
      assert.equal(await readToken(first), token);
      await signOutButton(first).click();
      await isOut(second);
      await closeAll();
    }
  });

  itAtLength('that only a sleeping tab holds is requested for a moment, then the sign-in page appears', async () => {
    const [first, second] = await openTwo();
    const wake = await sleep(second);
    await first.close();
    const third = await openTab('/app');
    await isOut(third);
    await wake();
    await second.getByRole('link', { name: 'Front ends' }).click();
    await second.getByRole('heading', { name: 'Front ends' }).waitFor();
  });

  itAtLength('that another tab shares late continues from the sign-in page', async () => {
    const [first, second] = await openTwo();
    await second.close();
    await first.evaluate('delay = 3000');
    const third = await openTab('/app/front-ends');
    await isOut(third);
    await third.waitForURL('**/app/front-ends');
    await isIn(third);
  });

  itAtLength('of a tab that was still loading when another one asked continues from the sign-in page', async () => {
    const [first, second] = await openTwo();
    await second.close();
    await first.goto('about:blank');
    const third = await openTab('/app/front-ends');
    await isOut(third);
    await first.goto('/app');
    await third.waitForURL('**/app/front-ends');
    await isIn(third);
  });

  it('is refused with the reason where the browser blocks storage, in the language of the reader', async () => {
    const refuse = "{ get() { throw new DOMException('no', 'SecurityError'); } }";
    const isFull = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };";
    const ways: [script: string, locale: string, title: string][] = [
      [`Object.defineProperty(window, 'sessionStorage', ${refuse});`, 'en-GB', 'Your browser blocks storage'],
      [`Object.defineProperty(window, 'localStorage', ${refuse});`, 'de-DE', 'Ihr Browser blockiert den Speicher'],
      ["Object.defineProperty(window, 'localStorage', { value: null });", 'en-GB', 'Your browser blocks storage'],
      [isFull, 'en-GB', 'Your browser blocks storage'],
    ];
    for (const [script, locale, title] of ways) {
      const blocked = await all.pages.open({ locale });
      await blocked.addInitScript(script);
      const page = await blocked.newPage();
      for (const path of script === isFull ? ['/login/pin', '/login/external/acme', '/app'] : ['/app']) {
        // The page of the application leaves before it has loaded.
        await page.goto(path).catch(() => {});
        await page.getByRole('heading', { name: title }).waitFor();
        assert.equal(await page.getByRole('textbox').count(), 0);
      }
      if (script === isFull) await assertAccessible(page);
      await page.goto('/forgot-password');
      await page.getByRole('textbox').first().waitFor();
      await blocked.close();
    }
  });

  async function openTwo(isStaying = false) {
    const first = await openTab('/login');
    await signInAs(first, 'admin', ADMIN_PASSWORD, isStaying);
    await isIn(first);
    const second = await openTab('/app');
    await isIn(second);
    return [first, second] as const;
  }
  /** Suspends a tab, as a browser does with an unused one. @returns what resumes it. */
  async function sleep(tab: Page) {
    const session = await context.newCDPSession(tab);
    const asleep = new Promise((resolve) => session.once('Debugger.paused', resolve));
    await session.send('Debugger.enable');
    await session.send('Debugger.pause');
    await asleep;
    return () => session.detach();
  }
  const readMark = (tab: Page) => tab.evaluate("localStorage['latchkey::mark']");
  /** Is active there until the token is due for a refresh. */
  async function becomeDue(tab: Page) {
    await tab.keyboard.press('Shift');
    await tab.evaluate("ahead = JSON.parse(sessionStorage['latchkey::copy']).expiresAt - 30_000 - Date.now()");
  }
  /** Lets that tab begin a refresh that gets no response. */
  async function loseRefresh(tab: Page) {
    await tab.route(REFRESH, () => {});
    const asked = tab.waitForRequest(REFRESH);
    await becomeDue(tab);
    await asked;
  }
  /** @returns the new token of a refresh by that tab. */
  async function refreshIn(tab: Page) {
    const answered = tab.waitForResponse(REFRESH);
    await becomeDue(tab);
    const { accessToken } = (await (await answered).json()).result;
    await waitForToken(tab, accessToken);
    return accessToken as string;
  }
});
