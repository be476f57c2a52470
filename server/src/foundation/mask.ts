// Masks: an address in so few characters that its owner knows it and nobody else learns it.

/** `t***@***.org` of an e-mail address, `***67` of a number: for the audit trail and the owner. */
export function maskAddress(address: string): string {
  const [, ending = ''] = /@[^@]*(\.[^.@]*)$/.exec(address) ?? [];
  return maskWithoutEnding(address) + ending;
}

/** `t***@***` of an e-mail address, `***67` of a number: for callers who may not learn whether the address is real. */
export function maskWithoutEnding(address: string): string {
  const [first = ''] = address;
  return address.includes('@') ? `${first}***@***` : `***${address.slice(-2)}`;
}
