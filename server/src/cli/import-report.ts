// The report of an import: each refused or skipped line, what was renumbered, and the counts at the end.
import { closeSync, fchmodSync, fstatSync, ftruncateSync, openSync, realpathSync, writeSync } from 'node:fs';
import type { ColumnNotes } from '../account-import/index.ts';
import { errorCodeOf } from '../foundation/errors.ts';
import { CommandFailure } from './command.ts';
import type { Entry } from './entries.ts';
import { print, printError, printTable } from './output.ts';
import { fromCaller } from './paths.ts';

/** Refused lines, and skipped ones, that are shown without a report. */
const SHOWN = 20;

/** Rows of the table. Rarer reasons are counted together, except those of skipped lines. */
const MAX_ROWS = 40;

/** What became of a line. `why` is a short reason for the table, `more` goes into the report. */
export type Result = {
  readonly entry: Pick<Entry, 'kind' | 'number' | 'file'>;
  readonly name?: string;
  readonly done: 'added' | 'updated' | 'unchanged' | 'skipped' | 'refused';
  readonly why?: string;
  readonly reasons?: readonly string[];
  readonly more?: Readonly<Record<string, unknown>>;
};

type Counts = Map<string, { done: Result['done']; why: string; count: number }>;

export interface ImportReport {
  write(result: Result): void;
  hasRefusals(): boolean;
  hasSkipped(): boolean;
  /** Prints what was done: one line, and in a dry run a table. */
  finish(notes: readonly string[]): void;
  close(): void;
}

const FACTORS =
  'Some users may have a second factor there. Second factors are not imported: users set them up here. To require one, change Latchkey.Factors and Latchkey.Factors.SecondFactor.';

/** Returns the notes as sentences. */
export function describeNotes({ unused, unknown, hasFactors }: ColumnNotes): string[] {
  const list = (names: Set<string>) => [...names].join(', ');
  return [
    ...(unused.size > 0 ? [`Columns that are not needed here: ${list(unused)}.`] : []),
    ...(hasFactors ? [FACTORS] : []),
    ...(unknown.size > 0 ? [`Columns that are not known here, and were left out: ${list(unknown)}.`] : []),
  ];
}

export const reportOption = {
  report: {
    type: 'string',
    value: 'FILE',
    about: 'Write each refused or skipped line with its reasons, and each new id, to this file.',
  },
} as const;

/**
 * @param things what the lines are: users or roles.
 * @param nameMember the member of the report with the name of one.
 */
export function openReport(
  given: string | undefined,
  {
    sources,
    things,
    nameMember,
    isDry,
  }: { sources: readonly string[]; things: string; nameMember: string; isDry: boolean },
): ImportReport {
  const counts: Counts = new Map();
  const sink = given === undefined ? createTerminalSink() : createFileSink(given, sources, nameMember);
  const total = (done: Result['done']) =>
    [...counts.values()].reduce((sum, one) => (one.done === done ? sum + one.count : sum), 0);

  return {
    write(result) {
      const { done, why = result.reasons?.join(' ') ?? '' } = result;
      const isListed = done === 'skipped' || counts.has(`${done} ${why}`) || counts.size < MAX_ROWS;
      const row = { done, why: isListed ? why : 'other reasons', count: 0 };
      const key = `${done} ${row.why}`;
      const counted = counts.get(key) ?? row;
      counts.set(key, { ...counted, count: counted.count + 1 });
      if (result.reasons || result.more) sink.write(result);
    },
    hasRefusals: () => total('refused') > 0,
    hasSkipped: () => total('skipped') > 0,
    finish(notes) {
      for (const note of notes) print(note);
      const others = (['updated', 'unchanged', 'skipped'] as const).filter((done) => total(done) > 0);
      const parts = [...others, 'refused' as const].map((done) => `${done} ${total(done)}`);
      print(`${isDry ? 'Would import' : 'Imported'} ${[total('added'), ...parts].join(', ')}.`);
      if (!isDry) return;
      const order = Object.keys(verbs);
      const rows = [...counts.values()].toSorted(
        (one, other) => order.indexOf(one.done) - order.indexOf(other.done) || other.count - one.count,
      );
      printTable(
        ['WOULD', things.toUpperCase(), 'WHY'],
        rows.map(({ done, why, count }) => [verbs[done], String(count), why]),
      );
    },
    close: sink.close,
  };
}

const verbs = { added: 'import', updated: 'update', unchanged: 'not change', skipped: 'skip', refused: 'refuse' };

type Sink = { write(result: Result): void; close(): void };

/** Shows the first refused and the first skipped lines on standard error, and new ids on standard output. */
function createTerminalSink(): Sink {
  const shown = { refused: 0, skipped: 0 };
  return {
    write({ entry: { kind, number, file }, name, done, reasons = [], more }) {
      const where = `${file === undefined ? '' : `${file} `}${kind} ${number}${name === undefined ? '' : ` (${name})`}`;
      if (more)
        print(
          `${where}: ${Object.entries(more)
            .map(([member, value]) => `${member} ${value}`)
            .join(', ')}`,
        );
      if (done !== 'refused' && done !== 'skipped') return;
      shown[done] += 1;
      if (shown[done] <= SHOWN) printError(`${where}: ${done === 'skipped' ? 'skipped: ' : ''}${reasons.join(' ')}`);
      if (shown[done] === SHOWN + 1) printError(`More lines were ${done}. To get all of them, add --report FILE.`);
    },
    close: () => {},
  };
}

/** Writes one JSON object a line to a file that only its owner can read. */
function createFileSink(given: string, sources: readonly string[], nameMember: string): Sink {
  const file = openReportFile(given, sources);
  return {
    write({ entry: { kind, number, file: source }, name, done, reasons, more }) {
      const line = {
        ...(source !== undefined && { file: source }),
        [kind]: number,
        ...(name !== undefined && { [nameMember]: name }),
        ...(done === 'skipped' ? { skipped: reasons?.join(' ') } : reasons && { reasons }),
        ...more,
      };
      writeSync(file, `${JSON.stringify(line)}\n`);
    },
    close: () => closeSync(file),
  };
}

function openReportFile(given: string, sources: readonly string[]): number {
  const report = fromCaller(given);
  try {
    const file = openSync(report, 'a', 0o600);
    if (!sources.some((source) => realpathSync(report) === realpathSync(source))) {
      const found = fstatSync(file);
      if (found.isFile()) {
        // A file that exists keeps its mode when it is opened.
        if (found.mode & 0o077) fchmodSync(file, 0o600);
        ftruncateSync(file);
      }
      return file;
    }
    closeSync(file);
  } catch (error) {
    const code = errorCodeOf(error);
    const advice =
      code === 'EPERM'
        ? 'it is the file of another user, and others can read it. Choose another name, or delete it'
        : 'check the path and its permissions';
    throw new CommandFailure(`Cannot write the report ${given} (${code}): ${advice}.`);
  }
  throw new CommandFailure('The report would overwrite the imported file: choose another name.');
}
