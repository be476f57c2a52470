// The place of the command palette: a field that takes what is typed until the palette is loaded and has the focus.
import { TextInput } from '@mantine/core';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useFocusReturn } from '../ui/focus-return.ts';
import { words } from '../words/index.ts';
import { lazyPart } from './lazy-part.ts';
import { Floating, type OnDemand, Part } from './on-demand.tsx';

const CommandPalette = lazyPart(async () => (await import('./command-palette.tsx')).CommandPalette);

export function Palette({ palette, signOut }: { palette: OnDemand; signOut: () => void }) {
  const { isOpen, close } = palette;
  const [query, setQuery] = useState('');
  const [isReady, setReady] = useState(false);
  /** Whether Enter was pressed before the palette had the results of what is typed. */
  const [isEntered, setEntered] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useFocusReturn(isOpen);
  useEffect(() => {
    if (isOpen) return;
    setReady(false);
    setEntered(false);
  }, [isOpen]);
  const type = (typed: string) => {
    setQuery(typed);
    setEntered(false);
  };
  const handOver = (loaded: HTMLInputElement) => {
    if (field.current) loaded.setSelectionRange(field.current.selectionStart, field.current.selectionEnd);
    setReady(true);
  };
  const isWaiting = isOpen && !isReady;
  if (!palette.isWanted) return null;
  return (
    <Floating label={words.shell.search.open} isShown={isWaiting} onClose={palette.dismiss}>
      {isWaiting && <Field field={field} query={query} onQuery={type} onEnter={() => setEntered(true)} />}
      <Part part={palette} frame={(reason) => reason}>
        <CommandPalette
          isOpen={isOpen}
          onClose={close}
          query={query}
          onQuery={type}
          onReady={handOver}
          isEntered={isReady && isEntered}
          onEntered={() => setEntered(false)}
          signOut={signOut}
        />
      </Part>
    </Floating>
  );
}

function Field(props: {
  field: RefObject<HTMLInputElement | null>;
  query: string;
  onQuery: (query: string) => void;
  onEnter: () => void;
}) {
  const { field, query, onQuery, onEnter } = props;
  useLayoutEffect(() => field.current?.focus(), [field]);
  const { open, placeholder } = words.shell.search;
  return (
    <TextInput
      ref={field}
      size="md"
      aria-label={open}
      placeholder={placeholder}
      value={query}
      onChange={({ currentTarget }) => onQuery(currentTarget.value)}
      // A key that is held down may have opened the palette.
      onKeyDown={({ key, repeat, nativeEvent }) => key === 'Enter' && !repeat && !nativeEvent.isComposing && onEnter()}
    />
  );
}
