// A front end that has the browser client as a global, in a page and in a worker.
import { createLatchkey } from 'latchkey-sdk';

Object.assign(globalThis, { createLatchkey });
