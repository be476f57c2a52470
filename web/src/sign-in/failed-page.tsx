// The page in place of a sign-in page that could not be loaded. It is there already, and so has no components of Mantine.
import { PartFailure } from '../ui/part.ts';
import { useRecovery } from '../ui/recovery.ts';
import { words } from '../words/index.ts';

const reload = () => location.reload();

export function FailedPage({ error }: { error: unknown }) {
  const isLost = useRecovery(error, reload, true);
  const { unreachable, recovers, partMissing, unforeseen, retry } = words.common;
  const reason = error instanceof PartFailure ? partMissing : unforeseen;
  return (
    <main style={{ maxWidth: 440, margin: '64px auto', padding: 16 }}>
      <h1>{words.signIn.title}</h1>
      <p role="alert">{isLost ? `${unreachable} ${recovers}` : reason}</p>
      <button type="button" onClick={reload}>
        {retry}
      </button>
    </main>
  );
}
