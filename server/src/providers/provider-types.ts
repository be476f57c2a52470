// The types of external providers as data: what each is called, needs and may have.
import type { ProviderType } from './external-provider.ts';

/** The members that some types have and others do not. */
export const TYPE_MEMBERS = [
  'issuer',
  'tenant',
  'endpoints',
  'claims',
  'clientSecret',
  'teamId',
  'keyId',
  'privateKey',
] as const;
type TypeMember = (typeof TYPE_MEMBERS)[number];

export type TypeFacts = {
  readonly displayName: string;
  /** What it cannot be without. */
  readonly needs: readonly TypeMember[];
  /** What it may have besides. All other members of {@link TYPE_MEMBERS} are refused. */
  readonly may: readonly TypeMember[];
  /** The usual scopes, which are asked unless an administrator names others. */
  readonly scopes: readonly string[];
  /** The scopes without which the provider does not say who signs in. */
  readonly keyScopes: readonly string[];
};

/** Without `openid` there is no ID token (OpenID Connect Core 1.0, 3.1.2.1). */
const openId = { may: [], scopes: ['openid', 'profile', 'email'], keyScopes: ['openid'] } as const;
const ownWay = { may: [], keyScopes: [] } as const;

export const providerTypes: Readonly<Record<ProviderType, TypeFacts>> = {
  google: { ...openId, displayName: 'Google', needs: ['clientSecret'] },
  // Without `profile`, an ID token lacks the object id.
  microsoft: {
    ...openId,
    displayName: 'Microsoft',
    needs: ['tenant', 'clientSecret'],
    keyScopes: ['openid', 'profile'],
  },
  github: { ...ownWay, displayName: 'GitHub', needs: ['clientSecret'], scopes: ['read:user', 'user:email'] },
  gitlab: { ...openId, displayName: 'GitLab', needs: ['clientSecret'], may: ['issuer'] },
  apple: { ...ownWay, displayName: 'Apple', needs: ['teamId', 'keyId', 'privateKey'], scopes: ['name', 'email'] },
  facebook: { ...ownWay, displayName: 'Facebook', needs: ['clientSecret'], scopes: ['email', 'public_profile'] },
  linkedin: { ...openId, displayName: 'LinkedIn', needs: ['clientSecret'] },
  oidc: { ...openId, displayName: 'OpenID Connect', needs: ['issuer'], may: ['clientSecret', 'claims'] },
  oauth2: { ...ownWay, displayName: 'OAuth 2', needs: ['endpoints'], may: ['clientSecret', 'claims'], scopes: [] },
};
