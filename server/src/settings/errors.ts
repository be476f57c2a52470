// The errors of settings.
import { defineErrors } from '../foundation/errors.ts';

export const settingErrors = defineErrors('setting', {
  notFound: { status: 404, message: 'There is no setting with this name.' },
  conflict: {
    status: 409,
    message: 'This setting has changed since you read it. Nothing was saved. Please reload it.',
  },
});
