// OpenID claims: what the ID token and userinfo say of a person.
import type { IDToken, JsonValue } from 'openid-client';
import type { ExternalAuthUserInfo } from '../providers/index.ts';

export type Claims = Readonly<Record<string, JsonValue | undefined>>;

const USER_CLAIMS = ['email', 'email_verified', 'given_name', 'family_name'];
const isPresent = (value: JsonValue | undefined) => value !== undefined && value !== null;

/** Whether the claims leave nothing to ask for. */
export const hasUserClaims = (claims: Claims): boolean => USER_CLAIMS.every((name) => isPresent(claims[name]));

/** Whether the address of an answer is verified. Some providers send texts for booleans. */
const isVerified = ({ email_verified: value }: Claims) => value === true || value === 'true';

/** The address is verified if the answer that has it says so. @param more claims of userinfo, or why there are none. */
export function toUser(provider: string, claims: IDToken, more: Claims | Error): ExternalAuthUserInfo {
  const identity = { provider, providerKey: claims.sub };
  if (more instanceof Error) return { ...identity, name: '', surname: '', emailAddress: '', failure: more };
  const answers: Claims[] = [claims, more];
  const withAddress = answers.filter(({ email }) => isPresent(email));
  const source = withAddress.find(({ email_verified }) => isPresent(email_verified)) ?? withAddress[0];
  const read = (name: string) => answers.map((answer) => answer[name]).find(isPresent);
  const [given, family] = [read('given_name'), read('family_name')];
  return {
    ...identity,
    name: toText(given ?? (isPresent(family) ? '' : read('name'))),
    surname: toText(family),
    emailAddress: toText(source?.email),
    isEmailVerified: source !== undefined && isVerified(source),
  };
}

const toText = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '');
