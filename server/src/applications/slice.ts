// Applications, as a slice of the service.
import { applicationActions, applicationErrors } from './declarations.ts';

export const applicationsSlice = {
  declarations: { errors: [applicationErrors], actions: [applicationActions] },
};
