// Owner notices: messages that tell an account owner what has changed, so that an attacker cannot change it unnoticed.
import { type Account, ownerNames, type VerifiedAddress, type VerifiedAddresses } from '../accounts/index.ts';
import { type Messages, type MessageTemplate, NOTICE_SECONDS, type Values } from '../delivery/index.ts';
import { addSeconds, type Clock } from '../foundation/clock.ts';
import { DEFAULT_FRONT_END } from '../front-ends/index.ts';
import type { Tx } from '../storage/database.ts';

/**
 * Queues the message to every verified address of the account, or only to the one for `means`. The template may use
 * `{{name}}`, `{{username}}` and the placeholders of `values`. It shows the brand of `frontEnd`, or of Default UI.
 */
export type NotifyOwner = (
  tx: Tx,
  account: Account,
  template: MessageTemplate,
  options?: { readonly means?: VerifiedAddress['means']; readonly values?: Values; readonly frontEnd?: string },
) => Promise<void>;

export function createNotifyOwner(deps: {
  messages: Messages;
  verifiedAddresses: VerifiedAddresses;
  clock: Clock;
}): NotifyOwner {
  const { messages, verifiedAddresses, clock } = deps;
  return async (tx, account, template, { means: only, values: more, frontEnd = DEFAULT_FRONT_END } = {}) => {
    for (const { means, to } of verifiedAddresses.list(account)) {
      if (only !== undefined && only !== means) continue;
      const expiresAt = addSeconds(clock.now(), NOTICE_SECONDS);
      const values = { ...ownerNames(account), ...more };
      await messages.queue(tx, { template, means, to, account, values, frontEnd, expiresAt });
    }
  };
}
