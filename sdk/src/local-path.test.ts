// Local paths in every spelling: what is accepted stays on the origin, whoever reads it again.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { toLocalUrl } from './local-path.ts';

const ORIGIN = 'https://app.example:8443';
const HOSTS = [
  'evil.example',
  'app.example',
  'app.example:8443',
  'app.example:8443@evil.example',
  'evil。example',
  '[::1]',
];

/** What the parser of URLs drops, folds, decodes or takes for a separator, and what only looks like it. */
const PIECES = [
  ...['/', '\\', '.', '..', ':', '@', '?', '#', ';', '%', ' ', '\t', '\n', '\r', '\0', '\u200b', '\u2028'],
  ...['%2e', '%2E', '%2f', '%2F', '%5c', '%5C', '%09', '%0a', '%00', '%252f', '%25', '／', '．', '＼', '⁄'],
  ...['http:', 'https:', 'HTTPS:', 'javascript:', 'data:', 'blob:', ORIGIN, 'x', 'app', ...HOSTS],
];

const decode = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** All that a browser, router or server makes of a URL, and that may be opened once more. */
const readingsOf = ({ href, pathname, search, hash }: URL) => [
  href,
  pathname,
  pathname + search + hash,
  decode(pathname),
];

function assertLocal(text: string): void {
  let urls = [toLocalUrl(text, ORIGIN)].filter((url) => url !== undefined);
  for (let time = 0; time < 3; time += 1) {
    for (const { origin, href } of urls) assert.equal(origin, ORIGIN, `${JSON.stringify(text)} leads to ${href}`);
    urls = urls.flatMap(readingsOf).map((reading) => new URL(reading, ORIGIN));
  }
}

describe('a local path', () => {
  it('never leaves the origin, in each of the spellings of up to four pieces before a host', () => {
    const separators = ['/', '\\', '.', '..', '%2e', '%2f', '%5c', '\t', '\n', 'x', '@', ' '];
    let spellings = ['/'];
    let count = 0;
    for (let length = 0; length <= 4; length += 1) {
      for (const spelling of spellings)
        for (const host of ['evil.example', 'app.example']) assertLocal(spelling + host);
      count += spellings.length;
      spellings = spellings.flatMap((spelling) => separators.map((piece) => spelling + piece));
    }
    assert.ok(count > 20_000);
  });

  it('never leaves the origin, in generated spellings', () => {
    const pieces = fc.array(
      fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ unit: 'binary', maxLength: 2 })),
    );
    const spelling = fc.tuple(fc.constantFrom('/', '/', '/', ''), pieces).map(([first, rest]) => first + rest.join(''));
    fc.assert(fc.property(spelling, assertLocal), { numRuns: 10_000 });
  });

  it('is refused if it leads to another site, or may for its next reader', () => {
    const leaves = [
      '//',
      '/\\',
      '/..//',
      '/.//',
      '/x/..//',
      '/%2e%2e//',
      '/.%5c%5c',
      '/..%2f%2f',
      '/%2f',
      '/%5C',
      '/..\\\\',
    ];
    const hidden = ['/\t/', '/\n/', '/\r\n\\', '\t//', ' //', '/.\t//', '/%2e\n%2e//'];
    const others = ['https://', 'javascript:', 'javascript://', 'data:text/html,', 'blob:', '', 'x/', '\\\\', '@'];
    for (const start of [...leaves, ...hidden, ...others]) {
      assert.equal(toLocalUrl(`${start}evil.example`, ORIGIN), undefined, JSON.stringify(start));
    }
    for (const text of ['', '//', '///', '/..//', '//:0', '//[', `blob:${ORIGIN}/1`, `${ORIGIN}/app`]) {
      assert.equal(toLocalUrl(text, ORIGIN), undefined, text);
    }
  });

  it('leads to each page, with its query and its fragment', () => {
    const pages = [
      '/',
      '/app',
      '/app/users?keyword=a//b',
      '/a//b?c=%2f%2fd#//e',
      '/welcome?next=https://x.example',
      '/@a:b',
      '/%ff',
    ];
    for (const page of pages) assert.equal(toLocalUrl(page, ORIGIN)?.href, ORIGIN + page);
    assert.equal(toLocalUrl('/ü?ü#ü', ORIGIN)?.href, `${ORIGIN}/%C3%BC?%C3%BC#%C3%BC`);
    assert.equal(toLocalUrl('/app/../login', ORIGIN)?.href, `${ORIGIN}/login`);
  });
});
