// Which second factors the service offers, from the settings.

import { readSetting } from '../api/latchkey.ts';

export type FactorSettings = {
  readonly authenticator: boolean;
  readonly passkeys: boolean;
  /** For how long a trusted device is not asked for a second factor. 0: it is always asked. */
  readonly trustedDeviceDays: number;
};

export async function readFactorSettings(): Promise<FactorSettings> {
  const { authenticator, passkeys, trustedDeviceDays } = await readSetting('Latchkey.Factors');
  return {
    authenticator: authenticator === true,
    passkeys: passkeys === true,
    trustedDeviceDays: Number(trustedDeviceDays),
  };
}
