// Generated cases: the same ones in every short run, so that it judges the change and nothing else; new ones in a long run.
import fc from 'fast-check';

const SEED = 20_261_121;

if (process.env.LATCHKEY_TEST_LONG !== '1') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });
