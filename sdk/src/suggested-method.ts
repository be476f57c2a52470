/** Returns the HTTP method that the name of a call suggests. */
export function suggestedMethod(name: string): string {
  if (/\/(Get|Is|Export)/.test(name)) return 'GET';
  if (name.endsWith('/Update')) return 'PUT';
  return name.endsWith('/Delete') ? 'DELETE' : 'POST';
}
