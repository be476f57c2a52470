// What applications were told in a sign-out a moment ago, until each has answered.
import '@mantine/core/styles/Badge.css';
import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import type { EndedSession } from '../api/sign-off.ts';
import { hasPending, ToldApplications } from '../ui/told-applications.tsx';
import { applicationTexts } from './application-texts.ts';

/** Times in milliseconds between two looks. The last one repeats. */
const WAITS_MS = [1000, 2000, 5000, 15_000];

/** Shows nothing for a receipt that has expired, or of a session without applications. */
export function ToldAfterSignOut({ receipt }: { receipt: string }) {
  const { told: texts } = applicationTexts().signOut;
  const [sessions, setSessions] = useState<readonly EndedSession[]>([]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    async function look(tries: number) {
      const found = await latchkey.call('Session/GetSignOut', { receipt }).catch(() => undefined);
      if (isOver) return;
      if (found) setSessions(found.items);
      if (found && !hasPending(found.items)) return;
      timer = setTimeout(look, WAITS_MS[Math.min(tries, WAITS_MS.length - 1)], tries + 1);
    }
    void look(0);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [receipt]);
  const applications = sessions.flatMap((session) => session.applications);
  if (applications.length === 0) return null;
  const isToldInVain = applications.some(({ state }) => state !== 'confirmed' && state !== 'pending');
  return (
    <>
      <ToldApplications applications={applications} texts={texts} />
      {hasPending(sessions) && <Text size="sm">{texts.waiting}</Text>}
      {isToldInVain && <Text size="sm">{texts.inVain}</Text>}
    </>
  );
}
