// My account: what people do with their own.
export { createAddressProofs } from './address-proof.ts';
export { createAddressRequests } from './address-request.ts';
export { myAccountActions } from './events.ts';
export { createExternalLogins } from './external-logins.ts';
export { createLinking } from '../external-logins/external-logins.ts';
export { createMyAccount } from './my-account.ts';
export { createMyQuestions } from './my-questions.ts';
export { createOwnerNotices } from '../owner-notices/owner-notices.ts';
export { createOwnerProofs } from '../authentication/owner-verification.ts';
export { myAccountRoutes } from './routes.ts';
export {
  addressChangedMessage,
  externalLoginLinkedMessage,
  externalLoginUnlinkedMessage,
  questionsChangedMessage,
} from './templates.ts';
