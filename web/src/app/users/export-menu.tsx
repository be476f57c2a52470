// The export of the accounts that the list finds, with its progress.
import { Alert, Button, Group, Menu, Progress, Stack, Text } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useRef, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { download, openFile } from '../../ui/download.ts';
import { useNotify } from '../../ui/notify.tsx';
import { InputError } from '../../ui/problem.ts';
import { words } from '../../words/index.ts';
import type { toFilter } from './user-search.ts';

const formats = ['csv', 'jsonl'] as const;
type Format = (typeof formats)[number];

/** @param props.total how many accounts the list has found. */
export function ExportMenu({ filter, total }: { filter: ReturnType<typeof toFilter>; total: number }) {
  const { exports: texts } = words.users;
  const notify = useNotify();
  const [lines, setLines] = useState<number>();
  const [failure, setFailure] = useState<string>();
  const abort = useRef<AbortController>(undefined);
  const close = () => {
    abort.current?.abort();
    setLines(undefined);
    setFailure(undefined);
  };

  async function run(format: Format) {
    const target = await openFile(`users.${format}`);
    if (!target) return;
    const controller = new AbortController();
    abort.current = controller;
    // The first line of CSV has the names of the columns.
    const count = (found: number) => Math.max(0, format === 'csv' ? found - 1 : found);
    let done = 0;
    setFailure(undefined);
    setLines(0);
    try {
      const query = { format, ...(filter.keyword && { keyword: filter.keyword }), ...toActive(filter.isActive) };
      await download('User/Export', query, {
        target,
        signal: controller.signal,
        onLines(found) {
          done = count(found);
          setLines(done);
        },
      });
      setLines(undefined);
      notify(texts.done(done));
    } catch (error) {
      if (controller.signal.aborted) return;
      setFailure(error instanceof InputError ? error.message : texts.failed);
    }
  }

  return (
    <>
      <Menu withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDown size={16} aria-hidden />}>
            {texts.open}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {formats.map((format) => (
            <Menu.Item key={format} onClick={() => run(format)}>
              {texts[format]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Dialog isOpen={lines !== undefined} onClose={close} title={texts.title}>
        <Stack>
          {failure ? (
            <Alert color="red" variant="light" role="alert">
              {failure}
            </Alert>
          ) : (
            <>
              <Progress value={(100 * (lines ?? 0)) / Math.max(1, total)} aria-label={texts.title} />
              <Text size="sm">{texts.running(lines ?? 0, total)}</Text>
            </>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {failure ? words.common.close : words.common.cancel}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}

const toActive = (isActive: boolean | undefined) => (isActive === undefined ? {} : { isActive: String(isActive) });
