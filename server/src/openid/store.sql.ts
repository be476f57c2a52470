// What waits for a person or for an application in SQL: requests, devices, consents and the sessions of browsers.
import type { Selectable } from 'kysely';
import { inBatches } from '../foundation/batch.ts';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import type { ApplicationRequestTable, Database, DeviceAuthorizationTable, Statements } from '../storage/database.ts';
import { REQUEST_SECONDS } from './request.ts';

/** A request that waits: for a person, or pushed and waiting for its browser (RFC 9126). */
export type StoredRequest = {
  readonly id: string;
  readonly kind: ApplicationRequestTable['kind'];
  readonly cookieMac: string | null;
  readonly applicationId: string;
  /** JSON. */
  readonly parameters: string;
  readonly deviceMac: string | null;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
};

/** A device that waits for its person. */
export type Device = {
  readonly mac: string;
  readonly applicationId: string;
  readonly scopes: readonly string[];
  readonly audience: string;
  readonly state: DeviceAuthorizationTable['state'];
  readonly grantId: string | null;
  readonly ipAddress: string | null;
  readonly intervalSeconds: number;
  readonly polledAt: Instant | null;
  readonly expiresAt: Instant;
};

/** The session that a browser has a handle of. */
export type HeldSession = { readonly sessionId: string; readonly accountId: number };

export type NewDevice = Omit<Device, 'state' | 'grantId' | 'polledAt'>;

