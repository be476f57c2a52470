// A real browser on the pages of a real service.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import axe, { type Result } from 'axe-core';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Locator, type Page } from 'playwright-core';
import type { Engine } from '../../server/test/support/databases.ts';
import { isLong } from '../../server/test/support/scale.ts';
import {
  ADMIN_PASSWORD,
  startTestService,
  type TestService,
  type TestServiceOptions,
} from '../../server/test/support/service.ts';

/** Where the packages of Debian and other distributions install it. Without a window's parts it takes a third less time. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
];

export interface Pages {
  readonly test: TestService;
  /** The address of the pages, without a slash at the end. */
  readonly url: string;
  readonly browser: Browser;
  /** A separate browser that shares nothing with others, as on another machine. An error in a page fails the test. */
  open(options?: OpenOptions): Promise<BrowserContext>;
  close(): Promise<void>;
}

export type OpenOptions = { scheme?: 'light' | 'dark'; width?: number; locale?: string };

/**
 * What costs time in every page and shows nothing here: drawing by an imitated graphics card, optimized code, which pays
 * only in pages that run for longer than a test, and processes for drawing and for the network. Playwright's own features
 * stand with it, because Chromium reads the last list alone.
 */
const FRUGAL = [
  '--disable-gpu',
  '--in-process-gpu',
  '--js-flags=--no-opt,--no-maglev',
  '--enable-features=NetworkServiceInProcess2,CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies',
];

/** Returns the path of the browser of this machine. */
export function findBrowser(): string {
  const place = PLACES.find((one) => existsSync(one));
  assert.ok(place, 'There is no Chromium on this machine: install the package chromium-headless-shell, or chromium.');
  return place;
}

/** Starts the browser of this machine. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', ...FRUGAL] });
}

/** Starts a proxy at the public URL, before the service on this port. */
export type StartProxy = (servicePort: number) => Promise<{ stop(): Promise<void> }>;

/** Starts a service with its pages on a free port, or at `publicUrl` on this machine, and a browser. */
export async function startPages(
  engine: Engine = 'sqlite',
  options: TestServiceOptions = {},
  startProxy?: StartProxy,
): Promise<Pages> {
  const test = await startTestService(engine, options);
  const port = options.publicUrl === undefined || startProxy ? 0 : Number(new URL(options.publicUrl).port);
  const listening = await test.app.listen({ host: '127.0.0.1', port });
  const proxy = await startProxy?.(Number(new URL(listening).port));
  const url = options.publicUrl ?? listening;
  const browser = await launchBrowser();
  const faults: string[] = [];
  return {
    test,
    url,
    browser,
    async open({ scheme = 'light', width = 1100, locale = 'en-GB' } = {}) {
      const context = await browser.newContext({
        baseURL: url,
        colorScheme: scheme,
        viewport: { width, height: 800 },
        locale,
        // Where clocks change, a day may have another number of hours.
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
      });
      context.setDefaultTimeout(30_000);
      context.on('page', routeAtOnce);
      context.on('weberror', (error) => faults.push(error.error().message));
      context.on('console', (message) => {
        // A refused call is not an error of the page.
        if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) faults.push(message.text());
      });
      return context;
    },
    async close() {
      await browser.close();
      await proxy?.stop();
      await test.close();
      assert.deepEqual(faults, [], 'pages reported errors');
    },
  };
}

/** What no page asks for. */
const PROBE = '/is-it-routed';

/**
 * Lets `page.route` wait until a request of the page is caught: the browser confirms a route before the page knows it, and
 * what the page asks for at once would pass.
 */
function routeAtOnce(page: Page): void {
  const route = page.route.bind(page);
  page.route = async (...wanted) => {
    const routed = await route(...wanted);
    // A document that is still to come knows the route from the beginning.
    if (page.url() === 'about:blank') return routed;
    await route(`**${PROBE}`, (request) => request.fulfill({ status: 204 }));
    const ask = `fetch('${PROBE}').then(({ status }) => status === 204, () => false)`;
    // A page that leaves meanwhile knows the route when it is there again.
    await until(page, () => page.evaluate<boolean>(ask).catch(() => true), 'no request of the page is caught');
    await page.unroute(`**${PROBE}`);
    return routed;
  };
}

