// A button that copies a value, such as an id. It tells that it has copied, also to a screen reader.
import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { words } from '../words/index.ts';

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** Browsers give the clipboard to secure contexts only: elsewhere there is no button. @param props.label what the value is. */
export function CopyValue({ value, label }: { value: string; label: string }) {
  if (!isSecureContext) return null;
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => {
        const text = copied ? words.copy.copied : words.copy.copy(label);
        return (
          <Tooltip label={text}>
            <ActionIcon className="copy" variant="subtle" color="gray" size={24} onClick={copy} aria-label={text}>
              {copied ? <Check {...ICON} /> : <Copy {...ICON} />}
            </ActionIcon>
          </Tooltip>
        );
      }}
    </CopyButton>
  );
}
