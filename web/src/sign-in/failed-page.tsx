// The page in place of a sign-in page, or of a step of the sign-in, that could not be loaded. It is there already, and so has
// no components of Mantine.
import { PartFailure } from '../ui/part.ts';
import { useRecovery } from '../ui/recovery.ts';
import { words } from '../words/index.ts';

const reload = () => location.reload();

/**
 * Returns why the page or part has failed, and what tries again.
 * @param retry shows a part again without a reload, which would lose something. Any other failure ends with a reload.
 */
export function useFailure(error: unknown, retry?: () => void): [reason: string, again: () => void] {
  const isPart = error instanceof PartFailure;
  const again = (isPart && retry) || reload;
  const isLost = useRecovery(error, again, !retry);
  const { unreachable, recovers, partMissing, unforeseen } = words.common;
  return [isLost ? `${unreachable} ${recovers}` : isPart ? partMissing : unforeseen, again];
}

export function FailedPage({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const [reason, again] = useFailure(error, retry);
  return (
    <main style={{ maxWidth: 440, margin: '64px auto', padding: 16 }}>
      <h1>{words.signIn.title}</h1>
      <p role="alert">{reason}</p>
      <button type="button" onClick={again}>
        {words.common.retry}
      </button>
    </main>
  );
}
