// The page that imports users: choose a file and its columns, check it, create the accounts, and keep the report.
import { FileInput, Paper, Stack, Text } from '@mantine/core';
import { guessMapping, type Mapping } from 'latchkey-user-files/members';
import { useRef, useState } from 'react';
import { Page } from '../../../ui/page.tsx';
import { describeProblem } from '../../../ui/problem.ts';
import { words } from '../../../words/more.ts';
import { useListPath } from '../user.ts';
import { type FileFault, type ImportFile, MOST_MEGABYTES, readImportFile } from './file.ts';
import { MappingStep } from './mapping-step.tsx';
import { RunStep } from './run-step.tsx';

type Chosen = { readonly file: ImportFile; readonly mapping: Mapping };

export function ImportPage() {
  const { imports: texts, title } = words.users;
  const listPath = useListPath();
  const [chosen, setChosen] = useState<Chosen>();
  const [isMapped, setMapped] = useState(false);
  const restart = () => {
    setChosen(undefined);
    setMapped(false);
  };
  return (
    <Page title={texts.title} trail={[{ path: listPath, label: title }]}>
      <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
        {!chosen && <ChooseFile onChosen={(file) => setChosen({ file, mapping: guessMapping(file.columns) })} />}
        {chosen && !isMapped && (
          <MappingStep
            {...chosen}
            onChange={(mapping) => setChosen({ ...chosen, mapping })}
            onDone={() => setMapped(true)}
            onBack={restart}
          />
        )}
        {chosen && isMapped && <RunStep {...chosen} onChange={() => setMapped(false)} onRestart={restart} />}
      </Paper>
    </Page>
  );
}

function ChooseFile({ onChosen }: { onChosen: (file: ImportFile) => void }) {
  const { imports: texts } = words.users;
  const [error, setError] = useState<string>();
  const [isReading, setReading] = useState(false);
  const reset = useRef<() => void>(null);

  async function read(file: File | null) {
    if (!file) return;
    setReading(true);
    try {
      const found = await readImportFile(file);
      if (!('fault' in found)) return onChosen(found);
      setError(describeFault(found));
    } catch (failure) {
      // Such as a file that was moved, or a part of this page that could not be loaded.
      setError(describeProblem(failure).message);
    } finally {
      setReading(false);
      // The same file can be chosen again when it is corrected.
      reset.current?.();
    }
  }

  return (
    <Stack maw={560}>
      <Text size="sm">{texts.about}</Text>
      <FileInput
        label={texts.file}
        description={texts.limits(MOST_MEGABYTES)}
        placeholder={texts.choose}
        accept=".csv,.json,.jsonl,.ndjson,.txt,text/csv,application/json"
        resetRef={reset}
        onChange={read}
        error={error}
        disabled={isReading}
      />
    </Stack>
  );
}

function describeFault(found: FileFault): string {
  const { faults } = words.users.imports;
  if (found.fault === 'repeated') return faults.repeated(found.columns);
  return found.fault === 'tooLarge' ? faults.tooLarge(MOST_MEGABYTES) : faults[found.fault];
}
