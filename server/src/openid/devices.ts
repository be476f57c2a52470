// Devices without a keyboard or browser: a person types a short code elsewhere, and agrees (RFC 8628).
import { type Application, type Applications, DEVICE_CODE_GRANT } from '../applications/index.ts';
import { addSeconds, type Clock } from '../foundation/clock.ts';
import { UniqueViolation } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import { OAuthError, type Parameters } from '../oauth/index.ts';
import type { Database } from '../storage/database.ts';
import type { Authorizations } from './authorizations.ts';
import { findAudience, findScopes } from './request.ts';
import type { NewDevice, OpenIdStore } from './store.sql.ts';

const DEVICE_SECONDS = 600;
const INTERVAL_SECONDS = 5;
const DEVICE_CODE_BYTES = 32;

/** Letters that make no words, and are not mistaken for each other (RFC 8628, 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const CODE_LETTERS = 8;

/** What a device shows. */
export type DeviceAnswer = {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
};

/** What the page shows of a device before its person agrees. `secret`: the browser keeps it. */
export type WaitingDevice = {
  readonly id: string;
  readonly secret: string;
  readonly application: string;
  readonly ipAddress: string | null;
};

export interface Devices {
  /** @throws OAuthError `unauthorized_client`, `invalid_scope`, `invalid_target`. */
  begin(application: Application, parameters: Parameters, origin: Origin): Promise<DeviceAnswer>;
  /** Returns the device that waits with a code. */
  find(userCode: string): Promise<WaitingDevice | undefined>;
}

/** Returns the keyed hash under which the store has a device. */
export const deviceCodeMac = (secrets: Secrets, code: string): string => secrets.mac('device-code', code);

export function createDevices(deps: {
  database: Database;
  store: OpenIdStore;
  applications: Applications;
  authorizations: Authorizations;
  issuer: string;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): Devices {
  const { database, store, applications, authorizations, issuer, secrets, clock, random } = deps;
  const userCodeMac = (code: string) => secrets.mac('user-code', code);

  function makeUserCode(): string {
    const letters = Array.from({ length: CODE_LETTERS }, () => LETTERS[random.below(LETTERS.length)]);
    return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`;
  }

  return {
    async begin(application, parameters, { ipAddress }) {
      if (!application.grants.includes(DEVICE_CODE_GRANT)) {
        throw new OAuthError('unauthorized_client', 'The application may not use the device flow.');
      }
      const code = random.bytes(DEVICE_CODE_BYTES).toString('base64url');
      const device = {
        mac: deviceCodeMac(secrets, code),
        applicationId: application.id,
        scopes: findScopes(application, parameters.get('scope')),
        audience: findAudience(application, parameters.all('resource')),
        ipAddress,
        intervalSeconds: INTERVAL_SECONDS,
        expiresAt: addSeconds(clock.now(), DEVICE_SECONDS),
      };
      const userCode = await add(device);
      const page = `${issuer}/device`;
      return {
        device_code: code,
        user_code: userCode,
        verification_uri: page,
        verification_uri_complete: `${page}?user_code=${userCode}`,
        expires_in: DEVICE_SECONDS,
        interval: INTERVAL_SECONDS,
      };
    },

    async find(userCode) {
      const device = await store.findDevice(database.sql, { userCodeMac: userCodeMac(normalize(userCode)) });
      const application = device && applications.findById(device.applicationId);
      if (device?.state !== 'pending' || device.expiresAt <= clock.now() || !application?.isEnabled) {
        return undefined;
      }
      const { mac, scopes, audience, ipAddress } = device;
      const demands = { prompts: [], maxAge: null, level: 'aal1', loginHint: null } as const;
      const waiting = await authorizations.wait({ mac, application, scopes, audience, ...demands });
      return { ...waiting, application: application.name, ipAddress };
    },
  };

  /** Adds a device under a code that no other one has. */
  async function add(device: NewDevice): Promise<string> {
    for (;;) {
      const userCode = makeUserCode();
      try {
        await store.addDevice(database.sql, { ...device, userCodeMac: userCodeMac(normalize(userCode)) });
        return userCode;
      } catch (error) {
        if (!(error instanceof UniqueViolation)) throw error;
      }
    }
  }
}

/** A person types the code in any case, with or without the dash. */
const normalize = (userCode: string) => userCode.toUpperCase().replace(/[^A-Z]/g, '');
