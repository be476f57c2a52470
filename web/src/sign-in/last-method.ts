// The method of the last sign-in in this browser. It does not tell who signed in.

/** A method of the sign-in page, or a provider by `provider:` and its name. */
export type Method = 'password' | 'passkey' | 'pin' | `provider:${string}`;

const KEY = 'latchkey::last-method';

export function keepLastMethod(method: Method): void {
  try {
    localStorage.setItem(KEY, method);
  } catch {
    // Without storage, no method is marked.
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** The method that was used last when this page was opened. */
const lastMethod = read();

export const isLastMethod = (method: Method): boolean => method === lastMethod;
