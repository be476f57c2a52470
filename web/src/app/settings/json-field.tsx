// The field for a value without a simpler field: JSON as text.
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { words } from '../../words/all.ts';

/** While the text is not valid JSON, the value is `undefined`. */
export function JsonField(props: {
  common: { name: string; label: string; description: string | undefined; error: string | undefined };
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const { common, value, onChange } = props;
  const [text, setText] = useState<string>();
  const shown = value === undefined ? (text ?? '') : isOf(text, value) ? text : JSON.stringify(value, null, 2);
  return (
    <Textarea
      {...common}
      autosize
      minRows={3}
      maxRows={16}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      error={common.error ?? (value === undefined && words.settings.noJson)}
      value={shown}
      onChange={(event) => {
        setText(event.currentTarget.value);
        onChange(parse(event.currentTarget.value));
      }}
    />
  );
}

const isOf = (text: string | undefined, value: unknown) =>
  text !== undefined && JSON.stringify(parse(text)) === JSON.stringify(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
