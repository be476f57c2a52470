// The errors and audit actions of service keys.
import { defineErrors } from '../foundation/errors.ts';
import { defineActions } from '../foundation/events.ts';

/** Why a call with a service key, or about one, is refused. */
export const serviceKeyErrors = defineErrors('serviceKey', {
  invalid: {
    status: 401,
    message: 'This call needs a valid service key. Ask an administrator of this service for one.',
  },
  forbidden: { status: 403, message: 'This service key does not allow this call. Use one with the permission.' },
  notFound: { status: 404, message: 'There is no service key with this name.' },
  duplicate: { status: 409, message: 'Another service key has this name. Please choose a different one.' },
});

/** What happens to service keys. Details hold the name of the key, and what it allows. */
export const serviceKeyActions = defineActions('serviceKey', {
  created: 'An administrator made a key for another service.',
  withdrawn: 'An administrator withdrew the key of another service. Calls with it are refused from then on.',
});
