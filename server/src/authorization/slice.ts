// Authorization, as a slice of the service.
import { callActions } from './declarations.ts';

export const authorizationSlice = { declarations: { actions: [callActions] } };
