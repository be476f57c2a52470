// The classes of registered providers, by type. They are loaded when the first provider needs them.
import type { ProviderStep, ProviderType, ProviderWithSecret } from '../external-provider.ts';
import type { ExternalAuthCall } from '../provider.ts';
import type { RegisteredInfo } from './registered.ts';
import { oauth2Apis, type RegisteredOAuth2Api } from './registered-oauth2.ts';
import { oidcApis, type RegisteredOidcApi } from './registered-oidc.ts';

const apis: Readonly<Record<ProviderType, typeof RegisteredOidcApi | typeof RegisteredOAuth2Api>> = {
  ...oidcApis,
  ...oauth2Apis,
};

/** Returns the registration of a row, with the class of its type. */
export function toInfo(row: ProviderWithSecret): RegisteredInfo {
  const { name, clientId } = row;
  // The secret stays in the row, which opens it when it is read.
  return { name, clientId, clientSecret: '', providerApiType: apis[row.type], row };
}

/** ID tokens are valid for clocks that differ by so much, in seconds. */
const CLOCK_TOLERANCE = 30;

/**
 * Asks a provider for everything that a sign-in needs. It has no other effect.
 * @param now in milliseconds since 1970. The provider's clock is read from its answers.
 */
export async function checkProvider(
  row: ProviderWithSecret,
  call: ExternalAuthCall,
  now: number,
): Promise<ProviderStep[]> {
  let told: Headers | undefined;
  const fetch: typeof call.fetch = async (...request) => {
    const answer = await call.fetch(...request);
    if (answer.headers.has('date')) told ??= answer.headers;
    return answer;
  };
  const steps = await new apis[row.type](toInfo(row), { ...call, fetch }).check();
  const providerTime = Date.parse(told?.get('date') ?? '') + readAge(told?.get('age') ?? '') * 1000;
  if (Number.isNaN(providerTime)) return steps;
  const seconds = Math.round(Math.abs(providerTime - now) / 1000);
  const isSuccess = seconds <= CLOCK_TOLERANCE;
  const message = isSuccess
    ? null
    : `The clock of the provider differs by ${seconds} seconds. Set the clock of this machine.`;
  return [...steps, { name: 'clock', isSuccess, message }];
}

/** Returns for how many seconds a cache has kept an answer whose date it repeats (RFC 9111, 5.1). */
const readAge = (age: string) => (/^\d{1,10}$/.test(age) ? Number(age) : 0);
