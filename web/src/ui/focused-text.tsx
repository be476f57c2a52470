// A text in place of what had the focus. It takes the focus, so that screen readers read it.
import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';

export function FocusedText({ text }: { text: string }) {
  const shown = useRef<HTMLParagraphElement>(null);
  useEffect(() => shown.current?.focus(), []);
  return (
    <Text ref={shown} tabIndex={-1} size="sm" style={{ outline: 'none' }}>
      {text}
    </Text>
  );
}
