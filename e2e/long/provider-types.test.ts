// Every type of external providers in a real browser, against a provider that behaves as its maker documents.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { types } from '../../server/test/support/registered-types.ts';
import { startWorldPages, type WorldPages, walkType } from '../support/provider-types.ts';

describe('every type of external providers', () => {
  let all: WorldPages;
  before(async () => {
    all = await startWorldPages();
  });
  after(() => all?.close());

  it('has its turn', async () => {
    const token = await all.pages.test.admin();
    const { result } = await all.pages.test.get('/api/services/app/ExternalProvider/GetTypes', { token });
    assert.deepEqual(result.map(({ type }) => type).toSorted(), Object.keys(types).toSorted());
  });

  for (const type of Object.keys(types)) {
    it(`is added by the page alone, tested, and signs people in: ${type}`, () => walkType(all, type, 2));
  }
});
