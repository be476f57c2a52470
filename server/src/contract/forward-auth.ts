// Forward-auth: what an address demands of a token, and the headers that tell an application who calls.
import type { IncomingMessage } from 'node:http';
import { invalidMember } from '../foundation/errors.ts';
import { readName } from '../foundation/typed-text.ts';

const levels = ['aal1', 'aal2'] as const;
export type Level = (typeof levels)[number];

/** The person behind a valid token. */
export type Identity = {
  readonly id: string;
  readonly userName: string;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly string[];
  readonly level: Level;
};

/** A token must meet all of them. Each list of roles demands one of them. */
export type Demands = {
  readonly roles: readonly (readonly string[])[];
  readonly levels: readonly Level[];
  /** The audiences of which a token of an application has each. None: no such token may pass. */
  readonly audiences: readonly string[];
};

/**
 * Reads the demands of an address: `?roles=A,B`, `?acr=aal2` and `?audience=NAME`. A comma within a role is percent-encoded. The same
 * parameter may come twice: some proxies add the query of the original request, which can then only demand more. Its audiences do not
 * count, see `readAudiences`.
 * @throws AuthError `request.invalid` for a demand that cannot be checked.
 */
export function readDemands(url: string): Demands {
  return {
    roles: valuesOf(url, 'roles').map(readRoles),
    levels: valuesOf(url, 'acr').map(readLevel),
    audiences: readAudiences(url),
  };
}

/** Returns the audiences that an address names. Those of the original request let no token pass: a client would choose them. */
export const readAudiences = (url: string): string[] => valuesOf(url, 'audience').map((text) => tryDecode(text) ?? '');

function valuesOf(url: string, wanted: string): string[] {
  const queryAt = url.indexOf('?');
  return (queryAt < 0 ? '' : url.slice(queryAt + 1)).split('&').flatMap((parameter) => {
    const [name = '', ...value] = parameter.split('=');
    return tryDecode(name)?.toLowerCase() === wanted ? value.join('=') : [];
  });
}

function readRoles(list: string): string[] {
  return list.split(',').map((text) => {
    const role = readName(tryDecode(text) ?? '');
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
 * Returns which demand a person does not meet, or `undefined`.
 * @param isIn whether a role, in any spelling, is one of these.
 */
export function findUnmetDemand(
  { roles, level }: Identity,
  demands: Demands,
  isIn: (role: string, roles: readonly string[]) => boolean,
): 'role' | 'level' | undefined {
  if (!demands.roles.every((wanted) => wanted.some((role) => isIn(role, roles)))) return 'role';
  const isReached = (wanted: Level) => levels.indexOf(wanted) <= levels.indexOf(level);
  return demands.levels.every(isReached) ? undefined : 'level';
}

/**
 * Whether a request has several `Authorization` headers. Node keeps the first one, but the application may read another.
 * @param rawHeaders alternating names and values.
 */
export const hasSeveralAuthorizations = (rawHeaders: readonly string[]): boolean =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'authorization').length > 1;

/**
 * Whether a request announces a body. Some proxies announce that of the original request, and never send it. The connection
 * must then close: the next request would pass for the body.
 */
export const announcesBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Returns the headers about a person. Each is there, empty if there is nothing to tell, so that a proxy replaces the header
 * of this name that the client may have sent.
 */
export function identityHeaders({
  id,
  userName,
  name,
  email,
  roles,
  level,
}: Identity): Readonly<Record<string, string>> {
  return {
    'remote-user': encode(userName),
    'remote-user-id': id,
    'remote-name': encode(name),
    'remote-email': encode(email),
    'remote-groups': roles.map((role) => encode(role).replaceAll(',', '%2C')).join(','),
    'remote-auth-level': level,
  };
}

/**
 * Percent-encodes (RFC 3986, 2.1) all that a header cannot carry unchanged: other characters than visible ASCII and the
 * space, spaces at the ends, and the percent sign itself.
 */
function encode(text: string): string {
  return text.toWellFormed().replace(/[^ -$&-~]+|^ +| +$/gu, (part) => encodeURIComponent(part));
}
