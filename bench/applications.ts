// Applications of the service, and their grants.
import { type Application, type Granted, grant, register as registerBy } from '../server/test/support/authorization.ts';
import type { Server } from './children.ts';
import { openAdministration, paths } from './latchkey.ts';

export type { Application };

/** Registers an application at a running service. @param more members besides the common ones. */
export async function register(server: Server, more?: object): Promise<Application> {
  const call = await openAdministration(server);
  return registerBy((input) => call(paths.createApplication, input), more);
}

/** Signs in to an application with these tokens of sessions, one after the other. */
export async function grantAll(
  { url }: Server,
  application: Application,
  scope: string,
  tokens: readonly string[],
): Promise<Granted[]> {
  const granted: Granted[] = [];
  for (const token of tokens) granted.push(await grant(url, application, scope, token));
  return granted;
}
