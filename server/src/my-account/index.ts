// My account: what people do with their own.
export { createAddressProofs } from './address-proof.ts';
export { createAddressRequests } from './address-request.ts';
export { myAccountActions } from './events.ts';
export { createMyAccount } from './my-account.ts';
export { createMyQuestions } from './my-questions.ts';
export { createOwnerNotices } from './owner-notice.ts';
export { myAccountRoutes } from './routes.ts';
export { addressChangedMessage, questionsChangedMessage } from './templates.ts';
