// What the sign-in page offers: read while the page loads, so that nothing appears after the rest and moves it.
import type { Calls } from 'latchkey-sdk';
import { latchkey } from '../api/latchkey.ts';
import { meansQuery } from '../api/means.ts';
import { offeredFactors } from './offered-factors.ts';
import { readRegistration } from './registration.ts';

export type Provider = Calls['ExternalLogin/GetSignInPages']['result']['items'][number];

const readProviders = async (): Promise<readonly Provider[]> =>
  (await latchkey.call('ExternalLogin/GetSignInPages')).items;

/** What cannot be read is not offered. */
async function readOffers() {
  const [{ passkeys }, means, providers, registration] = await Promise.all([
    offeredFactors,
    meansQuery.queryFn().catch(() => undefined),
    readProviders().catch(() => []),
    readRegistration().catch(() => undefined),
  ]);
  return {
    passkeys,
    pins: means !== undefined && (means.email || means.sms),
    providers,
    registers: registration !== undefined,
  };
}

let reading: ReturnType<typeof readOffers> | undefined;

/** Reads at the first call only. */
export function findOffers() {
  reading ??= readOffers();
  return reading;
}
