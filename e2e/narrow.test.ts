// What the check of every page on a phone rests on. `long/narrow.test.ts` makes it.
// Alone in its process: it awaits before it declares its tests.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Pages, startPages } from './support/browser.ts';
import { openLook } from './support/looks.ts';
import { applicationStates, readRoutes, visitorStates } from './support/states.ts';

const look = { language: 'de', widths: [320], schemes: [] } as const;

describe('every page on a phone', () => {
  let pages: Pages;
  before(async () => {
    pages = await startPages();
  });
  after(() => pages.close());

  it('is in the list of states', () => {
    const { application, signIn, sections } = readRoutes();
    assert.ok(application.length > 10 && signIn.length > 4 && sections.length > 8);
    const listed = (states: typeof applicationStates) => [...new Set(states.map(({ route }) => route))].toSorted();
    assert.deepEqual(listed(applicationStates), application.toSorted());
    assert.deepEqual(listed(visitorStates), signIn.toSorted());
    const opened = new Set(applicationStates.map(({ path }) => path || '/'));
    const missing = sections.filter((path) => !opened.has(path));
    assert.deepEqual(missing, []);
  });

  it('is checked for each class of fault', async () => {
    const context = await openLook(pages, look);
    const page = await context.newPage();
    await page.goto('about:blank');
    const find = async (html: string) => {
      await page.setContent(`<!doctype html><body style="margin:0;font:16px sans-serif">${html}`);
      return (await page.evaluate('findLayoutFaults()')) as string[];
    };
    const button = '<button style="width:20px;height:20px;padding:0;border:0">x</button>';
    const cut = 'width:60px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis';
    for (const [fault, html] of [
      [/px too wide/, '<div style="width:500px">wide</div>'],
      [/^cut: /, `<p style="${cut}">A text that is much too long</p>`],
      [/^broken word: Registrierungen/, '<p style="width:80px;overflow-wrap:anywhere">Registrierungen</p>'],
      [/^small: 20 × 20/, button + button],
      [/^zooms: 14 px/, '<input style="font-size:14px">'],
    ] as const) {
      assert.match((await find(html)).join(), fault);
    }
    const beside = `<p style="${cut}" title="${'long '.repeat(40)}">${'long '.repeat(40)}</p>`;
    const fine = `<p style="${cut}" title="A text that is much too long">A text that is much too long</p>${button}${beside}
      <p>A sentence with <a href="/">a link</a> and <a href="/">another</a>.</p>
      <pre style="overflow:auto">${'x'.repeat(200)}</pre><p style="width:80px;overflow-wrap:anywhere">someone@example.org</p>`;
    assert.deepEqual(await find(fine), []);
    await context.close();
  });

  it('has fields that iOS does not zoom into, also on a tablet', async () => {
    const context = await pages.browser.newContext({ baseURL: pages.url, hasTouch: true });
    const page = await context.newPage();
    await page.goto('/login');
    const name = page.getByLabel('User name or e-mail address');
    const size = await name.evaluate((field) => field.ownerDocument.defaultView?.getComputedStyle(field).fontSize);
    assert.equal(size, '16px');
    await context.close();
  });
});
