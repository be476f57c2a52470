// Recovery: what an outage kept from loading loads by itself when the service answers again, and an upgraded page reloads.
import { isLatchkeyError } from 'latchkey-sdk';
import { useEffect, useRef, useState } from 'react';
import { at } from '../api/base-path.ts';
import { PartFailure } from './part.ts';

const POLL_MS = 5000;

/** Where this tab keeps the builds that it has reloaded. */
const RELOADED = 'latchkey::reloaded';

/** The file that has the first view. Its name changes with each build. */
const BUILD = import.meta.url;

/** Reloads the page after an upgrade: once for each build, so that a file that stays missing makes no loop. */
function reloadOnce(): void {
  try {
    const builds = sessionStorage.getItem(RELOADED)?.split(' ') ?? [];
    if (builds.includes(BUILD)) return;
    sessionStorage.setItem(RELOADED, [...builds, BUILD].join(' '));
    location.reload();
  } catch {
    // Without storage, nothing would end a loop.
  }
}

/** Whether the service answers, and a proxy does not stand in for it. */
async function findService(): Promise<boolean> {
  try {
    const { status } = await fetch(at('/health/ready'), { cache: 'no-store' });
    return status < 502;
  } catch {
    return false;
  }
}

const isOutage = (error: unknown) => isLatchkeyError(error) && (error.reason === 'network' || error.status === 503);

/**
 * Calls `retry` when the service answers again after an outage. If it answers although a part is missing, reloads the page.
 * @param mayReload whether the page holds nothing that was typed.
 * @returns whether this is an outage.
 */
export function useRecovery(error: unknown, retry: () => void, mayReload: boolean): boolean {
  const [isLost, setLost] = useState(false);
  const latest = useRef(retry);
  latest.current = retry;
  useEffect(() => {
    const isPart = error instanceof PartFailure;
    let wasLost = isOutage(error);
    setLost(wasLost);
    if (!isPart && !wasLost) return;
    const ended = new AbortController();
    const { signal } = ended;
    const check = async () => {
      if (document.hidden) return;
      const answers = await findService();
      if (signal.aborted) return;
      if (answers && wasLost) latest.current();
      else if (answers && isPart && mayReload) reloadOnce();
      wasLost = !answers;
      setLost(wasLost);
    };
    if (isPart) void check();
    const timer = setInterval(check, POLL_MS);
    addEventListener('online', check, { signal });
    document.addEventListener('visibilitychange', check, { signal });
    return () => {
      ended.abort();
      clearInterval(timer);
    };
  }, [error, mayReload]);
  return isLost;
}
