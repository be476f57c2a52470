// Notices: what the owner of an account is told on every verified address when somebody has changed what opens it.
import { type Account, fullName, type PhoneNumbers } from '../accounts/index.ts';
import { type Messages, type MessageTemplate, NOTICE_SECONDS } from '../delivery/index.ts';
import { addSeconds, type Clock } from '../foundation/clock.ts';
import type { Tx } from '../storage/database.ts';

/** Tells every verified address of the account in these words, which may hold `{{name}}`. */
export type TellOwner = (tx: Tx, account: Account, template: MessageTemplate) => Promise<void>;

export function createOwnerNotices(deps: { messages: Messages; phoneNumbers: PhoneNumbers; clock: Clock }): TellOwner {
  const { messages, phoneNumbers, clock } = deps;
  return async (tx, account, template) => {
    const { emailAddress, isEmailConfirmed, mobileNumber, isMobileConfirmed } = account;
    const isReached = isMobileConfirmed && mobileNumber !== null && phoneNumbers.mayReceive(mobileNumber);
    const addresses = [
      { means: 'email', to: isEmailConfirmed ? emailAddress : null },
      { means: 'sms', to: isReached ? mobileNumber : null },
    ] as const;
    for (const { means, to } of addresses) {
      if (to === null) continue;
      const expiresAt = addSeconds(clock.now(), NOTICE_SECONDS);
      const values = { name: fullName(account) };
      await messages.queue(tx, { template, means, to, accountId: account.id, values, expiresAt });
    }
  };
}
