// The first page load stays small.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startPages } from './support/browser.ts';

/** The size of the page, its scripts, styles and pictures, and the settings that it reads. */
const LIMIT_BYTES = 140_000;

it('the sign-in page loads less than 140 kB, and not the application', async (t) => {
  const pages = await startPages();
  t.after(() => pages.close());
  const context = await pages.open();
  const page = await context.newPage();
  const loading: Promise<[path: string, size: number]>[] = [];
  page.on('response', (response) => {
    const size = response.body().then((body) => gzipSync(body).length);
    loading.push(size.then((bytes) => [new URL(response.url()).pathname, bytes]));
  });
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).waitFor();
  await page.waitForLoadState('networkidle');
  const sizes = await Promise.all(loading);
  const told = sizes.map(([path, size]) => `${size} ${path}`).join('\n');
  const paths = sizes.map(([path]) => path);
  assert.ok(paths.includes('/login') && paths.some((path) => /^\/assets\/root-.*\.js$/.test(path)), told);
  assert.ok(!paths.some((path) => path.startsWith('/assets/app-')), told);
  assert.ok(sizes.reduce((sum, [, size]) => sum + size, 0) < LIMIT_BYTES, told);
});
