// The guides: how the build reads them, and the pages that show them.
import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isLong, itAtLength } from '../server/test/support/scale.ts';
import { ADMIN_PASSWORD } from '../server/test/support/service.ts';
import { createModule, resolveLink } from '../web/build/guides.ts';
import { readIds, readMarkdown } from '../web/build/markdown.ts';
import { sectionsOf } from '../web/build/sections.ts';
import { assertAccessibleEverywhere, openSignedIn, type Pages, startPages, until } from './support/browser.ts';
import { liftLimits } from './support/messages.ts';

const root = join(import.meta.dirname, '..');
const docs = join(root, 'docs');
const roles = join(docs, 'guide/roles.md');
const read = (text: string) => readMarkdown(text, (target) => target);

/** Returns the text of a page that only GitHub shows, without lines of HTML. */
const readPage = (file: string) => readFileSync(join(root, file), 'utf8').replaceAll(/^ *<\/?[a-z]+[ >].*\n/gm, '');

describe('the build of the guides', () => {
  it('reads every page of the documentation, and finds each of its links', () => {
    const files = globSync('{glossary,{guide,reference,decisions}/*}.md', { cwd: docs });
    assert.ok(files.length > 60, String(files.length));
    for (const file of files) assert.match(createModule(join(docs, file)), /^export default|\nexport default/, file);
  });

  it('finds each link of the pages that only GitHub shows', () => {
    const files = globSync('{*,docs/design,examples/{,*/}README}.md', { cwd: root });
    for (const file of ['README.md', 'SECURITY.md', 'examples/README.md', 'examples/go/README.md'])
      assert.ok(files.includes(file), files.join());
    for (const file of files) {
      readMarkdown(readPage(file), (target) => {
        const [path = '', id] = target.split('#');
        if (/^\w+:/.test(target)) return target;
        const found = path === '' ? file : join(dirname(file), path);
        assert.ok(existsSync(join(root, found)), `${file}: there is no file at ${target}`);
        const isHeading = id === undefined || readIds(readPage(found)).includes(id);
        assert.ok(isHeading, `${file}: there is no heading at ${target}`);
        return target;
      });
    }
  });

  it('leads links to the pages of the application', () => {
    assert.equal(resolveLink(roles, 'security.md'), '/guide/security');
    assert.equal(resolveLink(roles, '#names'), '#names');
    assert.equal(resolveLink(roles, 'delivery.md#e-mail-by-smtp'), '/guide/delivery#e-mail-by-smtp');
    assert.equal(resolveLink(roles, '../reference/settings.md'), '/guide/reference/settings');
    assert.equal(resolveLink(roles, 'https://example.org/a#b'), 'https://example.org/a#b');
    assert.equal(resolveLink(roles, 'alerts.yml'), `file:${join(docs, 'guide/alerts.yml')}`);
  });

  it('refuses dead links, other schemes, HTML, and pictures of other sites or without text', () => {
    for (const target of ['nothing.md', 'security.md#nothing', '#nothing', '../../README.md', 'javascript:alert(1)']) {
      assert.throws(() => resolveLink(roles, target), /there is no/, target);
    }
    for (const text of [
      '<b>bold</b>',
      '<script>alert(1)</script>',
      'a <i>b</i>',
      '![a](https://example.org/a.png)',
      '![a](data:image/png,)',
      '![](a.png)',
    ]) {
      assert.throws(() => read(`# Title\n\n${text}\n`), /Guides cannot show/, text);
    }
    assert.throws(() => read('No title'), /begins with its title/);
  });

  it('keeps HTML in code as text, and gives headings the ids that GitHub gives', () => {
    const { title, blocks } = read(
      '# `A` & B\n\n## What’s a "token"?\n\n## One two\n\n### One two\n\n`<b>` &lt;i&gt;\n\n    <p>\n',
    );
    assert.equal(title, 'A & B');
    const ids = blocks.flatMap((block) => (block.kind === 'heading' ? block.id : []));
    assert.deepEqual(ids, ['whats-a-token', 'one-two', 'one-two-1']);
    assert.deepEqual(blocks.slice(-2), [
      { kind: 'paragraph', content: [{ kind: 'code', text: '<b>' }, ' <i>'] },
      { kind: 'code', text: '<p>' },
    ]);
  });

  it('lists sections with their terms for the search', () => {
    const { blocks } = read(
      '# A\n\nSee [the key](b.md).\n\n## Redirect `URI`\n\nWith PKCE, `redirect_uri` and *state*.\n\n    curl\n\n- **one** `redirect_uri`\n',
    );
    assert.deepEqual(sectionsOf(blocks), [
      ['', '', 'the key'],
      ['redirect-uri', 'Redirect URI', 'pkce redirect_uri state one'],
    ]);
  });
});

