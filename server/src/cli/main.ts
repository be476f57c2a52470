// The command line: finds the command, parses its options, and reports a failure in one line.
import { VERSION } from '../config/version.ts';
import { errorCodeOf } from '../foundation/errors.ts';
import { applicationCommands } from './applications.ts';
import { auditCommands } from './audit.ts';
import { type Command, findUnknownOption, parseCommand, UsageError } from './command.ts';
import { configCommands } from './config.ts';
import { doctor } from './doctor.ts';
import { exportCommands } from './export.ts';
import { explain } from './failures.ts';
import { showHelp } from './help.ts';
import { importCommands } from './import.ts';
import { keyCommands } from './keys.ts';
import { migrateCommand } from './migrate.ts';
import { moveCommand } from './move.ts';
import { printError } from './output.ts';
import { providerCommands } from './providers.ts';
import { serveCommand } from './serve.ts';
import { serviceKeyCommands } from './service-keys.ts';
import { sessionCommands } from './sessions.ts';
import { endAtSignals } from './signals.ts';
import { testServerCommand } from './test-server.ts';
import { userCommands } from './user.ts';
import { verifierCommand } from './verifier.ts';
import { webhookCommands } from './webhooks.ts';

const commands: readonly Command[] = [
  serveCommand,
  verifierCommand,
  testServerCommand,
  ...userCommands,
  ...keyCommands,
  ...sessionCommands,
  ...serviceKeyCommands,
  ...applicationCommands,
  ...providerCommands,
  ...webhookCommands,
  ...configCommands,
  ...auditCommands,
  ...importCommands,
  ...exportCommands,
  migrateCommand,
  moveCommand,
  doctor,
];

const SEE_HELP = 'See: latchkey --help';

/** Exit codes: done, something was refused or failed, or the command line is wrong. */
const EXIT = { done: 0, failed: 1, usage: 2 } as const;

async function run(words: readonly string[]): Promise<number> {
  const wantsHelp = words.some((word) => word === '--help' || word === '-h');
  const named = words.filter((word) => !word.startsWith('-'));
  if (named.length === 0 && words.includes('--version')) {
    process.stdout.write(`latchkey ${VERSION}\n`);
    return EXIT.done;
  }
  const command = commands.find(({ name }) => words.slice(0, name.split(' ').length).join(' ') === name);
  if (command && !wantsHelp) {
    const { values, positionals } = parseCommand(command, words.slice(command.name.split(' ').length));
    return (await command.run(values, positionals)) ?? EXIT.done;
  }
  const [first] = named;
  const unknown = command ? undefined : findUnknownOption(words);
  const group = commands.filter(({ name }) => first === undefined || name.split(' ')[0] === first);
  const isWholeGroup = named.length === 0 || (named.length === 1 && group.length > 0);
  if (unknown && (isWholeGroup || unknown === words[0]))
    throw new UsageError(`There is no option ${unknown}. ${SEE_HELP}`);
  if (!command && !isWholeGroup) throw unknownCommand(named, group.length > 0);
  showHelp(command ? [command] : group);
  return EXIT.done;
}

/** Quotes the words of the command only: a later word might be a password. */
function unknownCommand(named: readonly string[], isGroup: boolean) {
  return new UsageError(`There is no command "${named.slice(0, isGroup ? 2 : 1).join(' ')}". ${SEE_HELP}`);
}

/** Whether the reader of the output, such as `head`, has closed the pipe. */
const isClosed = (error: unknown) => errorCodeOf(error) === 'EPIPE';

/** @returns the exit code. */
function reportLostOutput(error: unknown): number {
  printError(
    `The output cannot be written (${errorCodeOf(error)}): check its disk. The command may have taken effect.`,
  );
  return EXIT.failed;
}

let hasReader = true;
// A command goes on without its reader: what it does, such as an import, must not stop halfway and look done.
process.stdout.on('error', (error) => {
  if (!isClosed(error)) process.exit(reportLostOutput(error));
  hasReader = false;
});

endAtSignals();
// What a command writes, such as a database, may hold secrets: only its user can read it.
process.umask(0o077);

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.failed;
  // An export to standard output has failed without its reader, who knows why.
  if (hasReader || !isClosed(error)) printError(error instanceof UsageError ? error.message : await explain(error));
}
// The event of an error comes a turn later.
const { errored } = process.stdout;
if (errored && !isClosed(errored)) process.exitCode = reportLostOutput(errored);
// Ends the process at once, because an extension may hold timers and connections.
process.exit();
