// What a call about a setting may end in.
import { defineErrors } from '../foundation/errors.ts';

export const settingErrors = defineErrors('setting', {
  notFound: { status: 404, message: 'There is no setting of this name.' },
  conflict: { status: 409, message: 'Somebody else has changed this setting meanwhile. Nothing was saved.' },
});
