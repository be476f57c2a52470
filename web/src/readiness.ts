// Whether the service can do its work right now, as its readiness endpoint says.

/** `unready` answers but cannot work, for want of its database for instance; `unreachable` does not answer. */
type Readiness = 'ready' | 'unready' | 'unreachable';

const patienceMs = 5_000;

/** Asks `GET /health/ready` once. Never rejects. */
export async function askReadiness(): Promise<Readiness> {
  try {
    const answer = await fetch('/health/ready', { cache: 'no-store', signal: AbortSignal.timeout(patienceMs) });
    return answer.ok ? 'ready' : 'unready';
  } catch {
    return 'unreachable';
  }
}

/** The sentence that a reader sees. */
export function describe(readiness: Readiness): string {
  const sentences: Record<Readiness, string> = {
    ready: 'Ready: requests are served',
    unready: 'Not ready: the service runs but cannot serve requests; its log says why',
    unreachable: 'No answer: the service stopped or is not reachable',
  };
  return sentences[readiness];
}
