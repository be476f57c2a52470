// External logins in SQL.
import type { Selectable } from 'kysely';
import { inChunks } from '../foundation/batch.ts';
import type { Instant } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { ExternalLoginTable, Statements } from '../storage/database.ts';

/** An identity: the registered name of a provider, and the provider's own key. Never an e-mail address. */
export type ExternalIdentity = { readonly provider: string; readonly providerKey: string };

/** An external login. `id` is a lower-case UUID. */
export type ExternalLogin = ExternalIdentity & { id: string; accountId: number; linkedAt: Instant };

function toLogin(row: Selectable<ExternalLoginTable>): ExternalLogin {
  return {
    id: row.id,
    provider: row.provider,
    providerKey: row.provider_key,
    accountId: row.account_id,
    linkedAt: row.linked_at,
  };
}

export type ExternalLoginStore = ReturnType<typeof createExternalLoginStore>;

export function createExternalLoginStore(random: Random) {
  /** Links the identities that have no link yet. @returns their number. */
  async function addAll(on: Statements, logins: readonly Omit<ExternalLogin, 'id'>[]): Promise<number> {
    if (logins.length === 0) return 0;
    const rows = logins.map(({ provider, providerKey, accountId, linkedAt }) => ({
      id: random.uuid(),
      provider,
      provider_key: providerKey,
      account_id: accountId,
      linked_at: linkedAt,
    }));
    const added = await on
      .insertInto('external_login')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['provider', 'provider_key']).doNothing())
      .returning('id')
      .execute();
    return added.length;
  }

  /** The external logins of the accounts, oldest first. */
  async function listAll(on: Statements, accountIds: readonly number[]): Promise<ExternalLogin[]> {
    const rows = await on
      .selectFrom('external_login')
      .selectAll()
      .where('account_id', 'in', accountIds)
      .orderBy('linked_at')
      .orderBy('id')
      .execute();
    return rows.map(toLogin);
  }

  return {
    /** Returns the id of the account that this identity is linked to. */
    async find(on: Statements, { provider, providerKey }: ExternalIdentity): Promise<number | undefined> {
      const row = await on
        .selectFrom('external_login')
        .select('account_id')
        .where('provider', '=', provider)
        .where('provider_key', '=', providerKey)
        .executeTakeFirst();
      return row?.account_id;
    },

    /** Returns those of the identities that are linked. */
    async findAll(on: Statements, identities: readonly ExternalIdentity[]): Promise<ExternalIdentity[]> {
      const linked: ExternalIdentity[] = [];
      for (const [provider, ofProvider] of Map.groupBy(identities, (identity) => identity.provider)) {
        const rows = await on
          .selectFrom('external_login')
          .select('provider_key')
          .where('provider', '=', provider)
          .where(
            'provider_key',
            'in',
            ofProvider.map(({ providerKey }) => providerKey),
          )
          .execute();
        linked.push(...rows.map((row) => ({ provider, providerKey: row.provider_key })));
      }
      return linked;
    },

    /** Links an identity that has no link yet. @returns `true` to exactly one of several parallel calls. */
    async add(on: Statements, login: Omit<ExternalLogin, 'id'>): Promise<boolean> {
      return (await addAll(on, [login])) === 1;
    },

    addAll,

    /** The account's external logins, oldest first. */
    list: (on: Statements, accountId: number): Promise<ExternalLogin[]> => listAll(on, [accountId]),

    listAll,

    /** Returns how many external logins there are under the name of a provider. */
    async count(on: Statements, provider: string): Promise<number> {
      const { count } = await on
        .selectFrom('external_login')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('provider', '=', provider)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Removes all external logins under the name of a provider. @returns the ids of their accounts, each once. */
    async removeAll(on: Statements, provider: string): Promise<number[]> {
      const accountIds = new Set<number>();
      await inChunks(async (most) => {
        const some = on.selectFrom('external_login').select('id').where('provider', '=', provider).limit(most);
        const rows = await on.deleteFrom('external_login').where('id', 'in', some).returning('account_id').execute();
        for (const { account_id: accountId } of rows) accountIds.add(accountId);
        return rows.length;
      });
      return [...accountIds];
    },

    /** @returns the external login that was removed, or `undefined` if the account does not have it. */
    async remove(on: Statements, accountId: number, id: string): Promise<ExternalLogin | undefined> {
      const row = await on
        .deleteFrom('external_login')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row && toLogin(row);
    },
  };
}
