// What a page loads, and how large it is.
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { until } from './browser.ts';

export interface Weight {
  /**
   * Waits until each request has its response, and the font is among them. Call it when the page shows all that loads late: on a busy
   * machine, its network may be idle for a while before it asks for more.
   * @param asked what the service was asked for. The browser may tell of it later.
   */
  settle(asked?: readonly string[]): Promise<void>;
  /** Waits for what has come, and returns its size by URL, in bytes of gzip. */
  read(): Promise<Map<string, number>>;
}

export const isFont = (path: string) => path.endsWith('.woff2');

/** Follows what a page loads from now on. */
export function weigh(page: Page): Weight {
  const requested = new Set<string>();
  const sizes = new Map<string, Promise<number>>();
  page.on('request', (request) => requested.add(request.url()));
  page.on('response', (response) => {
    const size = response.body().then((body) => gzipSync(body, { level: 9 }).length);
    // What comes while the page closes has no body, and nobody asks for it. Unhandled, the error would end the process.
    size.catch(() => {});
    sizes.set(response.url(), size);
  });
  return {
    async settle(asked = []) {
      await page.waitForLoadState('networkidle');
      const isSettled = () => [...requested, ...asked].every((url) => sizes.has(url)) && [...sizes.keys()].some(isFont);
      await until(page, async () => isSettled(), 'the page goes on loading');
    },
    read: async () => new Map(await Promise.all([...sizes].map(async ([url, size]) => [url, await size] as const))),
  };
}
