// Sign-outs: when a grant of a person ends, its application is told, and the person learns what came of it.
import type { Applications } from '../applications/index.ts';
import { addSeconds, type Clock, type Instant, toInstant } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import { afterSetBack } from '../foundation/set-back.ts';
import type { Grants } from '../grants/index.ts';
import { longestWaits, type SignOut } from './sign-out.ts';
import type { SignOutStore } from './store.sql.ts';

/** The most that are shown of an account. */
const MOST_SHOWN = 200;

const KEPT_SECONDS = 30 * 86_400;
const BATCH = 500;

/** A person who has signed out may look at what came of it for so long, in seconds. */
const RECEIPT_SECONDS = 3600;
const LABEL = 'sign-out-receipt';

/** The end of a session, and the applications that it was used for. */
export type EndedSession = {
  readonly sessionId: string;
  readonly endedAt: Instant;
  readonly applications: readonly (Pick<SignOut, 'state' | 'tokensEndAt'> & {
    readonly name: string;
    /** When the application answered or was given up; else when it ended. */
    readonly at: Instant;
  })[];
};

export interface SignOuts {
  /** Returns what came of the newest sign-outs of an account, newest first. */
  list(accountId: number): Promise<EndedSession[]>;
  /**
   * Returns what lets a person look at the end of this session without being signed in.
   * @param further sessions of applications with `offline_access` that ended with it.
   */
  makeReceipt(session: { accountId: number; sessionId: string }, further?: readonly string[]): string;
  /** Returns what came of the sign-out of a receipt; nothing for one that this service has not made, or too long ago. */
  read(receipt: string): Promise<EndedSession[]>;
  /** Job: makes sign-outs due that were put off by a clock that was ahead: at once on the node of that clock, or within an hour. */
  correctDueTimes(): Promise<void>;
  /** Cleanup job. */
  deleteOld(): Promise<void>;
}

export function createSignOuts(deps: {
  store: SignOutStore;
  applications: Applications;
  grants: Grants;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): SignOuts {
  const { store, applications, grants, secrets, clock, random } = deps;

  grants.whenEnded(async (tx, ended) => {
    const now = clock.now();
    const all = ended.flatMap(({ id: grantId, accountId, sessionId, applicationId, tokensExpireAt }): SignOut[] => {
      if (accountId === null || sessionId === null) return [];
      const application = applications.findById(applicationId);
      const isReachable = application?.backchannelLogoutUri != null;
      const times = { endedAt: now, tokensEndAt: tokensExpireAt, settledAt: null, dueAt: now };
      const state = isReachable ? 'pending' : 'unreachable';
      const counts = { tries: 0, failures: 0 };
      const which = { grantId, sessionId, accountId, applicationId, applicationName: application?.name ?? null };
      return [{ id: random.uuid(), ...which, state, ...times, ...counts }];
    });
    await store.add(tx.sql, all);
  });

  const toSessions = (all: readonly SignOut[]): EndedSession[] =>
    [...Map.groupBy(all, ({ sessionId }) => sessionId)].map(([sessionId, some]) => ({
      sessionId,
      endedAt: toInstant(Math.max(...some.map(({ endedAt }) => endedAt))),
      applications: some.map(({ applicationId, applicationName, state, settledAt, endedAt, tokensEndAt }) => ({
        name: applications.findById(applicationId)?.name ?? applicationName ?? applicationId,
        state,
        at: settledAt ?? endedAt,
        tokensEndAt,
      })),
    }));

  function open(receipt: string): { accountId: number; sessionIds: string[] } | undefined {
    try {
      const { expiresAt, ...ended } = JSON.parse(secrets.unseal(LABEL, receipt));
      // A receipt of an earlier version names none.
      return Array.isArray(ended.sessionIds) && toInstant(expiresAt) > clock.now() ? ended : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    list: async (accountId) => toSessions(await store.list({ accountId }, MOST_SHOWN)),
    makeReceipt({ accountId, sessionId }, further = []) {
      const expiresAt = addSeconds(clock.now(), RECEIPT_SECONDS);
      return secrets.seal(LABEL, JSON.stringify({ accountId, sessionIds: [sessionId, ...further], expiresAt }));
    },
    async read(receipt) {
      const ended = open(receipt);
      return ended ? toSessions(await store.list(ended, MOST_SHOWN)) : [];
    },
    correctDueTimes: afterSetBack(clock, (now) => store.correctDueTimes(longestWaits, now)),
    deleteOld: () => store.deleteOld(addSeconds(clock.now(), -KEPT_SECONDS), BATCH),
  };
}