describe('the guides in the pages', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
    await liftLimits(pages);
  });
  after(() => pages.close());

  it('lists every guide, and loads the one that is read', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
    await openSignedIn(page, '/app/guide');
    await page.getByRole('heading', { level: 1, name: 'Guide' }).waitFor();
    const links = await page
      .getByRole('main')
      .getByRole('link')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    const names = readdirSync(join(docs, 'guide')).filter((name) => name.endsWith('.md'));
    assert.deepEqual(
      links.filter((link) => !link?.includes('/reference/') && !link?.endsWith('/glossary')).toSorted(),
      names.map((name) => `/app/guide/${name.replace('.md', '')}`).toSorted(),
    );
    const ofGuides = () => scripts.filter((path) => /^\/assets\/(runbook|operating|roles)-/.test(path));
    assert.deepEqual(ofGuides(), []);
    await page.getByRole('link', { name: 'Runbook' }).click();
    await page.getByRole('heading', { level: 1, name: 'Runbook' }).waitFor();
    await page.getByRole('heading', { name: 'LatchkeyDown' }).waitFor();
    // A file is fetched, and then imported from the cache of the browser.
    assert.match([...new Set(ofGuides())].join(), /^\/assets\/runbook-[^,]*$/);
    const file = page.getByRole('link', { name: 'alerts.yml' }).first();
    const rules = await context.request.get((await file.getAttribute('href')) ?? '');
    assert.equal(await rules.text(), readFileSync(join(docs, 'guide/alerts.yml'), 'utf8'));
    await context.close();
  });

  it('finds guides and their sections by words of titles, headings and terms', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
    await openSignedIn(page, '/app/guide');
    const field = page.getByRole('searchbox', { name: 'Search', exact: true });
    const found = page.getByRole('main').getByRole('listitem');
    await field.waitFor();
    assert.ok(!scripts.some((path) => path.startsWith('/assets/sections-')), scripts.join('\n'));
    await field.fill('audit the TRAIL');
    await found.filter({ hasText: 'The audit trail' }).first().waitFor();
    await field.fill('pkce');
    await found.first().waitFor();
    await field.fill('zebra crossing');
    await page.getByText('No guides match.').waitFor();
    await field.fill('keys service');
    await found.getByRole('link', { name: 'Service keys', exact: true }).first().click();
    await page.locator('#service-keys:focus').waitFor();
    await context.close();
  });

  itAtLength('say in other languages that they are in English', async () => {
    const context = await pages.open({ locale: 'de-DE' });
    const page = await context.newPage();
    await openSignedIn(page, '/app/guide');
    await page.getByText('Die Anleitung gibt es nur auf Englisch.').waitFor();
    await page.getByRole('link', { name: 'Runbook' }).click();
    await page.getByRole('heading', { level: 1, name: 'Runbook' }).waitFor();
    await page.getByText('Die Anleitung gibt es nur auf Englisch.').waitFor();
    assert.equal(await page.getByRole('heading', { level: 1 }).getAttribute('lang'), 'en');
    await page.goto('/app/guide/nothing');
    assert.equal(await page.getByRole('heading', { level: 1, name: 'Nicht gefunden' }).getAttribute('lang'), null);
    await context.close();
  });

  it('goes to the heading that a link names, in this guide and in another, and after a sign-in', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, '/app/guide/introspection');
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Forward-auth' }).click();
    await page.locator('#forward-auth:focus').waitFor();
    await page.goto('/app/guide/pages');
    await page.getByRole('link', { name: 'permissions', exact: true }).click();
    await page.locator('#permissions-of-latchkey:focus').waitFor();
    const box = await page.locator('#permissions-of-latchkey').boundingBox();
    assert.ok(box && box.y >= 60 && box.y < 300, `the heading is at ${box?.y}`);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'The pages of administrators' }).waitFor();
    await page.goto('/app/guide/nothing');
    await page.getByText('There is no guide at this address.').waitFor();
    await context.close();

    const later = await (await pages.open()).newPage();
    await later.goto('/app/guide/introspection#forward-auth');
    await later.getByLabel('User name or e-mail address').fill('admin');
    await later.getByLabel('Password', { exact: true }).fill(ADMIN_PASSWORD);
    await later.getByRole('button', { name: 'Sign in', exact: true }).click();
    await later.locator('#forward-auth:focus').waitFor();
    await later.context().close();
  });

  it('shows a picture', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    await openSignedIn(page, '/app/guide/reference/soak');
    await page.getByRole('img', { name: 'Memory, latency and size of the database over 60 minutes' }).waitFor();
    await page.evaluate("document.querySelector('main img').decode()");
    await context.close();
  });

  it('copies code', async () => {
    const context = await pages.open();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    await openSignedIn(page, '/app/guide/roles');
    // The button says it for a second only.
    await page.evaluate(`new MutationObserver((changes) => {
      globalThis.isSaid ||= changes.some(({ target }) => target.ariaLabel === 'Copied');
    }).observe(document, { subtree: true, attributeFilter: ['aria-label'] })`);
    await page.getByRole('button', { name: 'Copy: Code' }).first().click();
    await until(page, () => page.evaluate<boolean>('globalThis.isSaid === true'), 'no button says that it has copied');
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.ok(copied.startsWith('curl -X POST') && readFileSync(roles, 'utf8').includes(copied), copied);
    await context.close();
  });

  it('are accessible', async () => {
    for (const path of isLong ? ['', '/verifying-tokens', '/delivery', '/reference/settings'] : ['', '/delivery']) {
      await assertAccessibleEverywhere(pages, async (page) => {
        await openSignedIn(page, `/app/guide${path}`);
        await page.getByRole('heading', { level: 2 }).first().waitFor();
      });
    }
  });
});
