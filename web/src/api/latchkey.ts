// The client of these pages, one for each page that is open.
import { createLatchkey } from 'latchkey-sdk';

export const latchkey = createLatchkey();
