// The errors and audit actions of applications.
import { defineErrors } from '../foundation/errors.ts';
import { defineActions } from '../foundation/events.ts';

/** Why a call about an application is refused. */
export const applicationErrors = defineErrors('application', {
  notFound: { status: 404, message: 'There is no application with this id.' },
  clientIdTaken: { status: 409, message: 'Another application has this client id. Please choose a different one.' },
  redirectUriInvalid: {
    status: 400,
    message:
      'This address cannot be a redirect URI of this application. Use an exact https address without a fragment.',
  },
  withoutSecret: {
    status: 409,
    message: 'This application has no client secret. Its kind or its authentication uses none.',
  },
  tooMany: { status: 409, message: 'There are as many applications as the service allows. Delete one first.' },
});

/** What happens to applications. Details hold the id, the client id and the name. */
export const applicationActions = defineActions('application', {
  created: 'An administrator registered an application, to which people sign in with this service.',
  updated: 'An administrator changed an application. Details hold the names of the changed members.',
  deleted: 'An administrator deleted an application. Its grants ended.',
  secretRotated:
    'An administrator gave an application another client secret. Details say for how many seconds the former one stays valid.',
});
