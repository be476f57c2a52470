// My account: what people do with their own account.
export { createMyAccount, myAccountDefinitions } from './slice.ts';
