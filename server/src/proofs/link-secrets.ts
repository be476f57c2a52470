// Link secrets: each works once, for the account, password and address that its link was mailed for.
import { addSeconds, type Clock } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Tx } from '../storage/database.ts';
import type { SecretStore } from './store.secrets.sql.ts';

const SECRET_BYTES = 32;
const REMOVAL_BATCH = 500;
/** In characters. Anything shorter is a typed code. */
export const LINK_SECRET_LENGTH = 43;

/** All links reset a password by mail. */
const LINK_METHOD = 2;

/**
 * The account of a link, and the address that it went to. A new password or address invalidates the link. The link of an
 * invitation is no link that the owner has requested, and the other way round.
 */
export type LinkHolder = {
  readonly accountId: number;
  readonly passwordVersion: number;
  readonly address: string;
  readonly isInvitation?: true;
};

export interface LinkSecrets {
  /** Issues a secret of 256 random bits, and revokes the account's older ones. Without a holder it never works. */
  issue(tx: Tx, holder: LinkHolder | null, ttlSeconds: number): Promise<string>;
  /** Uses up a secret if it was issued for exactly this holder. Otherwise it stays valid. @returns whether it was. */
  take(tx: Tx, secret: string, holder: LinkHolder | null): Promise<boolean>;
  /** Cleanup job: deletes one batch of expired links, and of the reset tokens beside them. */
  deleteExpired(): Promise<void>;
}

export function createLinkSecrets(deps: {
  store: SecretStore;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): LinkSecrets {
  const { store, secrets, clock, random } = deps;

  const macOf = (secret: string, holder: LinkHolder | null) => {
    const { accountId, passwordVersion, address, isInvitation } = holder ?? {};
    const bound = [secret, accountId, passwordVersion, address, ...(isInvitation ? ['invitation'] : [])];
    return secrets.mac('reset-token', bound.join('\n'));
  };

  return {
    async issue(tx, holder, ttlSeconds) {
      const secret = random.bytes(SECRET_BYTES).toString('base64url');
      const { accountId = null, passwordVersion = 0 } = holder ?? {};
      // Mutation: `accountId ?? 0` becomes `accountId`. No account has the id null either.
      await store.deleteOfAccount(tx.sql, accountId ?? 0, 'link');
      await store.add(tx.sql, {
        mac: macOf(secret, holder),
        kind: 'link',
        method: LINK_METHOD,
        accountId,
        passwordVersion,
        expiresAt: addSeconds(clock.now(), ttlSeconds),
      });
      return secret;
    },

    async take(tx, secret, holder) {
      const taken = await store.take(tx.sql, 'link', macOf(secret, holder), clock.now());
      return taken !== undefined && holder !== null;
    },

    deleteExpired: () => store.deleteExpired(clock.now(), REMOVAL_BATCH),
  };
}
