// The type of external providers that is least like others, in a real browser. The long tests have all types.
import { after, before, describe, it } from 'node:test';
import { startWorldPages, type WorldPages, walkType } from './support/provider-types.ts';

describe('a type of external providers', () => {
  let all: WorldPages;
  before(async () => {
    all = await startWorldPages();
  });
  after(() => all?.close());

  it('is added by the page alone, tested, and signs people in: apple', () => walkType(all, 'apple', 1));
});
