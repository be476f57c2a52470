// Applications, as a slice of the service.
import type { Applications } from './applications.ts';
import { applicationActions, applicationErrors } from './declarations.ts';
import { applicationRoutes } from './routes.ts';

export const applicationsSlice = {
  declarations: { errors: [applicationErrors], actions: [applicationActions] },
  create: (needs: { applications: Applications; issuer: string }) => ({ routes: applicationRoutes(needs) }),
};
