// Password reset: replaces a forgotten password by a mailed link, by SMS, or by security questions.
export { createPasswordReset, passwordResetDefinitions } from './slice.ts';
