// The setting and the job of owner notices.
import type { OwnerNotices } from './owner-notices.ts';
import { accountChangesMessage } from './templates.ts';

export const ownerNoticesSlice = {
  declarations: { settings: [accountChangesMessage] },
  create: ({ ownerNotices }: { ownerNotices: OwnerNotices }) => ({
    jobs: [ownerNotices.sendWaiting],
  }),
};
