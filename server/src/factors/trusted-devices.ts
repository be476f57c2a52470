// Trusted devices: a browser that the user trusts is not asked for a second factor. The service keeps a keyed hash of its token.
import { addSeconds, type Clock, type Instant } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Statements, Tx } from '../storage/database.ts';
import { factorSettings } from './settings.ts';
import type { TrustedDeviceStore } from './store.devices.sql.ts';

const TOKEN_BYTES = 32;
const DAY_SECONDS = 86_400;
const MAX_NAME_LENGTH = 256;
const CLEANUP_BATCH = 500;

/** Trusted devices of one account. */
const MAX_DEVICES = 20;

/** A device as its owner sees it. `name` is its `User-Agent`. */
export type TrustedDevice = { id: string; name: string; lastUsedAt: Instant };

export interface TrustedDevices {
  /**
   * Trusts a device of an account that the transaction has locked. The oldest device beyond 20 is no longer trusted.
   * @returns a new token of 256 bits, or `undefined` if the settings allow no trusted devices.
   */
  trust(tx: Tx, accountId: number, origin: Origin): Promise<string | undefined>;
  /** Returns whether the token is of a device that the account trusts at this front end. */
  recognize(tx: Tx, accountId: number, token: string, origin: Origin): Promise<boolean>;
  list(on: Statements, accountId: number): Promise<TrustedDevice[]>;
  /** @returns whether the account had this device. */
  remove(tx: Tx, accountId: number, id: string): Promise<boolean>;
  removeOfAccount(tx: Tx, accountId: number | readonly number[]): Promise<void>;
  /** Removes the devices of all accounts. */
  removeAll(tx: Tx): Promise<void>;
  /** Moves the devices of a front end to its new key, or with null removes them. */
  moveFrontEnd(tx: Tx, from: string, to: string | null): Promise<void>;
  /** Deletes one batch of expired devices. */
  deleteExpired(): Promise<void>;
}

export function createTrustedDevices(deps: {
  store: TrustedDeviceStore;
  settings: SettingReader;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): TrustedDevices {
  const { store, settings, secrets, clock, random } = deps;
  const macOf = (token: string) => secrets.mac('trusted-device', token);
  const readDays = () => settings.read(factorSettings).trustedDeviceDays;
  /** A shorter period in the settings applies to devices that are trusted already. Without a period, none is. */
  const trustedSince = () => addSeconds(clock.now(), -readDays() * DAY_SECONDS);

  return {
    async trust(tx, accountId, { frontEnd, userAgent }) {
      const days = readDays();
      if (days === 0) return undefined;
      const now = clock.now();
      const token = random.bytes(TOKEN_BYTES).toString('base64url');
      const device = {
        id: random.uuid(),
        mac: macOf(token),
        accountId,
        frontEnd,
        name: userAgent?.slice(0, MAX_NAME_LENGTH) ?? '',
        createdAt: now,
        lastUsedAt: now,
        expiresAt: addSeconds(now, days * DAY_SECONDS),
      };
      await store.add(tx.sql, device, MAX_DEVICES);
      return token;
    },

    async recognize(tx, accountId, token, { frontEnd }) {
      const use = { accountId, mac: macOf(token), frontEnd, trustedSince: trustedSince(), now: clock.now() };
      return store.use(tx.sql, use);
    },

    async list(on, accountId) {
      const devices = await store.list(on, accountId, clock.now());
      return devices.filter(({ createdAt }) => createdAt > trustedSince());
    },
    remove: (tx, accountId, id) => store.remove(tx.sql, accountId, id),
    removeOfAccount: (tx, accountId) => store.removeOfAccount(tx.sql, accountId),
    removeAll: (tx) => store.removeAll(tx.sql),
    moveFrontEnd: (tx, from, to) => store.moveFrontEnd(tx.sql, from, to),
    deleteExpired: () => store.deleteExpired(clock.now(), CLEANUP_BATCH),
  };
}
