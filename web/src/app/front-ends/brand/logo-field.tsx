// The logo of a brand: uploaded at once, and shown once the brand is saved.
import { Button, FileButton, Group, Input, Paper } from '@mantine/core';
import { useId, useRef } from 'react';
import { at } from '../../../api/base-path.ts';
import { latchkey } from '../../../api/latchkey.ts';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { useSubmit } from '../../../ui/use-submit.ts';
import { words } from '../../../words/all.ts';
import { pathOf } from './own-brand.ts';

/** Reads a file as base64. */
async function readBase64(file: File): Promise<string> {
  const reader = new FileReader();
  const read = Promise.withResolvers<string>();
  reader.onload = () => read.resolve(String(reader.result));
  reader.onerror = () => read.reject(reader.error);
  reader.readAsDataURL(file);
  return (await read.promise).replace(/^[^,]*,/, '');
}

/** The service refuses a larger body before it can say why. */
const MAX_BYTES = 200_000;

export function LogoField(props: {
  label: string;
  description: string;
  value: string;
  /** The background that the logo is for. */
  background: string;
  onChange: (value: string) => void;
}) {
  const { label, description, value, background, onChange } = props;
  const texts = words.brand.edit;
  const id = useId();
  const reset = useRef<() => void>(null);
  const { submit, isBusy, problem } = useSubmit(async (file: File) => {
    const content = await readBase64(
      file.size > MAX_BYTES ? new File([file.slice(0, MAX_BYTES + 1)], file.name) : file,
    );
    const { logo } = await latchkey.call('FrontEndApp/UploadLogo', { content });
    onChange(logo);
  });
  return (
    <Input.Wrapper label={label} description={description} labelElement="div" labelProps={{ id }}>
      {value !== '' && (
        <Paper withBorder p="sm" mt="xs" w="fit-content" bg={background}>
          <img src={at(pathOf(value) ?? '')} alt={label} height={44} style={{ maxWidth: '100%', display: 'block' }} />
        </Paper>
      )}
      <Group gap="xs" mt="xs" mb="sm" role="group" aria-labelledby={id}>
        <FileButton
          accept="image/png,image/svg+xml"
          resetRef={reset}
          onChange={(file) => {
            if (file) void submit(file);
            // The same file can be chosen again, such as after a fault.
            reset.current?.();
          }}
        >
          {(button) => (
            <Button {...button} size="xs" variant="default" loading={isBusy}>
              {value === '' ? texts.upload : texts.replace}
            </Button>
          )}
        </FileButton>
        {value !== '' && (
          <Button size="xs" variant="default" onClick={() => onChange('')}>
            {texts.remove}
          </Button>
        )}
      </Group>
      <ProblemNotice problem={problem} />
    </Input.Wrapper>
  );
}
