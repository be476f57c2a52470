// latchkey config: settings, front ends, roles, applications, providers, webhooks and service keys as a file.
import type { Outcome } from '../configuration/index.ts';
import { defineCommand } from './command.ts';
import { print, printProgress } from './output.ts';
import { fromCaller } from './paths.ts';
import { byCommandLine, withService } from './service.ts';

/** Where the package has the JSON Schema of a file, for a project in which it is installed. */
const SCHEMA = './node_modules/latchkey/docs/reference/configuration.schema.json';

/** The exit code of a plan that finds differences. */
const DIFFERS = 2;

const prune = {
  type: 'boolean',
  about: 'Remove what a section of the file leaves out. Sections that the file does not have stay.',
} as const;

const exportAll = defineCommand({
  name: 'config export',
  about: 'Print the configuration as YAML, without secrets.',
  takes: [],
  options: { schema: { type: 'string', value: 'ADDRESS', about: 'The JSON Schema that editors read for the file.' } },
  async run({ schema = SCHEMA }) {
    const { configurationOf, formatConfiguration } = await import('../configuration/index.ts');
    const list = () => withService((service) => configurationOf(service).list(), { isStored: true });
    const text = formatConfiguration(await list(), schema);
    // A file gets the text exactly. A terminal gets no characters that control it.
    if (process.stdout.isTTY) for (const line of text.trimEnd().split('\n')) print(line);
    else process.stdout.write(text);
    return undefined;
  },
});

const plan = defineCommand({
  name: 'config plan',
  about:
    'Print how a file differs from the configuration, and the version of what is there. The exit code is 2 if it differs.',
  takes: ['FILE'],
  options: { prune },
  async run(values, [path = '']) {
    const outcome = await run(path, 'plan', { prunes: values.prune ?? false, takesSecrets: true });
    print(`version: ${outcome.before}`);
    return outcome.differences.length === 0 ? undefined : DIFFERS;
  },
});

const apply = defineCommand({
  name: 'config apply',
  about: 'Apply a file in one transaction, and print what has changed and the version of what is there then.',
  takes: ['FILE'],
  options: {
    prune,
    expect: { type: 'string', value: 'VERSION', about: 'Apply only if the configuration is still of this version.' },
    'print-secrets': { type: 'boolean', about: 'Print the secrets that Latchkey makes, once, as lines of JSON.' },
  },
  async run(values, [path = '']) {
    const takesSecrets = values['print-secrets'] ?? false;
    const options = { prunes: values.prune ?? false, takesSecrets, expected: values.expect };
    const outcome = await run(path, 'apply', options);
    for (const [member, secret] of Object.entries(outcome.secrets)) print(JSON.stringify({ member, secret }));
    (takesSecrets ? printProgress : print)(`version: ${outcome.after}`);
    return undefined;
  },
});

type Options = { readonly prunes: boolean; readonly takesSecrets: boolean; readonly expected?: string | undefined };

/** Plans or applies a file, and prints the differences: beside secrets on standard error, so that a script reads the secrets alone. */
async function run(path: string, what: 'plan' | 'apply', options: Options): Promise<Outcome> {
  const { configurationOf, describeDifferences, readConfigurationFile } = await import('../configuration/index.ts');
  const file = readConfigurationFile(fromCaller(path));
  const work = async (service: Parameters<typeof configurationOf>[0]) => {
    const by = await byCommandLine();
    const outcome = await configurationOf(service)[what](file, { ...options, by, variables: process.env });
    const printLine = what === 'apply' && options.takesSecrets ? printProgress : print;
    for (const line of describeDifferences(outcome.differences)) printLine(line);
    return outcome;
  };
  // A file may be applied before the first start.
  return withService(work, { isStored: what === 'plan' });
}

export const configCommands = [exportAll, plan, apply];
