// Authorization: whether a caller may act.
export { type Authorization, createAuthorization } from './authorization.ts';
