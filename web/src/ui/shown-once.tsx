// A secret that is shown once, or the lines with it, to be copied. Only its button closes the dialog around it,
// or leaves the page.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { CodeBlock } from './code-block.tsx';
import { useCopy } from './use-copy.ts';
import { useWarningBeforeLeaving } from './use-warning-before-leaving.ts';

/** @param props.children what to do with it. */
export function ShownOnce(props: {
  value: string;
  texts: Readonly<Record<'reason' | 'label' | 'copy' | 'copied' | 'done', string>>;
  isCode?: boolean;
  onDone: () => void;
  children?: ReactNode;
}) {
  const { value, texts, isCode = false, onDone, children } = props;
  const { copy, isCopied } = useCopy(value);
  const field = useRef<HTMLInputElement>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const isDone = useRef(false);
  // "Back" does not leave the page. What the button does may.
  useBlocker(() => !isDone.current);
  useWarningBeforeLeaving();
  const finish = () => {
    isDone.current = true;
    onDone();
  };
  // The button that had the focus is gone.
  useEffect(() => (field.current ?? buttons.current?.querySelector('button'))?.focus(), []);
  return (
    <Stack gap="md">
      <Text size="sm">{texts.reason}</Text>
      {isCode ? (
        <CodeBlock text={value} />
      ) : (
        <TextInput
          ref={field}
          label={texts.label}
          value={value}
          readOnly
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
      {children}
      <Group justify="flex-end" className="dialog-buttons" ref={buttons}>
        <Text size="sm" role="status">
          {isCopied && texts.copied}
        </Text>
        {copy && (
          <Button variant="default" onClick={copy}>
            {texts.copy}
          </Button>
        )}
        <Button onClick={finish}>{texts.done}</Button>
      </Group>
    </Stack>
  );
}
