// The first page loads stay small: the sign-in page, the overview of an administrator, and the list of users.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { openSignedIn, type Pages, startPages } from './support/browser.ts';
import { isFont, weigh } from './support/weigh.ts';

/**
 * The limits in bytes of gzip, for the document, its scripts, styles and pictures, and the answers of the API that it reads.
 * The page is whole before its font is there.
 */
const SIGN_IN_BYTES = 70_000;
const OVERVIEW_BYTES = 155_000;
const USERS_BYTES = 220_000;

/** The limits of what a page asks for: the document, files, and calls of the API. */
const SIGN_IN_REQUESTS = 13;
const OVERVIEW_REQUESTS = 24;
const USERS_REQUESTS = 14;

/** What a page in a Latin script loads of the font. */
const FONT_BYTES = 30_000;

/** The same limit for the script and the style sheet of `sign-in.html`: nothing runs before they are there. */
const LINKED_BYTES = 50_500;

/** The chart library. The overview loads it when its figures, which have the same numbers, are shown. */
const CHARTS = /\/assets\/bars-.*\.js$/;

type Loaded = readonly [path: string, bytes: number];

/**
 * Follows what a page loads, with an empty cache. @returns a function that waits for the page, and returns what it has loaded.
 * It fails if the service was asked for anything twice.
 */
function follow({ url, test }: Pages, page: Page): () => Promise<Loaded[]> {
  const loading = weigh(page);
  // The browser does not tell which of its requests share a response.
  const asked: string[] = [];
  const count = (request: IncomingMessage) => asked.push(`${url}${request.url}`);
  test.app.server.on('request', count);
  return async () => {
    await loading.settle(asked);
    test.app.server.off('request', count);
    const loaded = await loading.read();
    assert.deepEqual(asked.toSorted(), [...loaded.keys()].toSorted(), 'nothing is fetched twice');
    return [...loaded].map(([address, bytes]) => [new URL(address).pathname, bytes]);
  };
}

/** Checks the font by itself, and all else together. */
function assertSmall(limit: number, requests: number, loaded: readonly Loaded[]): void {
  assert.ok(loaded.length <= requests, loaded.map(([path]) => path).join('\n'));
  assertBelow(
    FONT_BYTES,
    loaded.filter(([path]) => isFont(path)),
  );
  assertBelow(
    limit,
    loaded.filter(([path]) => !isFont(path)),
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
    const read = follow(pages, page);
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot your password?' }).waitFor();
    const loaded = await read();
    const paths = loaded.map(([path]) => path);
    assert.ok(
      paths.includes('/login') && paths.some((path) => /^\/assets\/sign-in-.*\.js$/.test(path)),
      paths.join('\n'),
    );
    assert.ok(!paths.some((path) => path.startsWith('/assets/app-')), paths.join('\n'));
    assertSmall(SIGN_IN_BYTES, SIGN_IN_REQUESTS, loaded);
    await context.close();
  });

  it('of a sign-in page starts with less than 50.5 kB of scripts and styles, and no page has React', () => {
    const folder = join(import.meta.dirname, '../web/dist');
    const html = readFileSync(join(folder, 'sign-in.html'), 'utf8');
    const linked = [...html.matchAll(/<(?:script[^>]* src|link rel="stylesheet"[^>]* href)="(\/assets\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    assert.ok(linked.some((path) => path.endsWith('.js')) && linked.some((path) => path.endsWith('.css')), html);
    const files = linked.map((path) => ({ path, content: readFileSync(join(folder, path)) }));
    const sizes = files.map(({ path, content }): Loaded => [path, gzipSync(content, { level: 9 }).length]);
    assertBelow(LINKED_BYTES, sizes);
    for (const environment of ['signIn', 'client']) {
      const packages: string[] = JSON.parse(readFileSync(join(folder, `.packages/${environment}.json`), 'utf8'));
      assert.ok(packages.includes('node_modules/preact'), packages.join());
      for (const name of ['react', 'react-dom']) assert.ok(!packages.includes(`node_modules/${name}`), packages.join());
    }
  });

  /** Opens a page of the application as an administrator whose browser has loaded nothing of it yet. */
  async function openFirst(path: string) {
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, '/health/live');
    const read = follow(pages, page);
    await page.goto(path);
    return { context, page, read };
  }

  it('of the overview is less than 155 kB without its charts', async () => {
    const { context, page, read } = await openFirst('/app');
    await page.getByLabel('Figures').getByText('Sign-ins').waitFor();
    await page.getByText('Get started', { exact: true }).waitFor();
    const loaded = await read();
    assert.ok(loaded.some(([path]) => path.startsWith('/assets/overview-page-')));
    assertSmall(
      OVERVIEW_BYTES,
      OVERVIEW_REQUESTS,
      loaded.filter(([path]) => !CHARTS.test(path)),
    );
    await context.close();
  });

  it('of the list of users is less than 220 kB in 14 requests', async () => {
    const { context, page, read } = await openFirst('/app/users');
    await page.getByRole('link', { name: 'admin', exact: true }).waitFor();
    assertSmall(USERS_BYTES, USERS_REQUESTS, await read());
    await context.close();
  });
});
