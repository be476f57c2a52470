// Why an enrollment is over. The field that had the focus is gone: the text takes it, so that screen readers read it.
import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';

export function EnrollmentOver({ text }: { text: string }) {
  const shown = useRef<HTMLParagraphElement>(null);
  useEffect(() => shown.current?.focus(), []);
  return (
    <Text ref={shown} tabIndex={-1} size="sm" style={{ outline: 'none' }}>
      {text}
    </Text>
  );
}
