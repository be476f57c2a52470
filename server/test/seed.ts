// Generated cases: the same ones in every short run, so that it judges the change and nothing else; new ones in a long run.
import fc from 'fast-check';

const SEED = 20_261_121;

/** For runs in which it matters only whether a test fails: no simpler case is looked for then. */
const endOnFailure = process.env.LATCHKEY_TEST_SIMPLIFY === '0';

fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure });
if (process.env.LATCHKEY_TEST_LONG !== '1') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });
