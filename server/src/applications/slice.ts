// Applications, as a slice of the service.
import { applicationActions, applicationErrors } from './declarations.ts';
import { type ApplicationRouteDeps, applicationRoutes } from './routes.ts';

export const applicationsSlice = {
  declarations: { errors: [applicationErrors], actions: [applicationActions] },
  create: (needs: ApplicationRouteDeps) => ({ routes: applicationRoutes(needs) }),
};
