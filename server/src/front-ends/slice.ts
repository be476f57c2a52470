// The endpoints, errors and actions of front ends.
import { frontEndErrors } from './errors.ts';
import { frontEndActions } from './events.ts';
import type { FrontEnds } from './front-ends.ts';
import { frontEndRoutes } from './routes.ts';

export const frontEndDefinitions = { errors: [frontEndErrors], actions: [frontEndActions] };

export const createFrontEndSlice = ({ frontEnds }: { frontEnds: FrontEnds }) => ({ routes: frontEndRoutes(frontEnds) });
