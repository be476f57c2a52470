// What the classes of registered providers share: their row, the claims that it names, and the steps of a test.
import { ClientError } from 'openid-client';
import type { ProviderStep, ProviderWithSecret } from '../external-provider.ts';
import type { ExternalLoginProviderInfo } from '../provider.ts';
import { providerTypes } from '../provider-types.ts';
import { explain } from './failures.ts';
import { type Claims, type MappedClaims, readClaim, toKey, toText } from './oidc-claims.ts';

/** The registration of a class, with the row that an administrator has written. */
export type RegisteredInfo = ExternalLoginProviderInfo & { readonly row: ProviderWithSecret };

/** Returns the scopes that the row names, or the usual ones of its type. */
export const scopesOf = ({ type, scopes }: ProviderWithSecret): readonly string[] =>
  scopes.length > 0 ? scopes : providerTypes[type].scopes;

/** Reads the claims that the row names. One that is named and missing is missing: there is no falling back. */
export function mapNamedClaims(
  { claims: names }: Pick<ProviderWithSecret, 'claims'>,
  usual: MappedClaims,
  answers: readonly Claims[],
): MappedClaims {
  const read = (member: string, name: string) => (member === 'providerKey' ? toKey : toText)(readClaim(answers, name));
  const named = Object.entries(names).map(([member, name]) => [member, read(member, name)]);
  return { ...usual, ...Object.fromEntries(named) };
}

/** Each step of a test has so long. */
export const STEP_SECONDS = 5;

/** Asks endpoints without a token: any answer will do, but that of a server in trouble. @throws ClientError */
export async function requireAnswers(
  fetch: typeof globalThis.fetch,
  addresses: readonly (string | null | undefined)[],
) {
  for (const address of addresses) {
    if (!address) continue;
    const answer = await fetch(address, { headers: { 'user-agent': 'latchkey' } });
    await answer.body?.cancel();
    if (answer.status >= 500) throw new ClientError(`${new URL(address).pathname} is in trouble`, { cause: answer });
  }
}

/** Tries a step of a test, and notes what came of it, unless it tells nothing: `false`. @returns its result, or `undefined` if it failed. */
export async function tryStep<Result>(
  steps: ProviderStep[],
  name: ProviderStep['name'],
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    const result = await work();
    if (result !== false) steps.push({ name, isSuccess: true, message: null });
    return result;
  } catch (error) {
    steps.push({ name, isSuccess: false, message: explain(error) });
    return undefined;
  }
}
