// The setting and the job of owner notices.
import type { OwnerNotices } from './owner-notices.ts';
import { accountChangesMessage } from './templates.ts';

export const ownerNoticeDefinitions = { settings: [accountChangesMessage] };

export const createOwnerNoticeSlice = ({ ownerNotices }: { ownerNotices: OwnerNotices }) => ({
  jobs: [ownerNotices.sendWaiting],
});
