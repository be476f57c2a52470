// OpenID claims: what the ID token and userinfo say of a person.
import type { ExternalAuthUserInfo } from '../provider.ts';

/** The claims of an ID token, or of userinfo. */
export type Claims = Readonly<Record<string, unknown>>;

/** What the service reads from claims. A missing name or address is ''. */
export type MappedClaims = Pick<ExternalAuthUserInfo, 'providerKey' | 'name' | 'surname' | 'emailAddress'>;

/** A person who is linked waits no longer for what only says more of the person. */
export const PROFILE_SECONDS = 5;

const USER_CLAIMS = ['email', 'email_verified', 'given_name', 'family_name'];

export const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

/** Whether the claims leave nothing to ask for. */
export const hasUserClaims = (claims: Claims): boolean => USER_CLAIMS.every((name) => isPresent(claims[name]));

/** Whether a claim says yes. Some providers send texts for booleans. */
export const saysYes = (value: unknown): boolean => value === true || value === 'true';

/** Maps the claims of OpenID Connect Core 1.0 (5.1). The address is that of the answer that says whether it is verified. */
export function mapUsualClaims(claims: Claims, userinfo: Claims): MappedClaims {
  const answers = [claims, userinfo];
  const withAddress = answers.filter(({ email }) => isPresent(email));
  const source = withAddress.find(({ email_verified }) => isPresent(email_verified)) ?? withAddress[0];
  const [given, family, whole] = ['given_name', 'family_name', 'name'].map((name) => readClaim(answers, name));
  return {
    providerKey: toText(claims.sub),
    name: toText(given ?? (isPresent(family) ? '' : whole)),
    surname: toText(family),
    emailAddress: toText(source?.email),
  };
}

/** Returns the claim of the first answer that has it. */
export const readClaim = (answers: readonly Claims[], name: string): unknown =>
  answers.map((answer) => answer[name]).find(isPresent);

/** Whether the answer that has this address as `email` says that it is verified. `email_verified` speaks of no other claim. */
export function isAddressVerified(emailAddress: string, claims: Claims, userinfo: Claims): boolean {
  const source = [claims, userinfo].find(
    ({ email, email_verified }) => isPresent(email_verified) && email === emailAddress,
  );
  return saysYes(source?.email_verified);
}

/** Returns a text as it is. Anything else is ''. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns a key. Some providers number people, from 1: careless code makes 0 or -1 of a missing number. */
export const toKey = (value: unknown): string =>
  Number.isSafeInteger(value) && Number(value) > 0 ? String(value) : toText(value);
