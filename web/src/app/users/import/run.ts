// The run of an import: sends the rows in bounded calls, one after the other, and collects what became of each.
import type { Calls } from 'latchkey-sdk';
import type { Problem } from 'latchkey-user-files';
import type { Mapping } from 'latchkey-user-files/members';
import { latchkey } from '../../../api/latchkey.ts';
import { describeMessage, describeReason } from '../../../ui/problem.ts';
import { translate, words } from '../../../words/more.ts';
import type { Row } from './file.ts';
import { toAccount } from './members.ts';

/** Rows of one call. The service takes no more. */
const MOST_ROWS = 100;

/** In characters of JSON. The service takes 64 KiB, and a character may have three bytes. */
const MOST_CHARACTERS = 20_000;

/** What became of a row, or in a check would become of it. `why` is empty for an account that was created. */
export type RowResult = {
  readonly row: number;
  readonly userName: string;
  readonly outcome: 'added' | 'skipped' | 'refused';
  readonly userId: number | null;
  readonly why: string;
  /** What the row brings besides an account. */
  readonly newRoles: readonly string[];
  readonly isAdministrator: boolean;
};

/** What the administrator agrees to, besides accounts. */
export type Consent = { readonly allowNewRoles: boolean; readonly allowAdministrators: boolean };

export const fullConsent: Consent = { allowNewRoles: true, allowAdministrators: true };

/** Whether the service would refuse the row without more consent. */
export const isHeldBack = ({ newRoles, isAdministrator }: RowResult, consent: Consent): boolean =>
  (newRoles.length > 0 && !consent.allowNewRoles) || (isAdministrator && !consent.allowAdministrators);

type Answer = Calls['User/Import']['result']['items'][number];

/** A row as the call takes it. */
type Line = { readonly row: number; readonly line: string };

export type ImportRun = {
  /** Sends the next rows. @returns their results; none when all rows are sent. */
  next(): Promise<readonly RowResult[]>;
};

/** @param isCheck whether the service only checks the rows. */
export function createImportRun(
  rows: readonly Row[],
  mapping: Mapping,
  { isCheck, consent }: { isCheck: boolean; consent: Consent },
): ImportRun {
  let position = 0;
  /** The row that has a name or address first: the check of the service does not compare rows. */
  const holders = new Map<string, number>();

  /** Returns the rows of one call, and those that are no JSON object. */
  function take(): { lines: Line[]; results: RowResult[]; end: number } {
    const [lines, results]: [Line[], RowResult[]] = [[], []];
    let [end, length] = [position, 0];
    while (end < rows.length && lines.length < MOST_ROWS) {
      const row = rows[end];
      if (!row) break;
      const line = 'values' in row ? JSON.stringify(toAccount(row.values, mapping)) : '';
      if ('problem' in row) results.push(refuse(row.number, '', describeUnread(row.problem)));
      else if ('skipped' in row)
        results.push({ ...refuse(row.number, row.userName ?? '', describeSkip(row.skipped)), outcome: 'skipped' });
      else if (length + line.length > MOST_CHARACTERS && lines.length > 0) break;
      else {
        lines.push({ row: row.number, line });
        length += line.length;
      }
      end += 1;
    }
    return { lines, results, end };
  }

  function toResult({ row }: Line, answer: Answer): RowResult {
    const { outcome, userId, userName, reason, messages, keys, newRoles, isAdministrator } = answer;
    const named = { row, userName: userName ?? '', userId, newRoles, isAdministrator };
    if (outcome === 'refused') return { ...named, outcome, why: describeRefusal(reason, messages) };
    if (outcome === 'skipped') {
      const [why = ''] = messages;
      return { ...named, outcome, why: describeSkip(why) };
    }
    const holder = keys.map((key) => holders.get(key)).find((found) => found !== undefined);
    if (holder !== undefined) return refuse(row, named.userName, words.users.imports.repeated(holder));
    for (const key of keys) holders.set(key, row);
    return { ...named, outcome: 'added', why: '' };
  }

  async function send(): Promise<readonly RowResult[]> {
    const { lines, results, end } = take();
    if (lines.length > 0) {
      const given = { lines: lines.map(({ line }) => line), dryRun: isCheck, ...consent };
      const { items } = await latchkey.call('User/Import', given);
      for (const [index, line] of lines.entries()) {
        const answer = items[index];
        if (answer) results.push(toResult(line, answer));
      }
    }
    position = end;
    return results.toSorted((one, other) => one.row - other.row);
  }

  let sending: Promise<unknown> = Promise.resolve();
  return {
    next() {
      // After "Stop" and "Continue", the call before may still be under way.
      const sent = sending.then(send);
      sending = sent.catch(() => {});
      return sent;
    },
  };
}

const refuse = (row: number, userName: string, why: string): RowResult => ({
  row,
  userName,
  outcome: 'refused',
  userId: null,
  why,
  newRoles: [],
  isAdministrator: false,
});

/** Returns why a row is no person to import. */
function describeSkip(why: string): string {
  const known: Readonly<Record<string, string>> = words.users.imports.skippedWhy;
  return known[why] ?? why;
}

/** Returns why a row cannot be read. */
function describeUnread(problem: Problem): string {
  const { unreadable } = words.users.imports;
  if (problem.why === 'repeated') return unreadable.repeated(problem.names);
  return problem.why === 'noUser' ? unreadable.noUser(problem.title) : unreadable[problem.why];
}

/** Returns why the service refused a row, in the reader's language where there is a translation. */
function describeRefusal(reason: string | null, messages: readonly string[]): string {
  const { members } = words.users.imports;
  const [only = '', ...others] = messages.map((message) =>
    describeMessage(message, (member) => translate(members, member)),
  );
  if (reason === null || reason === 'request.invalid' || others.length > 0) return [only, ...others].join(' ');
  return only === messages[0] ? describeReason(reason, only) : only;
}
