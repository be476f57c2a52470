// Link secrets and tokens, each valid for one thing, on both engines. `sender.test.ts` tries those of sent links.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { untilServed } from '../../test/support/patience.ts';
import { addSeconds } from '../foundation/clock.ts';
import { systemRandom } from '../foundation/random.ts';
import { createSecrets } from '../foundation/secrets.ts';
import type { Database, Tx } from '../storage/database.ts';
import { createOneTimeSecrets, LINK_SECRET_LENGTH, type LinkHolder } from './one-time-secrets.ts';
import { createSecretStore } from './store.secrets.sql.ts';

const TTL = 61;
const METHOD = 2;
const OTHER_METHOD = 4;

let people = 0;
function newHolder() {
  people += 1;
  return { accountId: people, passwordVersion: 3, address: `user${people}@example.org`, purpose: 'reset' } as const;
}

for (const engine of engines) {
  describe(`one-time secrets on ${engine}`, () => {
    let database: Database;
    before(async () => {
      database = await openTestDatabase(engine);
    });
    after(() => database.close());

    const secrets = createSecrets('a secret of at least thirty-two characters', systemRandom);
    function build() {
      const clock = createManualClock();
      const store = createSecretStore(database);
      const oneTime = createOneTimeSecrets({ store, secrets, clock, random: systemRandom });
      const within = <Result>(work: (tx: Tx) => Promise<Result>) => untilServed(() => database.transaction(work));
      const toTokenHolder = ({ accountId, passwordVersion }: LinkHolder, method: number) => ({
        accountId,
        passwordVersion,
        method,
      });
      return {
        clock,
        store,
        find: oneTime.findToken,
        isLink: oneTime.isLink,
        findLinkEnd: oneTime.findLinkEnd,
        within,
        issueLink: (holder: LinkHolder, method = METHOD) =>
          within((tx) => oneTime.issueLink(tx, { method, holder }, TTL)),
        takeLink: (secret: string, holder: LinkHolder) => within((tx) => oneTime.takeLink(tx, secret, holder)),
        issueToken: (holder: LinkHolder, method = METHOD) =>
          within((tx) => oneTime.issueToken(tx, toTokenHolder(holder, method))),
        takeToken: (token: string) => within((tx) => oneTime.takeToken(tx, token)),
        revokeOfAccount: (id: number) => within((tx) => oneTime.revokeOfAccount(tx, id)),
        deleteExpired: oneTime.deleteExpired,
        revokeOfMethod: (method: number) => within((tx) => oneTime.revokeOfMethod(tx, method)),
      };
    }

    it('gives a token to one of fifty callers, within ten minutes', async () => {
      const { clock, find, within, issueToken, takeToken } = build();
      const holder = newHolder();
      const { accountId, passwordVersion } = holder;
      const [token, later] = [await issueToken(holder), await issueToken(holder, OTHER_METHOD)];
      assert.equal(token.length, LINK_SECRET_LENGTH);
      clock.advance(599);
      assert.deepEqual({ ...(await find(token)) }, { accountId, passwordVersion, method: METHOD });
      const taken = await Promise.all(Array.from({ length: 50 }, () => takeToken(token)));
      assert.equal(taken.filter(Boolean).length, 1);
      assert.equal(await find(token), undefined);
      const seen = await within((tx) => find(later, tx));
      assert.equal(seen?.method, OTHER_METHOD, 'each token works for itself');
      clock.advance(1);
      assert.deepEqual([await find(later), await takeToken(later)], [undefined, false]);
    });

    it('takes no link for a token, and no token for a link', async () => {
      const { find, issueLink, takeLink, issueToken, takeToken } = build();
      const holder = newHolder();
      const [link, token] = [await issueLink(holder), await issueToken(holder)];
      assert.deepEqual(
        [await find(link), await takeToken(link), await takeLink(token, holder)],
        [undefined, false, false],
      );
      assert.deepEqual([await takeLink(link, holder), await takeToken(token)], [true, true]);
    });

    it('knows the latest end of the links of an account with this password', async () => {
      const { clock, findLinkEnd, issueLink, revokeOfAccount } = build();
      const [holder, other] = [newHolder(), newHolder()];
      assert.equal(await findLinkEnd(holder), undefined);
      await issueLink(holder);
      clock.advance(1);
      await issueLink(holder, OTHER_METHOD);
      assert.equal(await findLinkEnd(holder), addSeconds(clock.now(), TTL));
      assert.deepEqual(
        [await findLinkEnd(other), await findLinkEnd({ ...holder, passwordVersion: holder.passwordVersion + 1 })],
        [undefined, undefined],
      );
      await revokeOfAccount(holder.accountId);
      assert.equal(await findLinkEnd(holder), undefined);
    });

    it('says whether a link would be taken, and takes nothing', async () => {
      const { clock, within, issueLink, issueToken, takeLink, isLink } = build();
      const [holder, other] = [newHolder(), newHolder()];
      const [secret, late, token] = [await issueLink(holder), await issueLink(other), await issueToken(holder)];
      assert.deepEqual(
        [
          await isLink(secret, holder),
          await isLink(secret, other),
          await isLink(token, holder),
          await isLink('', holder),
        ],
        [true, false, false, false],
      );
      const nobodys = await within((tx) => issueFor(tx, null));
      assert.equal(await isLink(nobodys, null), false);
      assert.equal(await takeLink(secret, holder), true);
      assert.equal(await isLink(secret, holder), false);
      clock.advance(TTL - 0.001);
      assert.equal(await isLink(late, other), true);
      clock.advance(0.001);
      assert.equal(await isLink(late, other), false);

      function issueFor(tx: Tx, to: LinkHolder | null) {
        const oneTime = createOneTimeSecrets({
          store: createSecretStore(database),
          secrets,
          clock,
          random: systemRandom,
        });
        return oneTime.issueLink(tx, { method: METHOD, holder: to }, TTL);
      }
    });

    it('takes a link for its purpose only, also one that was mailed before links had a purpose', async () => {
      const { clock, store, within, issueLink, takeLink } = build();
      const reset = newHolder();
      const invitation = { ...reset, purpose: 'invitation' } as const;
      const { accountId, passwordVersion, address } = reset;
      const stored = { kind: 'link', method: METHOD, accountId, passwordVersion } as const;
      async function mailEarlier(...ending: string[]) {
        const secret = systemRandom.bytes(32).toString('base64url');
        const mac = secrets.mac('reset-token', [secret, accountId, passwordVersion, address, ...ending].join('\n'));
        await within((tx) => store.add(tx.sql, { ...stored, mac, expiresAt: addSeconds(clock.now(), TTL) }));
        return secret;
      }
      const mailed = [
        [await issueLink(invitation), invitation, reset],
        [await mailEarlier(), reset, invitation],
        [await mailEarlier('invitation'), invitation, reset],
      ] as const;
      for (const [secret, own, other] of mailed) {
        assert.deepEqual([await takeLink(secret, other), await takeLink(secret, own)], [false, true]);
      }
    });

    it('replaces the account’s older links of the method, for any purpose, and nothing else', async () => {
      const { issueLink, takeLink, issueToken, takeToken } = build();
      const reset = newHolder();
      const invitation = { ...reset, purpose: 'invitation' } as const;
      const stranger = newHolder();
      const [older, ofOther, ofStranger] = [
        await issueLink(invitation),
        await issueLink(reset, OTHER_METHOD),
        await issueLink(stranger),
      ];
      const token = await issueToken(reset);
      const newer = await issueLink(reset);
      assert.equal(await takeLink(older, invitation), false);
      assert.deepEqual([await takeLink(newer, reset), await takeLink(ofOther, reset)], [true, true]);
      assert.deepEqual([await takeLink(ofStranger, stranger), await takeToken(token)], [true, true]);
    });

    it('revokes what an account has, or what a method has issued, and nothing else', async () => {
      const { issueLink, takeLink, issueToken, takeToken, revokeOfAccount, revokeOfMethod } = build();
      const [gone, stays] = [newHolder(), newHolder()];
      const issueAll = async (holder: LinkHolder, method: number) =>
        [await issueLink(holder, method), await issueToken(holder, method)] as const;
      const takeAll = async ([link, token]: readonly [string, string], holder: LinkHolder) => [
        await takeLink(link, holder),
        await takeToken(token),
      ];
      const [first, second] = [await issueAll(gone, METHOD), await issueAll(stays, METHOD)];
      await revokeOfAccount(gone.accountId);
      assert.deepEqual([await takeAll(first, gone), await takeAll(second, stays)].flat(), [false, false, true, true]);
      const [third, fourth] = [await issueAll(gone, METHOD), await issueAll(stays, OTHER_METHOD)];
      await revokeOfMethod(METHOD);
      assert.deepEqual([await takeAll(third, gone), await takeAll(fourth, stays)].flat(), [false, false, true, true]);
    });

    it('deletes what has expired, one batch of five hundred at a time', async () => {
      const { clock, deleteExpired } = build();
      const { sql } = database;
      const row = {
        kind: 'link',
        method: METHOD,
        account_id: null,
        password_version: 0,
        expires_at: clock.now(),
      } as const;
      await sql.deleteFrom('reset_token').execute();
      await sql
        .insertInto('reset_token')
        .values(Array.from({ length: 501 }, (_, n) => ({ ...row, mac: `expired ${n}` })))
        .execute();
      clock.advance(1);
      const left = async () => (await sql.selectFrom('reset_token').select('mac').execute()).length;
      await deleteExpired();
      assert.equal(await left(), 1);
      await deleteExpired();
      assert.equal(await left(), 0);
    });
  });
}
