// Front ends: the applications that people sign in to.
export { frontEndErrors } from './errors.ts';
export { frontEndActions } from './events.ts';
export { createFrontEnds, DEFAULT_FRONT_END } from './front-ends.ts';
export { frontEndRoutes } from './routes.ts';
export { createFrontEndStore } from './store.sql.ts';
