// The account of a row, as the call that imports users takes it.
import type { Mapping } from 'latchkey-user-files/members';

export function toAccount(values: Readonly<Record<string, unknown>>, mapping: Mapping): Record<string, unknown> {
  const account: Record<string, unknown> = {};
  for (const [column, member] of Object.entries(mapping)) {
    const value = values[column];
    if (member && value !== '' && value !== null && value !== undefined) account[member] = value;
  }
  return account;
}
