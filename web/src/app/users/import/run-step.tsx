// The last steps of an import: checks all rows, creates the accounts, and tells what became of each row.
import { Alert, Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { guard } from 'latchkey-user-files/formulas';
import type { Mapping } from 'latchkey-user-files/members';
import Papa from 'papaparse';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { saveFile } from '../../../ui/download.ts';
import { describeProblem, type Problem } from '../../../ui/problem.ts';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { type Column, Records } from '../../../ui/records.tsx';
import { words } from '../../../words/all.ts';
import { rolesKey } from '../../roles/role.ts';
import { UnsavedGuard } from '../../settings/unsaved-guard.tsx';
import { usersKey } from '../user.ts';
import { Brought } from './brought.tsx';
import type { ImportFile } from './file.ts';
import { type Consent, createImportRun, fullConsent, type ImportRun, isHeldBack, type RowResult } from './run.ts';

/** Rows that the page shows. The report has all. */
const SHOWN = 50;

type Props = { file: ImportFile; mapping: Mapping; onChange: () => void; onRestart: () => void };

type State = 'running' | 'stopped' | 'failed' | 'finished';

/** Runs a check or an import, and keeps its results. */
function useRun(create: (isCheck: boolean) => ImportRun) {
  const [isCheck, setCheck] = useState(true);
  const [state, setState] = useState<State>('running');
  const [results, setResults] = useState<readonly RowResult[]>([]);
  const [problem, setProblem] = useState<Problem>();
  const run = useRef<ImportRun>(undefined);
  const turn = useRef(0);

  // Leaving the page stops the run.
  useEffect(
    () => () => {
      turn.current += 1;
    },
    [],
  );

  const proceed = useCallback(async () => {
    turn.current += 1;
    const own = turn.current;
    setProblem(undefined);
    setState('running');
    try {
      while (own === turn.current) {
        const found = await run.current?.next();
        if (!found || found.length === 0) break;
        setResults((before) => [...before, ...found]);
      }
      if (own === turn.current) setState('finished');
    } catch (error) {
      if (own !== turn.current) return;
      setProblem(describeProblem(error));
      setState('failed');
    }
  }, []);

  const begin = (check: boolean) => {
    run.current = create(check);
    setCheck(check);
    setResults([]);
    return proceed();
  };
  const stop = () => {
    turn.current += 1;
    setState('stopped');
  };
  return { isCheck, state, results, problem, begin, proceed, stop };
}

export function RunStep({ file, mapping, onChange, onRestart }: Props) {
  const { imports: texts } = words.users;
  const queries = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  const [consent, setConsent] = useState<Consent>({ allowNewRoles: false, allowAdministrators: false });
  // The check tells what the consent is about.
  const run = useRun((isCheck) =>
    createImportRun(file.rows, mapping, { isCheck, consent: isCheck ? fullConsent : consent }),
  );
  const { isCheck, state, results, problem } = run;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the check begins once, when the step is shown.
  useEffect(() => void run.begin(true), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves to the new state.
  useEffect(() => heading.current?.focus(), [state, isCheck]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: lists are read again when the import has ended.
  useEffect(() => {
    if (isCheck || state === 'running') return;
    for (const queryKey of [usersKey, rolesKey]) void queries.invalidateQueries({ queryKey });
  }, [state, isCheck]);

  // What an import has created is in its report alone.
  const isReportAtRisk = !isCheck && state !== 'finished' && (state !== 'failed' || results.length > 0);
  const addable = results.filter(({ outcome }) => outcome === 'added');
  const allowed = addable.filter((result) => !isHeldBack(result, consent)).length;
  const titles: Readonly<Record<State, string>> = {
    running: isCheck ? texts.checking : texts.importing,
    stopped: texts.stopped,
    failed: isCheck ? texts.checking : texts.importing,
    finished: isCheck ? texts.checked : texts.finished,
  };
  return (
    <Stack>
      <UnsavedGuard isDirty={isReportAtRisk} texts={words.settings.unsaved.duringImport} hasResult />
      <Title order={2} size="h4" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
        {titles[state]}
      </Title>
      {state !== 'finished' && (
        <>
          <Progress value={(100 * results.length) / file.rows.length} aria-label={titles.running} />
          <Text size="sm" role="status">
            {texts.progress(results.length, file.rows.length)}
          </Text>
        </>
      )}
      <ProblemNotice problem={problem} />
      {state !== 'running' && <Counts file={file} results={results} isCheck={isCheck} />}
      {state === 'finished' && isCheck && <Brought results={addable} consent={consent} onChange={setConsent} />}
      {state !== 'running' && <Problems results={results} />}
      <Group justify="flex-end">
        {state === 'running' && (
          <Button variant="default" onClick={run.stop}>
            {texts.stop}
          </Button>
        )}
        {state !== 'running' && !isReportAtRisk && (
          <Button variant="default" onClick={onRestart}>
            {texts.another}
          </Button>
        )}
        {state !== 'running' && isCheck && (
          <Button variant="default" onClick={onChange}>
            {texts.change}
          </Button>
        )}
        {state !== 'running' && results.length > 0 && (
          <Button variant="default" onClick={() => saveReport(results, isCheck)}>
            {texts.report}
          </Button>
        )}
        {(state === 'stopped' || state === 'failed') && <Button onClick={run.proceed}>{texts.resume}</Button>}
        {state === 'finished' && isCheck && addable.length > 0 && (
          <Button onClick={() => run.begin(false)} disabled={allowed === 0}>
            {texts.start(allowed)}
          </Button>
        )}
        {state === 'finished' && !isCheck && (
          <Button component={Link} to="/users?sort=creationTime+desc">
            {texts.show}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

type CountsProps = { file: ImportFile; results: readonly RowResult[]; isCheck: boolean };

function Counts({ file, results, isCheck }: CountsProps) {
  const { counts, morePages } = words.users.imports;
  const count = (outcome: RowResult['outcome']) => results.filter((one) => one.outcome === outcome).length;
  const [added, skipped, refused] = [count('added'), count('skipped'), count('refused')];
  return (
    <Alert color={refused > 0 || file.hasMorePages ? 'orange' : 'green'} variant="light" role="status">
      <Text size="sm">{isCheck ? counts.wouldAdd(added) : counts.added(added)}</Text>
      {skipped > 0 && <Text size="sm">{counts.skipped(skipped)}</Text>}
      {refused > 0 && <Text size="sm">{counts.refused(refused)}</Text>}
      {file.hasMorePages && <Text size="sm">{morePages}</Text>}
    </Alert>
  );
}

function Problems({ results }: { results: readonly RowResult[] }) {
  const { imports: texts } = words.users;
  const found = results.filter(({ outcome }) => outcome !== 'added');
  if (found.length === 0) return null;
  const columns: readonly Column<RowResult>[] = [
    { key: 'user', label: texts.user, width: 25, isLead: true, cell: ({ userName }) => <b>{userName}</b> },
    {
      key: 'row',
      label: texts.row,
      width: 10,
      cell: ({ row }) => toText(row.toLocaleString(document.documentElement.lang)),
    },
    { key: 'outcome', label: texts.outcome, width: 15, cell: ({ outcome }) => toText(texts.outcomes[outcome]) },
    { key: 'reason', label: texts.reason, width: 50, cell: ({ why }) => toText(why) },
  ];
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {texts.problems}
      </Title>
      {found.length > SHOWN && <Text size="sm">{texts.shown(SHOWN, found.length)}</Text>}
      <Records
        label={texts.problems}
        columns={columns}
        records={found.slice(0, SHOWN)}
        keyOf={({ row }) => String(row)}
      />
    </Stack>
  );
}

const toText = (text: string) => <Text size="sm">{text}</Text>;

/** Saves a CSV file with one row for each row of the file. */
function saveReport(results: readonly RowResult[], isCheck: boolean): void {
  const { imports: texts } = words.users;
  const outcomes = { ...texts.outcomes, ...(isCheck && { added: texts.addable }) };
  const fields = ['row', 'userName', 'outcome', 'userId', 'reason'];
  const data = results.map(({ row, userName, outcome, userId, why }) => [
    row,
    guard(userName),
    outcomes[outcome],
    userId ?? '',
    guard(why),
  ]);
  const text = Papa.unparse({ fields, data });
  saveFile(new Blob(['\ufeff', text], { type: 'text/csv' }), 'import-report.csv');
}
