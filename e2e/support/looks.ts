// The check of every page and state on narrow screens: nothing beside the page, nothing cut, no small target, axe clean.
import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { bundleClient } from './application.ts';
import { assertAccessible, openSignedIn, type Pages } from './browser.ts';
import type { Examples } from './examples.ts';
import { applicationStates, type Language, type State, texts, visitorStates } from './states.ts';

type Look = {
  readonly language: Language;
  /** Viewports in CSS pixels, the first one before the page loads. */
  readonly widths: readonly number[];
  /** The color schemes in which axe checks the page. */
  readonly schemes: readonly ('light' | 'dark')[];
};

const HEIGHT = 800;

/** Longer than any transition of a color, in milliseconds. */
const TRANSITION_MS = 400;

/** An open menu is placed anew some frames after the window has another size. */
const PLACED =
  'new Promise((done) => { let frames = 0; const count = () => ((frames += 1) > 5 ? done() : requestAnimationFrame(count)); count(); })';

/** The function `findLayoutFaults` of `clients/layout-faults.ts`, as a script. */
const script = bundleClient('layout-faults');

/** Opens a browser of this language and width, whose pages have the function `findLayoutFaults`. */
export async function openLook(pages: Pages, { language, widths }: Look): Promise<BrowserContext> {
  const context = await pages.open({ locale: language, width: widths[0] ?? HEIGHT });
  await context.addInitScript({ content: await script });
  return context;
}

/** Returns what is wrong with the pages of the application. @param ids what to show. */
export async function checkApplication(
  pages: Pages,
  { user, webhook, application, provider }: Examples,
  look: Look,
  states: readonly State[] = applicationStates,
): Promise<string[]> {
  const context = await openLook(pages, look);
  // An address without a page, for the storage of all pages that follow.
  await openSignedIn(await context.newPage(), '/health/live');
  const faults: string[] = [];
  for (const state of states) {
    const address = `/app${state.path.replace('$user', String(user)).replace('$webhook', webhook).replace('$application', application).replace('$provider', provider)}`;
    faults.push(...(await checkState(context, state, address, look)));
  }
  await context.close();
  return faults;
}

/** Returns what is wrong with the pages of visitors. Each state has a browser of its own. */
export async function checkVisitor(pages: Pages, look: Look): Promise<string[]> {
  const faults: string[] = [];
  for (const state of visitorStates) {
    const context = await openLook(pages, look);
    faults.push(...(await checkState(context, state, state.path, look)));
    await context.close();
  }
  return faults;
}

/** Brings a new page to the state, and returns what is wrong with it in each width and scheme. */
async function checkState(context: BrowserContext, state: State, address: string, look: Look): Promise<string[]> {
  const words = texts[look.language];
  const page = await context.newPage();
  await state.prepare?.(page);
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  // Several parts of a page may load at once. The first one is detached when none is left.
  const loading = page.getByRole('status', { name: words.common.loading }).first();
  if (!state.prepare) await loading.waitFor({ state: 'detached' });
  const { pathname } = new URL(page.url());
  assert.equal(pathname, address.replace(/\?.*/, ''), 'the page is another one');
  await state.show?.(page, words);
  const told = (await findTreeFaults(page)).map((fault) => `${state.name}, ${look.language}: ${fault}`);
  for (const width of look.widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.evaluate(PLACED);
    const faults = (await page.evaluate('findLayoutFaults()')) as string[];
    told.push(...faults.map((fault) => `${state.name}, ${look.language}, ${width} px: ${fault}`));
  }
  for (const colorScheme of look.schemes) told.push(...(await findViolations(page, state, colorScheme)));
  await page.close({ runBeforeUnload: false });
  return told;
}

/** Roles whose elements a person uses, and so must know by a name. */
const NAMELESS = /^\s*- (button|link|textbox|combobox|checkbox|radio|switch|dialog|navigation|region)( \[[^\]]*\])*:?$/;

/**
 * Returns what a screen reader misses in the tree that the browser gives it: one title, one main area, and a name for each control,
 * dialog and navigation; axe looks at pictures. An open dialog is all there is.
 */
export async function findTreeFaults(page: Page): Promise<string[]> {
  const tree = (await page.locator('body').ariaSnapshot()).split('\n');
  const count = (pattern: RegExp) => tree.filter((line) => pattern.test(line)).length;
  const faults = tree.filter((line) => NAMELESS.test(line)).map((line) => `no name: ${line.trim()}`);
  if (count(/^\s*- (alert)?dialog/) > 0) return faults;
  const [titles, mains] = [count(/^\s*- heading .*\[level=1\]/), count(/^\s*- main\b/)];
  if (titles !== 1) faults.push(`${titles} titles`);
  if (mains !== 1) faults.push(`${mains} main areas`);
  return faults;
}

async function findViolations(page: Page, { name }: State, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme });
  // Colors that are on their way to the other scheme have no contrast of their own.
  await page.waitForTimeout(TRANSITION_MS);
  try {
    await assertAccessible(page);
    return [];
  } catch (error) {
    assert.ok(error instanceof assert.AssertionError);
    return [`${name}, ${colorScheme}: ${error.message}`];
  }
}
