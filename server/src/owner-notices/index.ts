// Owner notices: messages that tell account owners about changes to their account.
export { createNotifyOwner, type NotifyOwner } from './owner-notices.ts';
