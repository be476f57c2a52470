// The text of a message in the outbox: its links open, and its links and codes can be copied.
import { Anchor, Group, Text } from '@mantine/core';
import { Fragment } from 'react';
import { CopyValue } from '../../ui/copy-button.tsx';
import { words } from '../../words/more.ts';

const LINK = /(https?:\/\/[^\s<>"]+)/;

/** A code that a person types begins a line: digits alone in an e-mail, and before the text in an SMS. */
const CODE = /^[ \t]*(\d{4,10})(?=\s|$)/gm;

export function MessageText({ text }: { text: string }) {
  const { link, code } = words.outbox;
  // The odd parts are the links.
  const parts = text.split(LINK);
  const links = parts.filter((_, index) => index % 2 === 1);
  const codes = [...text.matchAll(CODE)].map(([, digits = '']) => digits);
  return (
    <>
      <Text mt="xs" size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text that never changes.
          <Fragment key={index}>
            {index % 2 === 1 ? (
              <Anchor href={part} target="_blank" rel="noreferrer" inherit underline="always">
                {part}
              </Anchor>
            ) : (
              part
            )}
          </Fragment>
        ))}
      </Text>
      {/* Browsers give the clipboard to secure contexts only. */}
      {isSecureContext && (
        <Group gap="md" mt="xs">
          {links.map((address) => (
            <Copied key={address} label={link} value={address} />
          ))}
          {codes.map((digits) => (
            <Copied key={digits} label={`${code} ${digits}`} value={digits} />
          ))}
        </Group>
      )}
    </>
  );
}

const Copied = ({ label, value }: { label: string; value: string }) => (
  <Group gap={4} wrap="nowrap">
    <Text size="xs" c="dimmed">
      {label}
    </Text>
    <CopyValue value={value} label={label} />
  </Group>
);
