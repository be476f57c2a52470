// latchkey import: imports accounts in batches, and reports refused lines.
import { accessSync, closeSync, constants, openSync, realpathSync, statSync, writeSync } from 'node:fs';
import type { AccountImport } from '../account-administration/index.ts';
import type { Service } from '../app/compose.ts';
import { errorCodeOf } from '../foundation/errors.ts';
import { CommandFailure, defineCommand } from './command.ts';
import type { ReadLine } from './import-line.ts';
import { print, printError } from './output.ts';
import { withService } from './service.ts';

/** Accounts that are added in one transaction. */
const BATCH = 250;

/** A pause between two batches, so that a running service can write: an embedded database has one writer at a time. */
const PAUSE_MS = 10;

/** Refused lines that are shown without a report. */
const SHOWN = 20;

const TAKEN = 'The user name or e-mail address is taken, by an account or by an earlier line.';

type Refusal = { line: number; userName?: string; reasons: readonly string[] };

const importUsers = defineCommand({
  name: 'import users',
  about: 'Import accounts with their password hashes from a file with one JSON object a line.',
  takes: ['FILE'],
  options: {
    'dry-run': { type: 'boolean', about: 'Check every line and change nothing.' },
    report: {
      type: 'string',
      value: 'FILE',
      about: 'Write the number of each refused line and the reasons to this file.',
    },
  },
  async run({ 'dry-run': isDry = false, report }, [path = '']) {
    requireFile(path);
    const refusals = openReport(report, path);
    const counts = { added: 0, refused: 0 };
    let hasBegun = false;
    try {
      await withService(async (service) => {
        hasBegun = true;
        for await (const outcome of importLines(service, path, isDry)) {
          if (outcome === 'added') counts.added += 1;
          else {
            counts.refused += 1;
            refusals.write(outcome);
          }
        }
      });
    } finally {
      refusals.close();
      if (hasBegun) print(`${isDry ? 'Would import' : 'Imported'} ${counts.added}, refused ${counts.refused}.`);
    }
    return counts.refused > 0 ? 1 : 0;
  },
});

export const importCommands = [importUsers];

/** Yields the outcome of each line, in order. */
async function* importLines(service: Service, path: string, isDry: boolean): AsyncGenerator<'added' | Refusal> {
  const [{ createAccountImport }, { operator }, { systemClock }, { readImportLine }, { readLines }] = await Promise.all(
    [
      import('../account-administration/index.ts'),
      import('../app/first-start.ts'),
      import('../foundation/clock.ts'),
      import('./import-line.ts'),
      import('./lines.ts'),
    ],
  );
  const importing = createAccountImport({ ...service, clock: systemClock });
  const by = operator('import');
  const add: AccountImport['rehearse'] = isDry ? importing.rehearse : (batch) => importing.add(batch, by);
  const needsPause = !isDry && service.database.engine === 'sqlite';
  let lines: ReadLine[] = [];

  async function* flush() {
    const ready = lines.filter((line) => 'account' in line);
    const isAdded = await add(ready.map(({ account }) => account));
    const added = new Set(ready.filter((_, index) => isAdded[index]));
    for (const line of lines) {
      if ('reasons' in line) yield line;
      else if (added.has(line)) yield 'added' as const;
      else yield { line: line.line, userName: line.account.userName, reasons: [TAKEN] };
    }
    lines = [];
    if (needsPause) await systemClock.sleep(PAUSE_MS);
  }

  for await (const line of readLines(path)) {
    const read = readImportLine(line, importing);
    if (read) lines.push(read);
    if (lines.length >= BATCH) yield* flush();
  }
  yield* flush();
}

function requireFile(path: string) {
  try {
    accessSync(path, constants.R_OK);
    if (!statSync(path).isDirectory()) return;
  } catch (error) {
    throw new CommandFailure(`Cannot read ${path} (${errorCodeOf(error)}): check the path and its permissions.`);
  }
  throw new CommandFailure(`${path} is a folder: give the path of a file.`);
}

/** Reports refused lines: in a file that only its owner can read, or the first lines on standard error. */
function openReport(report: string | undefined, source: string) {
  if (report === undefined) {
    let shown = 0;
    return {
      write({ line, reasons }: Refusal) {
        shown += 1;
        if (shown <= SHOWN) printError(`line ${line}: ${reasons.join(' ')}`);
        if (shown === SHOWN + 1) printError('More lines were refused. To get all of them, add --report FILE.');
      },
      close: () => {},
    };
  }
  const file = openReportFile(report, source);
  return {
    write: (refusal: Refusal) => void writeSync(file, `${JSON.stringify(refusal)}\n`),
    close: () => closeSync(file),
  };
}

function openReportFile(report: string, source: string): number {
  try {
    const file = openSync(report, 'a', 0o600);
    if (realpathSync(report) !== realpathSync(source)) {
      closeSync(file);
      return openSync(report, 'w', 0o600);
    }
    closeSync(file);
  } catch (error) {
    throw new CommandFailure(
      `Cannot write the report ${report} (${errorCodeOf(error)}): check the path and its permissions.`,
    );
  }
  throw new CommandFailure('The report would overwrite the imported file: choose another name.');
}
