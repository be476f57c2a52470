// The client of these pages, one for each page that is open.
import { createLatchkey } from 'latchkey-sdk';

export const latchkey = createLatchkey({ storage: 'session' });

/** Called before a sign-in: whether it outlives the browser. */
export const chooseStaying = (isStaying: boolean) => latchkey.keepTokenIn(isStaying ? 'local' : 'session');
