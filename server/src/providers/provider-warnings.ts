// Warnings about a registered provider: it works, and may let in other people than its administrator thinks.
import type { ExternalProvider, ProviderType } from './external-provider.ts';
import { providerTypes } from './provider-types.ts';

/** Usual names of claims whose value people or their administrators change, in lower case. */
const CHANGEABLE = new Set([
  ...['email', 'emailaddress', 'email_address', 'mail', 'upn', 'preferred_username', 'unique_name', 'username'],
  ...['user_name', 'login', 'nickname', 'name', 'given_name', 'family_name', 'phone_number', 'phone'],
]);

/** The hosts of makers that have a type of their own, which knows what the maker proves of a person. */
const MAKERS: ReadonlyMap<string, ProviderType> = new Map(
  Object.entries({
    'accounts.google.com': 'google',
    'login.microsoftonline.com': 'microsoft',
    'sts.windows.net': 'microsoft',
    'github.com': 'github',
    'appleid.apple.com': 'apple',
    'account.apple.com': 'apple',
    'www.facebook.com': 'facebook',
    'graph.facebook.com': 'facebook',
    'www.linkedin.com': 'linkedin',
  } as const),
);

/** The key of people whom an import has from Entra ID. The type of Microsoft has another one. */
const OBJECT_ID = 'oid';

type Warned = Pick<ExternalProvider, 'type' | 'issuer' | 'endpoints' | 'claims'>;

/** Returns what an administrator should know of the provider, in sentences that say what to do. */
export const findWarnings = (provider: Warned): string[] =>
  [warnOfKey(provider), warnOfMaker(provider)].filter((warning) => warning !== undefined);

function warnOfKey({ claims: { providerKey = '' } }: Warned): string | undefined {
  if (!CHANGEABLE.has(providerKey.toLowerCase())) return undefined;
  return `The key "${providerKey}" can change and go to another person, who then signs in to the account. Choose a claim that never changes.`;
}

function warnOfMaker({ type, issuer, endpoints, claims }: Warned): string | undefined {
  if (claims.providerKey === OBJECT_ID) return undefined;
  const hosts = [issuer, endpoints?.authorization].map((address) => URL.parse(address ?? '')?.hostname ?? '');
  const maker = hosts.map((host) => MAKERS.get(host)).find((one) => one !== undefined && one !== type);
  if (maker === undefined) return undefined;
  const { displayName } = providerTypes[maker];
  return `This is an address of "${displayName}". Its own type knows what it proves of a person: register a provider of the type "${displayName}" instead.`;
}