/** Signs in on the login page; by default as administrator. */
export async function signIn(page: Page, name = 'admin', password = ADMIN_PASSWORD): Promise<void> {
  await page.goto('/login?to=/app');
  await page.getByLabel('User name or e-mail address').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(({ pathname }) => pathname.startsWith('/app'));
}

/**
 * Opens a page for a person who signed in before and chose to stay signed in; by default the administrator. The sign-in page
 * would take as long as most of what tests look at: the token comes from a call, and lies where that page would keep it.
 */
export async function openSignedIn(page: Page, path: string, name = 'admin', password = ADMIN_PASSWORD): Promise<void> {
  const data = { userNameOrEmailAddress: name, password };
  const answer = await page.request.post('/api/TokenAuth/Authenticate', { data });
  assert.equal(answer.status(), 200, `${name}: ${await answer.text()}`);
  const { accessToken, expireInSeconds } = (await answer.json()).result;
  assert.ok(accessToken, `${name} has no session yet`);
  const receivedAt = Date.now();
  const token = { id: randomUUID(), text: accessToken, receivedAt, expiresAt: receivedAt + expireInSeconds * 1000 };
  const storing = await page.addInitScript(`if (self === top) {
    localStorage['latchkey::token'] = ${JSON.stringify(JSON.stringify(token))};
    localStorage['latchkey::activeAt'] = ${receivedAt};
  }`);
  await page.goto(path);
  await storing.dispose();
}

/** The token that a page uses, from either storage; null when no session is open. */
export const readToken = (page: Page) =>
  page.evaluate(
    "JSON.parse(localStorage['latchkey::token'] ?? sessionStorage['latchkey::copy'] ?? 'null')?.text ?? null",
  ) as Promise<string>;

const POLL_MS = 50;
const MOST_POLLS = 600;

/** Waits until `holds` holds for the page. Polls from here: the pages' policy forbids the `eval` of `waitForFunction`. */
export async function until(page: Page, holds: () => Promise<boolean>, missing: string): Promise<void> {
  for (let polls = 0; !(await holds()); polls += 1) {
    assert.ok(polls < MOST_POLLS, missing);
    await page.waitForTimeout(POLL_MS);
  }
}

/** Waits until a page uses this token. */
export const waitForToken = (page: Page, token: string): Promise<void> =>
  until(page, async () => (await readToken(page)) === token, 'the token does not arrive');

/** Waits until a field has this value, of which its element has no attribute. */
export const waitForValue = (field: Locator, value: string): Promise<void> =>
  until(field.page(), async () => (await field.inputValue()) === value, `no field has the value ${value}`);

/** Waits until the service has revoked a token: a page says that its user is signed out before the service has answered. */
export async function waitForRevocation({ test }: Pages, token: string): Promise<void> {
  for (let polls = 0; ; polls += 1) {
    const { status, error } = await test.get('/api/services/app/Session/GetAll', { token });
    if (status !== 200) return assert.equal(error.reason, 'token.revoked');
    assert.ok(polls < MOST_POLLS, 'the token stays valid');
    await pause(POLL_MS);
  }
}

/** Requests that wait on their way to the service. */
export type Held = {
  /** Waits until a request waits. @throws when none came within 30 seconds. */
  arrive(): Promise<void>;
  /** Lets the requests go on that wait now. */
  release(): void;
};

/** Holds the requests of a page to these addresses. A part is held while it is fetched, and not when it is then imported. */
export async function hold(page: Page, address: Parameters<Page['route']>[0]): Promise<Held> {
  let waiting: (() => void)[] = [];
  let onArrival = () => {};
  await page.route(address, async (route) => {
    if (route.request().resourceType() === 'script') return route.continue();
    await new Promise<void>((release) => {
      waiting.push(release);
      onArrival();
    });
    // The page may be closed by now, or may have ended the request.
    await route.continue().catch(() => {});
  });
  return {
    arrive: () =>
      new Promise((resolve, reject) => {
        // Made here, its stack says who waits.
        const failure = new Error(`no request came to ${address}`);
        const late = setTimeout(() => reject(failure), POLL_MS * MOST_POLLS);
        onArrival = () => {
          clearTimeout(late);
          resolve();
        };
        if (waiting.length > 0) onArrival();
      }),
    release() {
      for (const release of waiting) release();
      waiting = [];
    },
  };
}

