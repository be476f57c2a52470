// Forward-auth: what an address demands of a token, and the headers that tell the application who calls.
import { fullName } from '../accounts/index.ts';
import { invalidMember, permissionErrors } from '../foundation/errors.ts';
import type { Roles } from '../roles/index.ts';
import { type ActiveToken, levelOf } from './active-tokens.ts';
import { forwardAuthErrors } from './errors.ts';

const levels = ['aal1', 'aal2'] as const;
type Level = (typeof levels)[number];

/** A token must meet all of them. Each list of roles demands one of them. */
export type Demands = { readonly roles: readonly (readonly string[])[]; readonly levels: readonly Level[] };

/**
 * Reads the demands of an address: `?roles=A,B` and `?acr=aal2`. A comma within a role is percent-encoded. The same
 * parameter may come twice: some proxies add the query of the original request, which can then only demand more.
 * @throws AuthError `request.invalid` for a demand that the service cannot check.
 */
export function readDemands(url: string): Demands {
  const queryAt = url.indexOf('?');
  const parameters = (queryAt < 0 ? '' : url.slice(queryAt + 1)).split('&').map((parameter) => {
    const [name = '', ...value] = parameter.split('=');
    return { name: tryDecode(name)?.toLowerCase(), value: value.join('=') };
  });
  const valuesOf = (wanted: string) => parameters.filter(({ name }) => name === wanted).map(({ value }) => value);
  return { roles: valuesOf('roles').map(readRoles), levels: valuesOf('acr').map(readLevel) };
}

function readRoles(list: string): string[] {
  return list.split(',').map((text) => {
    const role = tryDecode(text);
    if (!role) throw invalidMember('roles', 'Give roles separated by commas: roles=Accountant,Auditor.');
    return role;
  });
}

function readLevel(text: string): Level {
  const level = levels.find((one) => one === tryDecode(text));
  if (!level) throw invalidMember('acr', `Give one of these levels: ${levels.join(', ')}.`);
  return level;
}

/** Decodes a part of a query. */
function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * @param isIn whether a role, in any spelling, is one of these.
 * @throws AuthError `permission.denied` for a missing role, `forwardAuth.levelTooLow`.
 */
export function requireDemands({ claims, account }: ActiveToken, demands: Demands, isIn: Roles['isIn']): void {
  const hasOneOf = (roles: readonly string[]) => roles.some((role) => isIn(role, account.roleNames));
  if (!demands.roles.every(hasOneOf)) throw permissionErrors.denied();
  const reached = levels.indexOf(levelOf(claims));
  if (demands.levels.some((level) => levels.indexOf(level) > reached)) throw forwardAuthErrors.levelTooLow();
}

/**
 * Returns the headers about the caller. Each is there, empty if there is nothing to tell, so that a proxy replaces the
 * header of this name that the client may have sent.
 */
export function identityHeaders({ claims, account }: ActiveToken): Readonly<Record<string, string>> {
  return {
    'remote-user': encode(account.userName),
    'remote-user-id': String(account.id),
    'remote-name': encode(fullName(account)),
    'remote-email': encode(account.emailAddress ?? ''),
    'remote-groups': account.roleNames.map((role) => encode(role).replaceAll(',', '%2C')).join(','),
    'remote-auth-level': levelOf(claims),
  };
}

/**
 * Percent-encodes (RFC 3986, 2.1) all that a header cannot carry unchanged: other characters than visible ASCII and the
 * space, spaces at the ends, and the percent sign itself.
 */
function encode(text: string): string {
  return text.toWellFormed().replace(/[^ -$&-~]+|^ +| +$/gu, (part) => encodeURIComponent(part));
}
