// What grants need to know of an application.
import type { Application } from '../applications/index.ts';
import type { Grantee } from '../grants/index.ts';

export const toGrantee = ({ id, name, accessTokenLifetime, grants }: Application): Grantee => ({
  id,
  name,
  accessTokenLifetime,
  mayRefresh: grants.includes('refresh_token'),
});
