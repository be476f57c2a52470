// E-mail addresses of accounts: checks what a person typed and returns the address to store.
import { readEmailAddress } from '../foundation/email-address.ts';
import { invalidMember } from '../foundation/errors.ts';
import { isIndexable } from './account.ts';

/**
 * Returns the address as it is stored and mailed to.
 * @throws AuthError `request.invalid`, naming `member`, when the text is not an address that can be stored.
 */
export function requireEmailAddress(text: string, member: string): string {
  const address = readEmailAddress(text);
  if (address !== undefined && isIndexable(address)) return address;
  throw invalidMember(member, 'Give an e-mail address of ordinary characters, such as ann@example.com.');
}
