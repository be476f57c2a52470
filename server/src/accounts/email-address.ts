// E-mail addresses of accounts: any spelling a person may use, to the one that is stored.
import { readEmailAddress } from '../foundation/email-address.ts';
import { invalidMember } from '../foundation/errors.ts';
import { isIndexable } from './account.ts';

/** The address as it is stored and mailed to. Ends in `request.invalid`, which names `member` and says what to do. */
export function requireEmailAddress(text: string, member: string): string {
  const address = readEmailAddress(text);
  if (address !== undefined && isIndexable(address)) return address;
  throw invalidMember(member, 'Give an e-mail address of ordinary characters, such as ann@example.com.');
}
