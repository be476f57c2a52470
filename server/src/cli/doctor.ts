// latchkey doctor: checks all that the service depends on, says what to do, and changes nothing.
import type { Variables } from '../config/variables.ts';
import { defineCommand, UsageError } from './command.ts';
import { type Finding, printFinding } from './output.ts';

export const doctor = defineCommand({
  name: 'doctor',
  about: 'Check configuration, data directory, database, clock, keys, delivery and proxies; change nothing.',
  takes: [],
  options: {
    live: { type: 'boolean', about: 'Check only that the service runs: a health check for containers.' },
    conformance: { type: 'boolean', about: 'Say which requirements of OWASP ASVS, NIST and OAuth the settings break.' },
  },
  async run({ live = false, conformance = false }) {
    if (live && conformance) throw new UsageError('Give --live or --conformance, and not both.');
    let failures = 0;
    for await (const finding of examine(live ? 'live' : conformance ? 'conformance' : 'all')) {
      if (finding.verdict === 'fail') failures += 1;
      printFinding(finding);
    }
    return failures > 0 ? 1 : 0;
  },
});

async function* examine(what: 'all' | 'live' | 'conformance'): AsyncGenerator<Finding> {
  if (what !== 'live') {
    const { findNotices } = await import('../config/variables.ts');
    for (const message of findNotices(process.env)) yield { verdict: 'warn', about: 'configuration', message };
  }
  if (what === 'live') {
    const { checkLive, readAddress } = await import('./doctor-live.ts');
    const found = await read(readAddress);
    yield 'verdict' in found ? found : await checkLive(found);
    return;
  }
  const { readEnvironment } = await import('../config/environment.ts');
  const environment = await read(readEnvironment);
  if ('verdict' in environment) {
    yield environment;
    return;
  }
  if (what === 'conformance') {
    const { checkConformance } = await import('./doctor-conformance.ts');
    yield* checkConformance(environment);
    return;
  }
  yield { verdict: 'ok', about: 'configuration', message: 'All variables are valid.' };
  const [{ checkEnvironment }, { checkMachine }, { checkDatabase }] = await Promise.all([
    import('./doctor-environment.ts'),
    import('./doctor-machine.ts'),
    import('./doctor-database.ts'),
  ]);
  yield* checkEnvironment(environment);
  yield* checkMachine(environment);
  yield* checkDatabase(environment);
}

async function read<Read>(reader: (variables: Variables) => Read): Promise<Read | Finding> {
  const { EnvironmentError } = await import('../config/environment-error.ts');
  try {
    return reader(process.env);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    const message = `${error.message} Correct this first: the other checks need it.`;
    return { verdict: 'fail', about: 'configuration', message };
  }
}
