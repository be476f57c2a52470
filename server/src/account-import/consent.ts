// What an import does besides adding accounts, and only when it is told to: it adds roles, and makes administrators.
import type { AuthError } from '../foundation/errors.ts';
import { coversAll } from '../foundation/permissions.ts';
import type { Roles } from '../roles/index.ts';
import { importErrors } from './declarations.ts';

/** What the importer agrees to. */
export type Consent = {
  /** Adds roles that do not exist here. They grant nothing. */
  readonly allowNewRoles: boolean;
  /** Gives accounts roles that grant permissions of this service. */
  readonly allowAdministrators: boolean;
};

/** What an account brings that needs consent. */
export type Brought = { readonly newRoles: string[]; readonly isAdministrator: boolean };

/** @param held the roles that the account has already. */
export function findBrought(roles: Roles, wanted: readonly string[] = [], held: readonly string[] = []): Brought {
  return {
    newRoles: roles.findMissing(wanted),
    isAdministrator: !coversAll(roles.permissionsOf(held), roles.permissionsOf(wanted)),
  };
}

/** Returns the error `import.newRole` or `import.administrator` if the importer does not agree. */
export function findDissent({ newRoles, isAdministrator }: Brought, consent: Consent): AuthError | undefined {
  if (newRoles.length > 0 && !consent.allowNewRoles) {
    const details = `There is no such role here: ${newRoles.join(', ')}. Create it first, or allow new roles.`;
    return importErrors.newRole({ details });
  }
  return isAdministrator && !consent.allowAdministrators ? importErrors.administrator() : undefined;
}

/** What the accounts of a file bring: the names of the roles, and of the accounts. */
export type BroughtNotes = { readonly newRoles: Set<string>; readonly administrators: Set<string> };

/** Names of each kind that are noted. A file may have any number. */
const MAX_NOTED = 100;

export function noteBrought(notes: BroughtNotes, userName: string, { newRoles, isAdministrator }: Brought): void {
  for (const name of newRoles) if (notes.newRoles.size < MAX_NOTED) notes.newRoles.add(name);
  if (isAdministrator && notes.administrators.size < MAX_NOTED) notes.administrators.add(userName);
}
