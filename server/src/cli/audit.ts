// latchkey audit: verifies the chain over the trail, and exports the trail with its chain.
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Verdict } from '../audit/index.ts';
import { errorCodeOf } from '../foundation/errors.ts';
import { CommandFailure, defineCommand } from './command.ts';
import { writeNewFile } from './new-file.ts';
import { print, printError, printProgress, toMoment } from './output.ts';
import { fromCaller } from './paths.ts';
import { withDatabase } from './service.ts';

const verify = defineCommand({
  name: 'audit verify',
  about:
    'Recompute the chain over the audit trail, or over an exported FILE, and name the first entry that does not fit.',
  takes: ['[FILE]'],
  options: {
    head: { type: 'string', value: 'HASH', about: 'The hash of an older head, which must be one of the chain.' },
  },
  async run({ head }, [file]) {
    const verdict = await (file === undefined ? verifyDatabase(head) : verifyFile(file, head));
    return report(verdict, head);
  },
});

const exportTrail = defineCommand({
  name: 'audit export',
  about: 'Write the audit trail with its chain as JSON lines to a new FILE, or to standard output.',
  takes: ['[FILE]'],
  options: {},
  async run(_, [file]) {
    const { exportChain, createChainSource } = await import('../audit/index.ts');
    await withDatabase(async (database) => {
      const pieces = Readable.from(exportChain(createChainSource(database)));
      if (file === undefined) await pipeline(pieces, process.stdout, { end: false });
      else {
        await writeNewFile(file, pieces);
        printProgress(`Wrote ${file}.`);
      }
    });
    return undefined;
  },
});

export const auditCommands = [verify, exportTrail];

async function verifyDatabase(head: string | undefined): Promise<Verdict> {
  const { createChainSource, verifyChain } = await import('../audit/index.ts');
  return withDatabase((database) => verifyChain(createChainSource(database), head));
}

async function verifyFile(file: string, head: string | undefined): Promise<Verdict> {
  const { readChain, verifyChain } = await import('../audit/index.ts');
  try {
    const opened = await open(fromCaller(file));
    return await verifyChain(readChain(opened.readLines()), head);
  } catch (error) {
    if (errorCodeOf(error)) throw new CommandFailure(`Cannot read ${file} (${errorCodeOf(error)}).`);
    throw error;
  }
}

/** @returns the exit code. */
function report({ misfit, hasHash, ...verdict }: Verdict, head: string | undefined): number {
  if (misfit) {
    const id = misfit.id === null ? '' : ` (id ${misfit.id})`;
    printError(`The chain is broken at entry ${misfit.sequence}${id}. ${misfit.why}`);
    return 1;
  }
  if (head !== undefined && !hasHash) {
    printError(`No entry has the hash ${head}. Entries were changed or removed, or retention has deleted that entry.`);
    return 1;
  }
  const { verified, erased, untold, first, last, waiting } = verdict;
  const from = first ? `${first.sequence} of ${toMoment(first.at)}` : 'none';
  print(`The chain fits: ${verified} entries from ${from}, ${erased} of them erased.`);
  if (untold > 0) print(`No entry tells the erasure of ${untold} of these: retention may have deleted it.`);
  print(`Its head is ${last.sequence} ${last.hash}`);
  if (waiting.since !== null)
    printProgress(
      `Not chained yet: ${waiting.count}, the oldest of ${toMoment(waiting.since)}. A running service does that.`,
    );
  return 0;
}
