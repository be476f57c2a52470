// The export of the entries that match, with its progress and a way to cancel it.
import { Alert, Button, Group, Loader, Menu, Progress, Stack, Text } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { download, openFile } from '../../ui/download.ts';
import { useNotify } from '../../ui/notify.tsx';
import { InputError } from '../../ui/problem.ts';
import { words } from '../../words/index.ts';
import { type Filter, toFilters, toPeriod } from './audit-search.ts';

const formats = ['csv', 'jsonl'] as const;
type Format = (typeof formats)[number];

type Progressed = { readonly lines: number } | { readonly failure: string };

const format = (count: number) => count.toLocaleString(document.documentElement.lang);

/** @param props.total how many entries match; `undefined` if the service has not counted them all. */
export function ExportMenu({ filter, total }: { filter: Filter; total: number | undefined }) {
  const { export: texts } = words.audit;
  const notify = useNotify();
  const [progress, setProgress] = useState<Progressed>();
  const running = useRef<AbortController>(undefined);
  const opener = useRef<HTMLButtonElement>(null);
  const wasShown = useRef(false);
  const isShown = progress !== undefined;
  // The item of the menu that opened the dialog is gone.
  useEffect(() => {
    if (wasShown.current && !isShown) opener.current?.focus();
    wasShown.current = isShown;
  }, [isShown]);
  const close = () => {
    if (progress && 'lines' in progress) notify(texts.cancelled);
    running.current?.abort();
    setProgress(undefined);
  };

  async function run(chosen: Format) {
    const target = await openFile(`audit-trail.${chosen}`);
    if (!target) return;
    const controller = new AbortController();
    running.current = controller;
    let done = 0;
    setProgress({ lines: 0 });
    try {
      await download('Audit/Export', toQuery(filter, chosen), {
        target,
        signal: controller.signal,
        onLines(lines) {
          // The first line of CSV has the names of the columns.
          done = chosen === 'csv' ? Math.max(0, lines - 1) : lines;
          setProgress({ lines: done });
        },
      });
      setProgress(undefined);
      notify(texts.done(done));
    } catch (error) {
      if (controller.signal.aborted) return;
      setProgress({ failure: error instanceof InputError ? error.message : texts.cut });
    }
  }

  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button ref={opener} variant="default" rightSection={<ChevronDown size={16} aria-hidden />}>
            {texts.open}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {formats.map((one) => (
            <Menu.Item key={one} onClick={() => void run(one)}>
              {texts[one]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Dialog isOpen={isShown} onClose={close} title={texts.title}>
        <Stack>
          {progress && 'failure' in progress && (
            <Alert color="red" variant="light" role="alert">
              {progress.failure}
            </Alert>
          )}
          {progress && 'lines' in progress && <Running lines={progress.lines} total={total} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {progress && 'failure' in progress ? words.common.close : words.common.cancel}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}

function Running({ lines, total }: { lines: number; total: number | undefined }) {
  const { export: texts } = words.audit;
  return (
    <>
      <Text size="sm">{texts.reason}</Text>
      {total === undefined ? (
        <Group gap="sm">
          <Loader size="sm" aria-hidden />
          <Text size="sm">{texts.running(format(lines))}</Text>
        </Group>
      ) : (
        <>
          <Progress value={Math.min(100, (100 * lines) / Math.max(1, total))} aria-label={texts.title} />
          <Text size="sm">{texts.of(format(lines), format(Math.max(lines, total)))}</Text>
        </>
      )}
    </>
  );
}

function toQuery(filter: Filter, chosen: Format): Record<string, string> {
  const given = { format: chosen, ...toFilters(filter), ...toPeriod(filter, Date.now()) };
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
}
