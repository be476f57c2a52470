// What a page loads, and how large it is.
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';

/**
 * Follows what a page loads from now on.
 * @returns a function that waits for what has come, and returns its size by URL, in bytes of gzip.
 */
export function weigh(page: Page): () => Promise<Map<string, number>> {
  const sizes = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    const size = response.body().then((body) => gzipSync(body, { level: 9 }).length);
    // What comes while the page closes has no body, and nobody asks for it. Unhandled, the error would end the process.
    size.catch(() => {});
    sizes.set(response.url(), size);
  });
  return async () => new Map(await Promise.all([...sizes].map(async ([url, size]) => [url, await size] as const)));
}
