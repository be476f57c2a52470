// Grants beside the sessions of a test: whether each is refused exactly when its session has ended.
import assert from 'node:assert/strict';
import type { FeedReader } from './feed-reader.ts';
import { claimsOf, headerOf } from './forge.ts';
import {
  begin,
  type Client,
  createClient,
  createVerifier,
  openBrowser,
  proceed,
  readAnswer,
  redeem,
  refresh,
  toRequest,
} from './oauth.ts';
import type { TestService } from './service.ts';

/** What one approval gave: its first access token, and the current refresh token after so many refreshes. */
type Given = { accessToken: string; refreshToken: string; refreshes: number; sessionId: string; openedBy: string };

const DAY_SECONDS = 86_400;

export interface FollowedGrants {
  readonly client: Client;
  /** Signs the person of a token in to an application: with the session of the token, and with `offline_access`. */
  give(token: string): Promise<void>;
  /**
   * Requires of each grant: it is refused, and the feed refuses its token, if its session has ended; userinfo and a refresh are
   * refused also while the session is restricted. A restriction makes the feed refuse what was given before it, also when it is over.
   * @param areOver whether all grants have ended, though their sessions are open.
   */
  compare(reader: FeedReader, areOver?: boolean): Promise<void>;
  /** Exchanges the refresh tokens of all grants. */
  refreshAll(): Promise<void>;
  /** Whether the feed has ended what the session of a token gave. @returns nothing if it gave nothing. */
  judge(reader: FeedReader, token: string): { inSession: boolean; offline: boolean } | undefined;
}

/** Follows grants of an application that is registered for them. */
export async function followGrants(test: TestService): Promise<FollowedGrants> {
  const { database, keys, grants } = test.service;
  const client = await createClient(test, { consent: 'ask', accessTokenLifetime: DAY_SECONDS });
  const all: Given[] = [];

  async function approve(token: string, scope: string) {
    const browser = openBrowser(test);
    const verifier = createVerifier();
    const id = await begin(browser, toRequest(client, verifier, { scope, prompt: 'consent' }));
    const { status, result, text } = await proceed(browser, id, token, { consent: true });
    assert.equal(status, 200, text);
    const { code = '' } = readAnswer((result as { redirectTo: string }).redirectTo);
    const { body } = await redeem(test, client, code, verifier);
    const grant = await grants.findOpen(String(claimsOf(body.access_token).sid));
    const openedBy = String(claimsOf(token).sid);
    all.push({
      accessToken: body.access_token,
      refreshToken: body.refresh_token,
      refreshes: 0,
      sessionId: grant?.sessionId ?? '',
      openedBy,
    });
  }

  async function readState({ sessionId, accessToken }: Given): Promise<'open' | 'restricted' | 'ended'> {
    const { kid } = headerOf(accessToken);
    const query = database.sql.selectFrom('session').selectAll().where('id', '=', sessionId);
    const row = await query.executeTakeFirst();
    // What a compromised key has signed is over, in an open session too.
    if (!row || row.ended_at !== null || !keys.all().some((key) => key.kid === kid)) return 'ended';
    return row.must_change_password || row.must_enroll ? 'restricted' : 'open';
  }

  /** Whether the session has been restricted: a generation is raised by refreshes, and by that. */
  async function wasRestricted({ accessToken, refreshes }: Given) {
    const grant = database.sql.selectFrom('application_grant').select('generation');
    const row = await grant.where('id', '=', String(claimsOf(accessToken).sid)).executeTakeFirst();
    return (row?.generation ?? 0) > refreshes;
  }

  /** @returns whether there were new tokens. */
  async function refreshOne(grant: Given) {
    const { body } = await refresh(test, client, grant.refreshToken);
    if (!('refresh_token' in body)) return false;
    grant.refreshToken = body.refresh_token;
    grant.refreshes += 1;
    return true;
  }

  return {
    client,
    async give(token) {
      for (const scope of ['openid', 'openid offline_access']) await approve(token, scope);
    },
    async refreshAll() {
      for (const grant of all) await refreshOne(grant);
    },
    async compare(reader, areOver = false) {
      for (const grant of all) {
        const { accessToken } = grant;
        const state: 'open' | 'restricted' | 'ended' = areOver ? 'ended' : await readState(grant);
        assert.equal(reader.refuses(accessToken), state === 'ended' || (await wasRestricted(grant)));
        const headers = { authorization: `Bearer ${accessToken}` };
        const info = await test.app.inject({ url: '/oauth/userinfo', headers });
        assert.equal(info.statusCode, state === 'open' ? 200 : 401, info.body);
        assert.equal(await refreshOne(grant), state === 'open');
      }
    },
    judge(reader, token) {
      const ofToken = all.filter(({ openedBy }) => openedBy === claimsOf(token).sid);
      const [inSession, offline] = ofToken.map(({ accessToken }) => reader.refuses(accessToken));
      return inSession === undefined || offline === undefined ? undefined : { inSession, offline };
    },
  };
}
