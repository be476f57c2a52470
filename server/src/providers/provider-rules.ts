// What may be registered as an external provider: the rules of its members, whatever else exists.
import { createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import { invalidMember } from '../foundation/errors.ts';
import { isProperHost } from '../foundation/host-name.ts';
import type { ExternalProvider } from './external-provider.ts';
import { providerTypes, TYPE_MEMBERS } from './provider-types.ts';

/** Which of the write-only members a provider has. */
export type Possession = { readonly clientSecret: boolean; readonly privateKey: boolean };

/** So many days before a secret expires, administrators are warned. */
export const WARNED_DAYS = 30;

const DAY_SECONDS = 86_400;

/** Returns the enabled providers whose secret has expired or does so within 30 days, the next one first. */
export function findExpiringSecrets(
  providers: readonly Pick<ExternalProvider, 'name' | 'isEnabled' | 'secretExpiresAt'>[],
  now: Instant,
): { name: string; expiresAt: Instant }[] {
  const limit = addSeconds(now, WARNED_DAYS * DAY_SECONDS);
  return providers
    .flatMap(({ name, isEnabled, secretExpiresAt: expiresAt }) =>
      isEnabled && expiresAt !== null && expiresAt <= limit ? [{ name, expiresAt }] : [],
    )
    .toSorted((one, other) => one.expiresAt - other.expiresAt);
}

/** The name stands in the address to which people come back, so that it has no other marks. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u;

/** @throws AuthError `request.invalid`. */
export function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw invalidMember('name', 'A name begins with a letter or a digit. After it may come more, spaces, and . _ -');
}

/**
 * Checks what can be checked of a provider without a look at anything else.
 * @throws AuthError `request.invalid`.
 */
export function checkMembers(provider: ExternalProvider, has: Possession): void {
  requireMembersOfType(provider, has);
  checkTenant(provider);
  for (const member of ['teamId', 'keyId'] as const) {
    const id = provider[member];
    if (id !== null && !/^[A-Z0-9]{10}$/.test(id))
      throw invalidMember(member, 'This id has ten capital letters and digits, as Apple shows it.');
  }
  checkIssuer(provider);
  checkScopes(provider);
  checkParameters(provider);
}

/** Returns the value of a member, or null if it says nothing. */
function valueIn(provider: ExternalProvider, has: Possession, member: (typeof TYPE_MEMBERS)[number]): unknown {
  if (member === 'clientSecret' || member === 'privateKey') return has[member] || null;
  if (member === 'claims') return Object.keys(provider.claims).length > 0 || null;
  return provider[member];
}

function requireMembersOfType(provider: ExternalProvider, has: Possession) {
  const { type } = provider;
  const { needs, may } = providerTypes[type];
  for (const member of TYPE_MEMBERS) {
    const isGiven = valueIn(provider, has, member) !== null;
    if (needs.includes(member) && !isGiven)
      throw invalidMember(member, `A provider of the type "${type}" needs "${member}".`);
    if (isGiven && !needs.includes(member) && !may.includes(member))
      throw invalidMember(member, `A provider of the type "${type}" has no "${member}". Leave it out.`);
  }
}

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Names of Entra ID for many tenants at once. */
const SHARED_TENANTS = ['common', 'organizations', 'consumers'];

function checkTenant({ tenant }: ExternalProvider) {
  if (tenant === null || GUID.test(tenant)) return;
  if (SHARED_TENANTS.includes(tenant))
    throw invalidMember(
      'tenant',
      `"${tenant}" stands for the accounts of all organizations, whose administrators could sign in as anybody. Register one provider for each tenant, with its directory id.`,
    );
  throw invalidMember('tenant', 'Write the directory (tenant) id of Entra ID, which is a GUID.');
}

function checkIssuer({ issuer }: ExternalProvider) {
  if (issuer === null) return;
  if (/[?#]/.test(issuer)) throw invalidMember('issuer', 'An issuer has no query and no fragment.');
  if (issuer.includes('/.well-known/'))
    throw invalidMember('issuer', 'Write the issuer alone: its address without /.well-known/ and what follows.');
}

function checkScopes({ type, scopes }: ExternalProvider) {
  for (const scope of scopes) {
    if (!/^[!#-[\]-~]+$/.test(scope))
      throw invalidMember(
        'scopes',
        `"${scope}" cannot be a scope. Use ASCII characters without spaces, quotes and backslashes.`,
      );
  }
  const missing = providerTypes[type].keyScopes.find((scope) => scopes.length > 0 && !scopes.includes(scope));
  if (missing !== undefined)
    throw invalidMember('scopes', `Add the scope "${missing}": without it the provider does not say who signs in.`);
}

/** The parameters of the request and its answer that the protocol sets (RFC 6749, 7636, 9101, 9126; OpenID Connect Core 1.0). */
const PROTOCOL = new Set([
  ...['client_id', 'client_secret', 'client_assertion', 'client_assertion_type', 'redirect_uri'],
  ...['response_type', 'response_mode', 'scope', 'state', 'nonce', 'code', 'iss', 'error', 'grant_type'],
  ...['code_challenge', 'code_challenge_method', 'code_verifier', 'request', 'request_uri', 'registration'],
]);

const MOST_PARAMETERS = 20;

function checkParameters({ authorizationParameters }: ExternalProvider) {
  const member = 'authorizationParameters';
  const names = Object.keys(authorizationParameters);
  if (names.length > MOST_PARAMETERS) throw invalidMember(member, `At most ${MOST_PARAMETERS} parameters are sent.`);
  for (const name of names) {
    if (!/^[\w.-]{1,100}$/.test(name))
      throw invalidMember(member, 'The name of a parameter has 1 to 100 of these characters: A-Z a-z 0-9 . _ -');
    if (PROTOCOL.has(name.toLowerCase()))
      throw invalidMember(member, `The service itself sets "${name}". Leave it out.`);
  }
}

/** Returns the domains in lower case and ASCII, each once. @throws AuthError `request.invalid`. */
export function toDomains(typed: readonly string[]): string[] {
  return [...new Set(typed.map(toDomain))];
}

function toDomain(typed: string): string {
  // `domainToASCII` would read a port, and marks that end a host.
  const name = typed.replace(/^@/, '').replace(/\.$/, '');
  const domain = /[@:/?#\\%\s]/.test(name) ? '' : domainToASCII(name);
  if (domain !== '' && isIP(domain) === 0 && isProperHost(domain)) return domain;
  throw invalidMember('allowedDomains', `"${typed}" is no domain. Write what follows the @, such as example.com.`);
}

/** Checks a client secret. It is never changed: some providers make odd ones. @throws AuthError `request.invalid`. */
export function checkSecret(secret: string): void {
  if (!/^\s|\s$|\p{Cc}/u.test(secret)) return;
  throw invalidMember('clientSecret', 'The client secret has a blank at its end, or a line break. Copy it again.');
}

/** Returns a private key as PKCS #8 in PEM. @throws AuthError `request.invalid` unless it is one of P-256. */
export function readPrivateKey(pem: string): string {
  const key = parseKey(pem);
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw invalidMember('privateKey', 'This is no key of the curve P-256. Send the file with the key from Apple.');
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function parseKey(pem: string) {
  try {
    return createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    // The cause could quote the key.
    throw invalidMember('privateKey', 'This is no private key. Send the whole file with the key from Apple, as text.');
  }
}
