// A secret that is shown once, to be copied. Only its button closes the dialog around it.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

export function ShownOnce(props: {
  value: string;
  texts: Readonly<Record<'reason' | 'label' | 'copy' | 'copied' | 'done', string>>;
  onDone: () => void;
}) {
  const { value, texts, onDone } = props;
  const [isCopied, setCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // The button that had the focus is gone.
  useEffect(() => field.current?.focus(), []);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
  };
  return (
    <Stack gap="md">
      <Text size="sm">{texts.reason}</Text>
      <TextInput
        ref={field}
        label={texts.label}
        value={value}
        readOnly
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group justify="flex-end">
        <Text size="sm" role="status">
          {isCopied && texts.copied}
        </Text>
        {/* Browsers give the clipboard to secure contexts only. */}
        {isSecureContext && (
          <Button variant="default" onClick={() => copy().catch(() => {})}>
            {texts.copy}
          </Button>
        )}
        <Button onClick={onDone}>{texts.done}</Button>
      </Group>
    </Stack>
  );
}
