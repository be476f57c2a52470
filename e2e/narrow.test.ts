// Every page and its main states on a phone: 390 and 320 px wide, in German, whose words are longest. `long/narrow.test.ts` has more.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Pages, startPages } from './support/browser.ts';
import { addExamples } from './support/examples.ts';
import { checkApplication, checkVisitor } from './support/looks.ts';
import { applicationStates, readRoutes, visitorStates } from './support/states.ts';

const look = { language: 'de', widths: [390, 320], schemes: [] } as const;

describe('every page on a phone', () => {
  let pages: Pages;
  let user: number;
  before(async () => {
    pages = await startPages();
    user = await addExamples(pages);
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

  it('fits the screen of an administrator', async () => {
    assert.deepEqual(await checkApplication(pages, user, look), []);
  });

  it('fits the screen of a visitor', async () => {
    assert.deepEqual(await checkVisitor(pages, look), []);
  });
});
