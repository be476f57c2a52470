// Every page and its main states on a phone, in each language, light and dark.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Pages, startPages } from '../support/browser.ts';
import { addExamples, type Examples } from '../support/examples.ts';
import { checkApplication, checkVisitor } from '../support/looks.ts';

const looks = (['en', 'de', 'fr'] as const).map(
  (language) => ({ language, widths: [390, 320], schemes: ['light', 'dark'] }) as const,
);

describe('every page on a phone, at length', () => {
  let pages: Pages;
  let examples: Examples;
  before(async () => {
    pages = await startPages();
    examples = await addExamples(pages);
  });
  after(() => pages.close());

  for (const look of looks) {
    it(`fits the screen of an administrator who reads ${look.language}`, async () => {
      assert.deepEqual(await checkApplication(pages, examples, look), []);
    });

    it(`fits the screen of a visitor who reads ${look.language}`, async () => {
      assert.deepEqual(await checkVisitor(pages, look), []);
    });
  }
});
