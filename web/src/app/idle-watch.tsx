// Shows the dialog before automatic log-off. The dialog loads some time after the page: the first view does not need it.
import { Suspense, useEffect, useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { Boundary } from '../ui/part.ts';
import { words } from '../words/index.ts';
import { lazyPart } from './lazy-part.ts';

/** Screen readers announce the time left at these seconds, not at each second. */
const SPOKEN_AT = [60, 30, 10];

/** Time in milliseconds after which the dialog loads, long before the shortest time without activity ends. */
const LOADED_AFTER_MS = 20_000;

const load = () => import('./idle-dialog.tsx');

const IdleDialog = lazyPart(async () => (await load()).IdleDialog);

export function IdleWatch({ signOut }: { signOut: () => void }) {
  const [secondsLeft, setSecondsLeft] = useState<number | null>(null);
  const [spoken, setSpoken] = useState('');
  const [isWanted, setWanted] = useState(false);
  useEffect(
    () =>
      latchkey.onIdle((seconds) => {
        setSecondsLeft(seconds);
        if (seconds === null) setSpoken('');
        else {
          setWanted(true);
          if (SPOKEN_AT.includes(seconds)) setSpoken(words.idle.text(seconds));
        }
      }),
    [],
  );
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => {}), LOADED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isWanted) return null;
  return (
    // Without a connection, the tab cannot stay signed in anyway.
    <Boundary fallback={() => null}>
      <Suspense fallback={null}>
        <IdleDialog secondsLeft={secondsLeft} spoken={spoken} signOut={signOut} />
      </Suspense>
    </Boundary>
  );
}
