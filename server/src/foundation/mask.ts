// Masks: an address in so few characters that its owner knows it and nobody else learns it.

/** `t***@***.org` of an e-mail address, `***67` of a number. */
export function maskAddress(address: string): string {
  const [first = ''] = address;
  if (!address.includes('@')) return `***${address.slice(-2)}`;
  const [, ending = ''] = /@[^@]*(\.[^.@]*)$/.exec(address) ?? [];
  return `${first}***@***${ending}`;
}
