// Owner notices: messages that tell account owners about changes to their account.
export { createOwnerNotices, type NotifyOwner } from './owner-notices.ts';
export { ownerNoticesSlice } from './slice.ts';
export { createNoticeStore } from './store.sql.ts';
