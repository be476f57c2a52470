// Service keys, as a slice of the service.
import { serviceKeyErrors } from './errors.ts';
import { serviceKeyActions } from './events.ts';

export const serviceKeyDefinitions = { errors: [serviceKeyErrors], actions: [serviceKeyActions] };
