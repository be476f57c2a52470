// Browser sessions: what lets a signed-in person through without being asked again. A handle of a session, and no token.
import type { Clock } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { Revocations, Session } from '../tokens/index.ts';
import type { HeldSession, OpenIdStore } from './store.sql.ts';

const SECRET_BYTES = 32;

/** The most handles of a session. A page can ask again and again. */
const MOST = 50;

export interface BrowserSessions {
  /** Makes a handle of an open session. @returns the secret that the browser keeps. */
  open(tx: Tx, session: Session): Promise<string>;
  /** Returns the session that a handle stands for. It may have ended. */
  find(secret: string | undefined): Promise<HeldSession | undefined>;
}

export function createBrowserSessions(deps: {
  database: Database;
  store: OpenIdStore;
  revocations: Revocations;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): BrowserSessions {
  const { database, store, revocations, secrets, clock, random } = deps;
  const macOf = (secret: string) => secrets.mac('browser-session', secret);

  // A compromised key ends what its tokens could open.
  revocations.subscribe(async (tx, revoked) => {
    const ended = revoked.flatMap((one) => (one.kind === 'session' && !one.isOfGrant ? one.sessionId : []));
    if (revoked.some(({ kind }) => kind === 'all' || kind === 'key')) await store.removeBrowserSessions(tx.sql, 'all');
    else await store.removeBrowserSessions(tx.sql, ended);
  });

  return {
    async open(tx, { id, expiresAt }) {
      const secret = random.bytes(SECRET_BYTES).toString('base64url');
      await store.addBrowserSession(tx.sql, macOf(secret), { sessionId: id, expiresAt, most: MOST });
      return secret;
    },
    async find(secret) {
      if (!secret) return undefined;
      return store.findBrowserSession(database.sql, macOf(secret), clock.now());
    },
  };
}
