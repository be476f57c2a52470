// The first page loads stay small: the sign-in page, and the overview of an administrator.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { openSignedIn, type Pages, startPages } from './support/browser.ts';

/**
 * The limits in bytes of gzip, for the document, its scripts, styles and pictures, and the answers of the API that it reads.
 * The page is whole before its font is there.
 */
const SIGN_IN_BYTES = 70_000;
const APPLICATION_BYTES = 210_000;

/** What a page in a Latin script loads of the font. */
const FONT_BYTES = 30_000;

/** The same limit for the script and the style sheet of `sign-in.html`: nothing runs before they are there. */
const LINKED_BYTES = 50_500;

/** The chart library. The overview loads it when its figures, which have the same numbers, are shown. */
const CHARTS = /\/assets\/bars-.*\.js$/;

type Loaded = readonly [path: string, bytes: number];

/** Follows all that the page loads. @returns a function that waits for the page, and returns what it has loaded since. */
async function follow(page: Page): Promise<() => Promise<Loaded[]>> {
  // A page with routes has no cache: what it loads again counts once.
  await page.route('**', (route) => route.continue());
  const loading = new Map<string, Promise<Loaded>>();
  page.on('response', (response) => {
    const size = response.body().then((body) => gzipSync(body, { level: 9 }).length);
    loading.set(
      response.url(),
      size.then((bytes) => [new URL(response.url()).pathname, bytes]),
    );
  });
  return async () => {
    await page.waitForLoadState('networkidle');
    return Promise.all(loading.values());
  };
}

const isFont = ([path]: Loaded) => path.endsWith('.woff2');

/** Checks the font by itself, and all else together. */
function assertSmall(limit: number, loaded: readonly Loaded[]): void {
  assert.ok(loaded.some(isFont), 'the page has its font');
  assertBelow(FONT_BYTES, loaded.filter(isFont));
  assertBelow(
    limit,
    loaded.filter((one) => !isFont(one)),
  );
}

function assertBelow(limit: number, loaded: readonly Loaded[]): void {
  const sum = loaded.reduce((bytes, [, size]) => bytes + size, 0);
  const told = [`${sum} in all`, ...loaded.map(([path, size]) => `${size} ${path}`)].join('\n');
  assert.ok(sum < limit, told);
}

describe('the first page load', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
  });
  after(() => pages.close());

  it('of the sign-in page is less than 70 kB, and not the application', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    const read = await follow(page);
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot your password?' }).waitFor();
    const loaded = await read();
    const paths = loaded.map(([path]) => path);
    assert.ok(
      paths.includes('/login') && paths.some((path) => /^\/assets\/sign-in-.*\.js$/.test(path)),
      paths.join('\n'),
    );
    assert.ok(!paths.some((path) => path.startsWith('/assets/app-')), paths.join('\n'));
    assertSmall(SIGN_IN_BYTES, loaded);
    await context.close();
  });

  it('of a sign-in page starts with less than 50.5 kB of scripts and styles, without React', () => {
    const folder = join(import.meta.dirname, '../web/dist');
    const html = readFileSync(join(folder, 'sign-in.html'), 'utf8');
    const linked = [...html.matchAll(/<(?:script[^>]* src|link rel="stylesheet"[^>]* href)="(\/assets\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    assert.ok(linked.some((path) => path.endsWith('.js')) && linked.some((path) => path.endsWith('.css')), html);
    const files = linked.map((path) => ({ path, content: readFileSync(join(folder, path)) }));
    const sizes = files.map(({ path, content }): Loaded => [path, gzipSync(content, { level: 9 }).length]);
    assertBelow(LINKED_BYTES, sizes);
    const packages: string[] = JSON.parse(readFileSync(join(folder, '.packages/signIn.json'), 'utf8'));
    assert.ok(
      packages.includes('node_modules/preact') && !packages.includes('node_modules/react-dom'),
      packages.join(),
    );
  });

  it('of the overview is less than 210 kB without its charts', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, '/app');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    // What this page still loads would count as loaded by the next one.
    await page.goto('about:blank');
    const read = await follow(page);
    await page.goto('/app');
    await page.getByLabel('Figures').getByText('Sign-ins').waitFor();
    const loaded = await read();
    assert.ok(loaded.some(([path]) => path.startsWith('/assets/overview-page-')));
    assertSmall(
      APPLICATION_BYTES,
      loaded.filter(([path]) => !CHARTS.test(path)),
    );
    await context.close();
  });
});
