// The export of what a list finds: the choice of a format, the progress, and a way to cancel it.
import { Alert, Button, Group, Loader, Menu, Progress, Stack, Text } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { words } from '../words/index.ts';
import { Dialog } from './dialog.tsx';
import { download, openFile } from './download.ts';
import { useNotify } from './notify.tsx';
import { InputError } from './problem.ts';

const formats = ['csv', 'jsonl'] as const;
type Format = (typeof formats)[number];

type Texts = Readonly<Record<Format, string>> & {
  readonly open: string;
  readonly title: string;
  /** What the file has. */
  readonly reason?: string;
  /** @param total `undefined` if it is not known. */
  readonly running: (done: number, total: number | undefined) => string;
  readonly done: (count: number) => string;
  /** The file is not complete. */
  readonly failed: string;
  readonly cancelled: string;
};

type Progressed = { readonly records: number } | { readonly failure: string };

/**
 * @param props.call the path of the call below `/api/services/app/`.
 * @param props.query what the list finds, without the format.
 * @param props.fileName the name of the file, without its ending.
 * @param props.total how many records the list has found; `undefined` if the service has not counted them all.
 */
export function ExportMenu(props: {
  call: string;
  query: Readonly<Record<string, string>>;
  fileName: string;
  total: number | undefined;
  texts: Texts;
}) {
  const { call, query, fileName, total, texts } = props;
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
  const failure = progress && 'failure' in progress ? progress.failure : undefined;
  const close = () => {
    if (progress && 'records' in progress) notify(texts.cancelled);
    running.current?.abort();
    setProgress(undefined);
  };

  async function run(format: Format) {
    const target = await openFile(`${fileName}.${format}`);
    if (!target) return;
    const controller = new AbortController();
    running.current = controller;
    let done = 0;
    setProgress({ records: 0 });
    try {
      await download(
        call,
        { format, ...query },
        {
          target,
          signal: controller.signal,
          onLines(lines) {
            // The first line of CSV has the names of the columns.
            done = format === 'csv' ? Math.max(0, lines - 1) : lines;
            setProgress({ records: done });
          },
        },
      );
      setProgress(undefined);
      notify(texts.done(done));
    } catch (error) {
      if (controller.signal.aborted) return;
      setProgress({ failure: error instanceof InputError ? error.message : texts.failed });
    }
  }

  return (
    <>
      <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            ref={opener}
            variant="default"
            px={{ base: 'sm', sm: 'lg' }}
            rightSection={<ChevronDown size={16} aria-hidden />}
          >
            {texts.open}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {formats.map((format) => (
            <Menu.Item key={format} onClick={() => void run(format)}>
              {texts[format]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Dialog isOpen={isShown} onClose={close} title={texts.title}>
        <Stack>
          {failure !== undefined && (
            <Alert color="red" variant="light" role="alert">
              {failure}
            </Alert>
          )}
          {progress && 'records' in progress && <Running records={progress.records} total={total} texts={texts} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {failure === undefined ? words.common.cancel : words.common.close}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}

function Running({ records, total, texts }: { records: number; total: number | undefined; texts: Texts }) {
  return (
    <>
      {texts.reason !== undefined && <Text size="sm">{texts.reason}</Text>}
      {total === undefined ? (
        <Group gap="sm">
          <Loader size="sm" aria-hidden />
          <Text size="sm">{texts.running(records, undefined)}</Text>
        </Group>
      ) : (
        <>
          <Progress value={Math.min(100, (100 * records) / Math.max(1, total))} aria-label={texts.title} />
          <Text size="sm">{texts.running(records, Math.max(records, total))}</Text>
        </>
      )}
    </>
  );
}
