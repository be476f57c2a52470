// Account administration: what administrators do to accounts.
export {
  type AccountAdministration,
  createAccountAdministration,
  type Manager,
} from './account-administration.ts';
export { administrationErrors } from './errors.ts';
export { administrationActions } from './events.ts';
export { accountAdministrationRoutes } from './routes.ts';
