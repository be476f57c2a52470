// An external provider that an administrator registers at run time: what it is, whatever its type.
import { createHash } from 'node:crypto';
import type { Instant } from '../foundation/clock.ts';

/** `oidc` is any OpenID provider, `oauth2` any provider of OAuth 2 with a userinfo endpoint. The others have facts of their own. */
export const PROVIDER_TYPES = [
  'google',
  'microsoft',
  'github',
  'gitlab',
  'apple',
  'facebook',
  'linkedin',
  'oidc',
  'oauth2',
] as const;
export type ProviderType = (typeof PROVIDER_TYPES)[number];

/** `verified`: an address counts only if the provider says that it is verified. `always`: the operator vouches for the provider. */
export const EMAIL_TRUSTS = ['verified', 'always'] as const;
export type EmailTrust = (typeof EMAIL_TRUSTS)[number];

/** The claims, or members of userinfo, that hold what the service reads. An absent one is the usual one of the type. */
export type ClaimNames = {
  readonly providerKey?: string;
  readonly name?: string;
  readonly surname?: string;
  readonly emailAddress?: string;
};

/** Where a provider of the type `oauth2` is asked. */
export type ProviderEndpoints = {
  readonly authorization: string;
  readonly token: string;
  readonly userinfo: string;
  /** Answers a list of `{email, primary, verified}`, as GitHub does. */
  readonly emails: string | null;
};

/** A registered provider. Its secrets are not part of it. */
export type ExternalProvider = {
  readonly id: string;
  readonly type: ProviderType;
  /** The `authProvider` of its sign-ins. It never changes, because identities are stored under it. */
  readonly name: string;
  readonly displayName: string;
  readonly isEnabled: boolean;
  readonly clientId: string;
  /** The issuer identifier of `oidc`; of `gitlab` another installation than gitlab.com. Null for the other types. */
  readonly issuer: string | null;
  /** The id of a tenant, a GUID, of `microsoft`. */
  readonly tenant: string | null;
  readonly endpoints: ProviderEndpoints | null;
  /** Empty: the usual ones of the type. */
  readonly scopes: readonly string[];
  /** Additional parameters of the authorization request. */
  readonly authorizationParameters: Readonly<Record<string, string>>;
  readonly claims: ClaimNames;
  readonly emailTrust: EmailTrust;
  /** The domains of addresses that may register, in lower case and ASCII. Empty: all. */
  readonly allowedDomains: readonly string[];
  readonly registersNewUsers: boolean;
  /** The role that a new account gets. */
  readonly roleForNewUsers: string | null;
  readonly secretExpiresAt: Instant | null;
  /** Of `apple`: who signs the client secret, and with which key. */
  readonly teamId: string | null;
  readonly keyId: string | null;
  readonly createdAt: Instant;
};

/** A provider with what it proves itself with. It is never sent to anybody but the provider. */
export type ProviderWithSecret = ExternalProvider & {
  /** Empty for a public client, and for `apple`. */
  readonly clientSecret: string;
  /** Of `apple`: a private key of P-256 as PEM, which signs client secrets. */
  readonly privateKey: string | null;
};

/**
 * Returns a text that stays the same as long as a key of this provider means the same person. What was begun or identified before a
 * change of that is over.
 */
export function sourceOf({ id, issuer, tenant, endpoints, claims }: ExternalProvider): string {
  const parts = JSON.stringify([id, issuer, tenant, endpoints, claims.providerKey ?? null]);
  return createHash('sha256').update(parts).digest('base64url');
}

/** What a test has tried. */
export const PROVIDER_STEPS = ['discovery', 'endpoints', 'keys', 'PKCE', 'client', 'clock'] as const;

/** What came of one step of a test. `message` says why it failed, in a sentence for administrators. */
export type ProviderStep = {
  readonly name: (typeof PROVIDER_STEPS)[number];
  readonly isSuccess: boolean;
  readonly message: string | null;
};
