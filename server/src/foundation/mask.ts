// Masks: the few characters of an address that its owner recognizes, and from which others cannot guess it.

/** Returns `t***@***.org` for an e-mail address and `***67` for a number. For the audit trail and the account owner. */
export function maskAddress(address: string): string {
  const [, ending = ''] = /@[^@]*(\.[^.@]*)$/.exec(address) ?? [];
  return maskWithoutEnding(address) + ending;
}

/** Returns `t***@***` for an e-mail address and `***67` for a number. For callers who may not learn if it exists. */
export function maskWithoutEnding(address: string): string {
  const [first = ''] = address;
  return address.includes('@') ? `${first}***@***` : `***${address.slice(-2)}`;
}
