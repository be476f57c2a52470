// The place of the command palette: a field that takes what is typed until the palette is loaded and has the focus.
import { TextInput } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useFocusReturn } from '../ui/focus-return.ts';
import { words } from '../words/index.ts';
import { lazyPart } from './lazy-part.ts';
import { Floating, type OnDemand, Part } from './on-demand.tsx';

const CommandPalette = lazyPart(async () => (await import('./command-palette.tsx')).CommandPalette);

export function Palette({ palette }: { palette: OnDemand }) {
  const { isOpen, close } = palette;
  const [query, setQuery] = useState('');
  const [isReady, setReady] = useState(false);
  useFocusReturn(isOpen);
  useEffect(() => {
    if (!isOpen) setReady(false);
  }, [isOpen]);
  const isWaiting = isOpen && !isReady;
  if (!palette.isWanted) return null;
  return (
    <Floating label={words.shell.search.open} isShown={isWaiting} onClose={close}>
      {isWaiting && <Field query={query} onQuery={setQuery} />}
      <Part part={palette} frame={(reason) => reason}>
        <CommandPalette
          isOpen={isOpen}
          onClose={close}
          query={query}
          onQuery={setQuery}
          onReady={() => setReady(true)}
        />
      </Part>
    </Floating>
  );
}

function Field({ query, onQuery }: { query: string; onQuery: (query: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const { open, placeholder } = words.shell.search;
  return (
    <TextInput
      ref={field}
      size="md"
      aria-label={open}
      placeholder={placeholder}
      value={query}
      onChange={({ currentTarget }) => onQuery(currentTarget.value)}
    />
  );
}
