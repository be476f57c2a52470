// Owner notices: what account owners are told about changes of their account.
export { createNotifyOwner, type NotifyOwner } from './owner-notices.ts';
