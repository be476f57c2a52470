// New recovery codes: shown once, to be downloaded, printed or copied. The page stays until the owner has stored them.
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useApplication } from '../ui/application.ts';
import { saveFile } from '../ui/download.ts';
import { FocusedText } from '../ui/focused-text.tsx';
import { useCopy } from '../ui/use-copy.ts';
import { useWarningBeforeLeaving } from '../ui/use-warning-before-leaving.ts';
import { words } from '../words/index.ts';
import './recovery-codes.css';

export function RecoveryCodes(props: { codes: readonly string[]; account: string; onDone: () => void }) {
  const { codes, account, onDone } = props;
  const texts = words.factors.codes;
  const { name: application } = useApplication();
  const [isStored, setStored] = useState(false);
  const { copy, isCopied } = useCopy(codes.join('\n'));
  const title = texts.fileTitle(account, application);
  useWarningBeforeLeaving();
  return (
    <Stack gap="md">
      <FocusedText text={texts.reason} />
      <div className="recovery-codes">
        <Text size="sm" fw={600} pb="xs">
          {title}
        </Text>
        <ul aria-label={texts.list} style={{ columns: '16rem', listStyle: 'none', margin: 0, padding: 0 }}>
          {codes.map((code) => (
            <Text key={code} component="li" ff="monospace" fz="sm" lh={1.9}>
              {code}
            </Text>
          ))}
        </ul>
      </div>
      <Group gap="xs">
        <Button variant="default" onClick={() => download(texts.fileName, [title, '', ...codes, '', texts.fileNote])}>
          {texts.download}
        </Button>
        <Button variant="default" onClick={() => print()}>
          {texts.print}
        </Button>
        {copy && (
          <Button variant="default" onClick={copy}>
            {texts.copy}
          </Button>
        )}
        <Text size="sm" role="status">
          {isCopied && texts.copied}
        </Text>
      </Group>
      <Checkbox label={texts.stored} checked={isStored} onChange={(event) => setStored(event.currentTarget.checked)} />
      <Group justify="flex-end">
        <Button disabled={!isStored} onClick={onDone}>
          {texts.done}
        </Button>
      </Group>
    </Stack>
  );
}

const download = (name: string, lines: readonly string[]) =>
  saveFile(new Blob([`${lines.join('\n')}\n`], { type: 'text/plain' }), name);
