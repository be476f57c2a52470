// Resetting a forgotten password: by a mailed link, by SMS, or by security questions.
export { resetErrors } from './errors.ts';
export { resetActions } from './events.ts';
export { createResetOptions } from './options.ts';
export { createPasswordReset, createRenewal } from './password-reset.ts';
export { createResetProofs } from './proofs.ts';
export { createAsking, createQuestionRounds } from './question-round.ts';
export { createReach } from './reach.ts';
export { createResetRequests, createResetSender } from './requests.ts';
export { createResetTokens } from './reset-tokens.ts';
export { passwordResetRoutes } from './routes.ts';
export { createResetStore } from './store.sql.ts';
export { endSwitchedOff } from './switching-off.ts';
export { passwordChangedMessage, resetLinkMessage, resetPinMessage } from './templates.ts';
