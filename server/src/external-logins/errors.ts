// Why a call about an external login is refused.
import { defineErrors } from '../foundation/errors.ts';

export const externalLoginErrors = defineErrors('externalLogin', {
  notFound: { status: 404, message: 'There is no such link to a provider.' },
});