const toRequest = (row: Selectable<ApplicationRequestTable>): StoredRequest => ({
  id: row.id,
  kind: row.kind,
  cookieMac: row.cookie_mac,
  applicationId: row.application_id,
  parameters: row.parameters,
  deviceMac: row.device_mac,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

const toDevice = (row: Selectable<DeviceAuthorizationTable>): Device => ({
  mac: row.mac,
  applicationId: row.application_id,
  scopes: row.scopes.split(' '),
  audience: row.audience,
  state: row.state,
  grantId: row.grant_id,
  ipAddress: row.ip_address,
  intervalSeconds: row.interval_seconds,
  polledAt: row.polled_at,
  expiresAt: row.expires_at,
});

export type OpenIdStore = ReturnType<typeof createOpenIdStore>;

export function createOpenIdStore(database: Database) {
  return {
    async addRequest(on: Statements, request: StoredRequest): Promise<void> {
      await on
        .insertInto('application_request')
        .values({
          id: request.id,
          kind: request.kind,
          cookie_mac: request.cookieMac,
          application_id: request.applicationId,
          parameters: request.parameters,
          device_mac: request.deviceMac,
          created_at: request.createdAt,
          expires_at: request.expiresAt,
        })
        .execute();
    },

    /** Returns the request of a browser that has not expired or been answered. */
    async findRequest(on: Statements, id: string, cookieMac: string, now: Instant): Promise<StoredRequest | undefined> {
      const row = await on
        .selectFrom('application_request')
        .selectAll()
        .where('id', '=', id)
        .where('kind', '=', 'authorization')
        .where('cookie_mac', '=', cookieMac)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row && toRequest(row);
    },

    /** Takes a request, so that nobody else does. @returns undefined if it has expired, or was taken. */
    async takeRequest(
      on: Statements,
      id: string,
      kind: StoredRequest['kind'],
      now: Instant,
    ): Promise<StoredRequest | undefined> {
      const row = await on
        .deleteFrom('application_request')
        .where('id', '=', id)
        .where('kind', '=', kind)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst();
      return row && toRequest(row);
    },

    /** Returns the scopes that an account has shared with an application. @param since an earlier consent does not count. */
    async findConsent(
      on: Statements,
      accountId: number,
      applicationId: string,
      since: Instant | null,
    ): Promise<string[]> {
      const row = await on
        .selectFrom('application_consent')
        .select('scopes')
        .where('account_id', '=', accountId)
        .where('application_id', '=', applicationId)
        .$if(since !== null, (query) => query.where('at', '>=', since))
        .executeTakeFirst();
      return row?.scopes.split(' ') ?? [];
    },

    /** Adds scopes to what an account shares with an application. */
    async saveConsent(
      on: Statements,
      consent: { id: string; accountId: number; applicationId: string; scopes: readonly string[]; at: Instant },
    ): Promise<void> {
      const { id, accountId, applicationId, at } = consent;
      const scopes = consent.scopes.join(' ');
      await on
        .insertInto('application_consent')
        .values({ id, account_id: accountId, application_id: applicationId, scopes, at })
        .onConflict((conflict) => conflict.columns(['account_id', 'application_id']).doUpdateSet({ scopes, at }))
        .execute();
    },

    /** Returns the consents of an account, newest first. */
    async listConsents(accountId: number) {
      const rows = await database.sql
        .selectFrom('application_consent')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map((row) => ({
        id: row.id,
        applicationId: row.application_id,
        scopes: row.scopes.split(' '),
        at: row.at,
      }));
    },

    /** Deletes a consent of this account. @returns the application's id. */
    async removeConsent(on: Statements, accountId: number, id: string): Promise<string | undefined> {
      const row = await on
        .deleteFrom('application_consent')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returning('application_id')
        .executeTakeFirst();
      return row?.application_id;
    },

    async removeConsents(on: Statements, applicationId: string): Promise<void> {
      await on.deleteFrom('application_consent').where('application_id', '=', applicationId).execute();
    },

    /** Adds a handle of a session, and deletes any others of it beyond `most`: no person needs so many. */
    async addBrowserSession(
      on: Statements,
      mac: string,
      { sessionId, expiresAt, most }: { sessionId: string; expiresAt: Instant; most: number },
    ): Promise<void> {
      const ofSession = on.selectFrom('browser_session').select('mac').where('session_id', '=', sessionId);
      const surplus = ofSession
        .orderBy('mac')
        .limit(most)
        .offset(most - 1);
      await on.deleteFrom('browser_session').where('mac', 'in', surplus).execute();
      await on.insertInto('browser_session').values({ mac, session_id: sessionId, expires_at: expiresAt }).execute();
    },

    /** Returns the session that a browser has a handle of. It may have ended. */
    async findBrowserSession(on: Statements, mac: string, now: Instant): Promise<HeldSession | undefined> {
      const row = await on
        .selectFrom('browser_session')
        .innerJoin('session', 'session.id', 'session_id')
        .select(['session_id', 'account_id'])
        .where('mac', '=', mac)
        .where('browser_session.expires_at', '>', now)
        .executeTakeFirst();
      return row && { sessionId: row.session_id, accountId: row.account_id };
    },

    async removeBrowserSessions(on: Statements, sessionIds: readonly string[] | 'all'): Promise<void> {
      if (sessionIds === 'all') return void (await on.deleteFrom('browser_session').execute());
      for (const some of inBatches(sessionIds)) {
        await on.deleteFrom('browser_session').where('session_id', 'in', some).execute();
      }
    },

    /** Adds a device. @throws UniqueViolation for a user code that another device has. */
    async addDevice(on: Statements, { userCodeMac, ...device }: NewDevice & { userCodeMac: string }): Promise<void> {
      await on
        .insertInto('device_authorization')
        .values({
          mac: device.mac,
          user_code_mac: userCodeMac,
          application_id: device.applicationId,
          scopes: device.scopes.join(' '),
          audience: device.audience,
          state: 'pending',
          grant_id: null,
          ip_address: device.ipAddress,
          interval_seconds: device.intervalSeconds,
          polled_at: null,
          expires_at: device.expiresAt,
        })
        .execute();
    },

    async findDevice(on: Statements, by: { mac: string } | { userCodeMac: string }): Promise<Device | undefined> {
      const all = on.selectFrom('device_authorization').selectAll();
      const found = 'mac' in by ? all.where('mac', '=', by.mac) : all.where('user_code_mac', '=', by.userCodeMac);
      const row = await found.executeTakeFirst();
      return row && toDevice(row);
    },

    /** Answers a device that still waits: once. */
    async answerDevice(
      on: Statements,
      mac: string,
      answer: { state: 'approved' | 'denied'; grantId: string | null; now: Instant },
    ): Promise<boolean> {
      const row = await on
        .updateTable('device_authorization')
        .set({ state: answer.state, grant_id: answer.grantId })
        .where('mac', '=', mac)
        .where('state', '=', 'pending')
        .where('expires_at', '>', answer.now)
        .returning('mac')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Notes that a device asks, and how long it must wait from now on. */
    async notePoll(on: Statements, mac: string, at: Instant, intervalSeconds: number): Promise<void> {
      await on
        .updateTable('device_authorization')
        .set({ polled_at: at, interval_seconds: intervalSeconds })
        .where('mac', '=', mac)
        .execute();
    },

    /** Takes the grant of an approved device: once. */
    async redeemDevice(on: Statements, mac: string): Promise<string | undefined> {
      const row = await on
        .updateTable('device_authorization')
        .set({ state: 'redeemed' })
        .where('mac', '=', mac)
        .where('state', '=', 'approved')
        .returning('grant_id')
        .executeTakeFirst();
      return row?.grant_id ?? undefined;
    },

    /**
     * Deletes up to `limit` rows of each table that have expired, and those beyond the newest `kept`: strangers can make them. A device
     * stays a while after it has expired: it is told so at its next poll, or fetches the tokens that were allowed in the last moment.
     * @returns how many at most of one table.
     */
    async deleteOld(now: Instant, kept: number, limit: number): Promise<number> {
      const { sql } = database;
      const requests = sql.selectFrom('application_request').select('id').limit(limit);
      const devices = sql.selectFrom('device_authorization').select('mac').limit(limit);
      const browsers = sql.selectFrom('browser_session').select('mac').where('expires_at', '<', now).limit(limit);
      const past = addSeconds(now, -REQUEST_SECONDS);
      const deletions = [
        sql.deleteFrom('application_request').where('id', 'in', requests.where('expires_at', '<', now)),
        // By their age: a pushed request expires sooner than one of a browser, and must not give way to it.
        sql.deleteFrom('application_request').where('id', 'in', requests.orderBy('created_at', 'desc').offset(kept)),
        sql.deleteFrom('device_authorization').where('mac', 'in', devices.where('expires_at', '<', past)),
        sql.deleteFrom('device_authorization').where('mac', 'in', devices.orderBy('expires_at', 'desc').offset(kept)),
        sql.deleteFrom('browser_session').where('mac', 'in', browsers),
      ];
      const counts = [];
      for (const deletion of deletions) counts.push(Number((await deletion.executeTakeFirst()).numDeletedRows));
      return Math.max(...counts);
    },
  };
}
