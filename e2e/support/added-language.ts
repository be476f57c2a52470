// Pages that have one language more: built from a copy of the sources with one added file, and served beside the service.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Fastify from 'fastify';
import type { Page } from 'playwright-core';
import { errorKinds, settingDefinitions } from '../../server/src/app/catalogue.ts';
import { registerPages } from '../../server/src/http/pages.ts';
import type { Pages } from './browser.ts';
import { load, textsOf } from './words.ts';

const root = join(import.meta.dirname, '../..');

/** What makes the texts longer. */
const FILLER = 'ωωωω';

/** Greek: the browser writes its dates and units in other letters than English ones. */
export const ADDED = { tag: 'el', name: 'Ελληνικά' };

/**
 * Returns a language file in which each text of English stands in brackets and is a third longer, also what functions
 * return. It has texts for each setting, reason and fault of the service.
 */
export async function createPseudoLanguage(): Promise<string> {
  const { words: german } = await load('web/src/words/languages/de.ts');
  const same = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));
  const tables = {
    reasons: Object.fromEntries(errorKinds.map(({ reason, message }) => [reason, message])),
    faults: same(Object.keys(german.service.faults)),
    descriptions: same(Object.keys(german.roles.descriptions)),
    programs: same(Object.keys(german.applications.programs)),
    weak: Object.fromEntries(
      Object.keys(german.overview.attention.weak).map((name) => [name, { title: name, text: name }]),
    ),
  };
  return `// A language for tests.
import { en } from '../../english/en.ts';
import type { Translation } from '../translation.ts';

const wrap = (text: string) => text && \`⟦\${text}\${' ${FILLER}'.repeat(Math.ceil(text.length / 15))}⟧\`;

function translate(value: unknown): unknown {
  if (typeof value === 'string') return wrap(value);
  if (typeof value === 'function') return (...given: unknown[]) => translate(value(...given));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, translate(one)]));
}

const { reasons, faults, descriptions, programs, weak } = ${JSON.stringify(tables)};
const definitions = ${JSON.stringify(same(settingDefinitions.flatMap(textsOf)))};

export const words = translate({
  ...en,
  service: { reasons, faults: { ...faults, ...en.service.faults } },
  roles: { ...en.roles, descriptions },
  applications: { ...en.applications, programs },
  overview: { ...en.overview, attention: { ...en.overview.attention, weak } },
}) as Translation;
Object.assign(words, { definitions: async () => translate(definitions) });
`;
}

const BUILD = `
import { createBuilder } from 'vite';
const inline = { configFile: 'vite.config.ts', resolve: { preserveSymlinks: true }, logLevel: 'warn' };
await (await createBuilder(inline)).buildApp();`;

/** Builds the pages with a language more. @returns the folder of the copy; the pages are in `web/dist`. */
async function build(tag: string, language: string): Promise<string> {
  const copy = mkdtempSync(join(realpathSync(tmpdir()), 'latchkey-language-'));
  for (const name of ['web', 'docs', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json']) {
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => path !== join(root, 'web/dist') });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // Its own copy: the parts of the pages that have these texts evaluate them later.
  cpSync(join(copy, 'web/src/words'), join(copy, 'web/src/english'), { recursive: true });
  writeFileSync(join(copy, `web/src/words/languages/${tag}.ts`), language);
  const env = { ...process.env, NODE_ENV: 'production' };
  const args = ['--input-type=module', '--eval', BUILD];
  await promisify(execFile)(process.execPath, args, { cwd: join(copy, 'web'), env });
  return copy;
}

export interface ServedPages {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the pages with one file more in `languages`, on a port of their own. Calls go to the service of `pages`. */
export async function serveWithLanguage({ test }: Pages, tag: string, language: string): Promise<ServedPages> {
  const copy = await build(tag, language);
  const app = Fastify();
  await registerPages(app, join(copy, 'web/dist'), 'http://localhost');
  await app.ready();
  const isPage = (path = '') =>
    /^\/(app|assets|login|forgot-password|reset-password|register|device|sign-out|signed-out)\b/.test(path);
  const server = createServer((request, response) => (isPage(request.url) ? app : test.app).routing(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await app.close();
      rmSync(copy, { recursive: true });
    },
  };
}

/** Runs in the page: what it shows or says to screen readers, the elements that cut their text, and those beyond the edge. */
const READ = `(() => {
  const isForeign = (element) => element.closest('[lang]')?.lang !== document.documentElement.lang;
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (/^(SCRIPT|STYLE)$/.test(element.tagName) || isForeign(element)) continue;
    if (element.tagName === 'OPTION' || isShown(element)) texts.push(node.data);
  }
  const attributes = ['aria-label', 'aria-description', 'aria-valuetext', 'aria-roledescription', 'title', 'placeholder', 'alt'];
  for (const element of document.querySelectorAll(attributes.map((name) => '[' + name + ']').join())) {
    if (isForeign(element) || !isShown(element)) continue;
    for (const name of attributes) texts.push(element.getAttribute(name) ?? '');
  }
  const cut = [...document.querySelectorAll('body *')].filter((element) => {
    const { overflowX, overflowY } = getComputedStyle(element);
    // The pages shorten long values, and a button moves its label away while it waits.
    if (element.matches('[data-line-clamp], .mantine-Button-root')) return false;
    if (element.clientWidth <= 1 || !element.textContent.includes('⟦') || !isShown(element)) return false;
    return (/hidden|clip/.test(overflowX) && element.scrollWidth > element.clientWidth + 1)
      || (/hidden|clip/.test(overflowY) && element.scrollHeight > element.clientHeight + 1);
  }).map((element) => element.outerHTML.slice(0, 200));
  const { scrollWidth, clientWidth } = document.documentElement;
  const tooWide = scrollWidth > clientWidth ? [...document.querySelectorAll('body *')].filter((element) =>
    element.getBoundingClientRect().right > clientWidth && isShown(element)).map((element) => element.outerHTML.slice(0, 200)).slice(-3) : undefined;
  return { texts, cut, tooWide: tooWide?.length === 0 ? ['the page'] : (tooWide ?? []) };
})()`;

/** Returns the text without its parts in brackets. */
function outsideBrackets(text: string): string {
  let depth = 0;
  let outside = '';
  for (const letter of text) {
    if (letter === '⟦') depth += 1;
    else if (letter === '⟧') depth -= 1;
    else if (depth === 0) outside += letter;
  }
  return outside;
}

/** Whether it is what a page shows of a translated text: the list of messages leaves out the beginning of their names. */
const isFromLanguage = (text: string) => text.endsWith(FILLER);

/** Returns what is wrong with the page: texts that are not translated and no data, texts that are cut, and overflow. */
export async function findFaults(page: Page, isData: (text: string) => boolean): Promise<string[]> {
  // The script returns this shape.
  const { texts, cut, tooWide } = (await page.evaluate(READ)) as Readonly<
    Record<'texts' | 'cut' | 'tooWide', string[]>
  >;
  const written = texts
    .map((text) => outsideBrackets(text).trim())
    .filter((text) => /[a-z]{2}/i.test(text) && !isFromLanguage(text) && !isData(text));
  return [
    ...new Set(written.map((text) => `not translated: ${text}`)),
    ...cut.map((element) => `cut: ${element}`),
    ...tooWide.map((element) => `beyond the edge: ${element}`),
  ];
}
