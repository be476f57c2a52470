// My account: what people do with their own.
export { myAccountActions } from './events.ts';
export { createMyAccount } from './my-account.ts';
export { myAccountRoutes } from './routes.ts';
