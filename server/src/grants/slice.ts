// Grants, as a slice of the service.
import { grantActions } from './declarations.ts';
import type { Grants } from './grants.ts';
import { grantReplayedMessage } from './templates.ts';

export const grantsSlice = {
  declarations: { settings: [grantReplayedMessage], actions: [grantActions] },
  create: ({ grants }: { grants: Grants }) => ({ jobs: [grants.maintain] }),
};
