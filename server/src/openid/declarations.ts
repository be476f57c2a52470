// The errors and audit actions of signing in to applications.
import { defineErrors } from '../foundation/errors.ts';
import { defineActions } from '../foundation/events.ts';

export const authorizationErrors = defineErrors('authorization', {
  notFound: {
    status: 404,
    message: 'This sign-in to an application has expired or was completed. Please start again in the application.',
  },
  denied: { status: 403, message: 'Your account may not use this application. An administrator can give you access.' },
  loginRequired: { status: 403, message: 'The application asks you to sign in again.' },
  levelRequired: { status: 403, message: 'The application asks for a second factor.' },
});

export const consentErrors = defineErrors('consent', {
  notFound: { status: 404, message: 'You share nothing with an application under this id.' },
});

export const deviceErrors = defineErrors('device', {
  notFound: { status: 404, message: 'No device waits with this code. Please check it, or start again on the device.' },
});

export const authorizationActions = defineActions('authorization', {
  denied: 'A person may not use an application, or refused to share data with it.',
  consented: 'A person agreed to share data with an application.',
  withdrawn: 'A person no longer shares data with an application. What it was given ended.',
});