/** Lets the calls of a page to these addresses fail. The page does not ask again by itself. */
export function letFail(page: Page, address: Parameters<Page['route']>[0]) {
  const error = { reason: 'service.failed', message: 'This failed.', details: '' };
  return page.route(address, (route) => route.fulfill({ status: 500, json: { success: false, error } }));
}

/** Comes back to the page after a minute: it reads again what it shows. */
export const comeBackLater = (page: Page): Promise<unknown> =>
  page.evaluate(`Date.now = ((now) => () => now() + 60000)(Date.now);
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);

/**
 * Waits until what has just been drawn hears keys and has the focus, and keeps "Back" from leaving. All come after the frame that shows
 * it, and a dialog then takes the focus once more, from what has got it since.
 */
export const untilAttentive = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(() => setTimeout(done))))');

/** More stops than any page has. */
const MANY_STOPS = 150;

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor({ state: 'attached' });
  await untilAttentive(page);
  const isFocused = () => wanted.evaluate((element) => element === element.ownerDocument.activeElement);
  for (let presses = 0; !(await isFocused()); presses += 1) {
    assert.ok(presses < MANY_STOPS, 'Tab does not reach the element');
    await page.keyboard.press('Tab');
  }
}

/** What a screen reader announces with a field, besides its label. */
export function descriptionOf(field: Locator): Promise<string> {
  return field.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id: string) => element.ownerDocument.getElementById(id)?.textContent ?? '')
      .join(' '),
  );
}

/** Waits until what opens or closes has done so: a dialog on its way hides the page, and is no dialog yet. */
const untilStill = `new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame))).then(() =>
  Promise.allSettled(
    document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished),
  ).then(() => {}))`;

/** The program of axe, for the page. */
const { source: AXE_SOURCE = '' } = axe;

/** What a machine can check of WCAG 2.2 AA. Axe returns the violations alone: the rest takes longer to send than to find. */
const AXE = `axe.run(document, ${JSON.stringify({
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'],
})}).then(({ violations }) => JSON.stringify(violations))`;

/** A session of the protocol for each page. Its end would take away the virtual authenticator of the page. */
const sessions = new WeakMap<Page, CDPSession>();

/** Checks a page with axe, which comes into each document once: its size makes that as long as a check. */
async function findViolations(page: Page): Promise<readonly Result[]> {
  for (const frame of page.mainFrame().childFrames()) await frame.evaluate(AXE_SOURCE);
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  const run = async (expression: string) => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    assert.ok(!exceptionDetails, JSON.stringify(exceptionDetails));
    return result.value;
  };
  if (!(await run("'axe' in window"))) await run(`${AXE_SOURCE}; true`);
  return JSON.parse(await run(AXE));
}

/** WCAG 2.2 AA as far as a machine can check it, and no horizontal scrolling. */
export async function assertAccessible(page: Page): Promise<void> {
  await page.evaluate(untilStill);
  const violations = await findViolations(page);
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  assert.deepEqual(told, [], page.url());
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  assert.ok(Number(overflow) <= 0, `${page.url()} is ${overflow} px too wide`);
}

const narrow = { scheme: 'dark', width: 320 } as const;
const looks = isLong ? [{ scheme: 'light' } as const, narrow] : [narrow];

/**
 * Checks the dark color scheme on a narrow screen, and in the long form also the light one on a wide screen: each of
 * `states` brings the page to a state to check.
 */
export async function assertAccessibleEverywhere(
  pages: Pages,
  ...states: ((page: Page) => Promise<void>)[]
): Promise<void> {
  for (const options of looks) {
    const context = await pages.open(options);
    const page = await context.newPage();
    for (const show of states) {
      await show(page);
      await assertAccessible(page);
    }
    await context.close();
  }
}
