// Ends a test file whose tests have ended and left something open, such as a server: otherwise it would hold the run for ever.
import { after } from 'node:test';

const GRACE_MS = 60_000;

// The runner loads this as well, and sets the variable for each file that it starts.
if (process.env.NODE_TEST_CONTEXT) {
  after(() => {
    setTimeout(() => {
      const open = process.getActiveResourcesInfo().join(', ');
      console.error(`The tests of this file have ended and left open: ${open}. Close it in \`after\`.`);
      process.exit(1);
    }, GRACE_MS).unref();
  });
}
