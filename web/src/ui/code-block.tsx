// Code with a button that copies it.
import { ActionIcon, Box, Paper } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { words } from '../words/index.ts';
import { Scrollable } from './scrollable.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';

/** How long the button says that the code was copied. */
const COPIED_MS = 2000;

/** @param props.height the most that it takes, as CSS. Longer code scrolls. */
export function CodeBlock({ text, height }: { text: string; height?: string }) {
  return (
    <Paper
      withBorder
      pos="relative"
      lang="en"
      bg="light-dark(var(--mantine-color-gray-1), var(--mantine-color-dark-7))"
    >
      <Scrollable label={words.common.code} p="sm" pe={48} {...(height !== undefined && { mah: height })}>
        <Box component="pre" m={0} fz="sm" ff="monospace">
          <code>{text}</code>
        </Box>
      </Scrollable>
      {/* Browsers give the clipboard to secure contexts only. */}
      {isSecureContext && <CopyButton text={text} />}
    </Paper>
  );
}

function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <>
      <ActionIcon
        variant="default"
        pos="absolute"
        top={6}
        right={6}
        aria-label={words.common.copy}
        onClick={() => copy().catch(() => {})}
      >
        <Icon size={16} strokeWidth={1.75} aria-hidden />
      </ActionIcon>
      <VisuallyHidden role="status">{isCopied && words.common.copied}</VisuallyHidden>
    </>
  );
}
