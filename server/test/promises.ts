// Spares the tests a sixth of their time: Node's test runner would follow each promise, to name the test of an error that nobody awaits.
import asyncHooks from 'node:async_hooks';

const { createHook } = asyncHooks;

// Loaded before the runner asks for its hook. Such an error still fails the run, which then prints it without a test's name.
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
