// My open sessions, with buttons to end them.
import { Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Calls } from 'latchkey-sdk';
import { latchkey } from '../../api/latchkey.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { DangerButton } from '../../ui/danger-button.tsx';
import { formatTime } from '../../ui/format.ts';
import { useNotify } from '../../ui/notify.tsx';
import { LoadFailure, Loading } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { describeBrowser } from '../../ui/user-agent.ts';
import { words } from '../../words/more.ts';
import { sessionsKey, useReread } from './ending.ts';

type Session = Calls['Session/GetAll']['result']['items'][number];

/** The application stands first whose access goes on without the browser (`offline_access`). */
const nameOf = ({ application, userAgent }: Session) =>
  [...(application ? [application.name] : []), describeBrowser(userAgent)].join(' · ');

export function SessionsSection() {
  const texts = words.account.sessions;
  const reread = useReread();
  const notify = useNotify();
  const [ask, dialog] = useConfirm();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: sessionsKey,
    queryFn: () => latchkey.call('Session/GetAll'),
  });
  const done = async (text: string) => {
    await reread();
    notify(text);
  };
  const end = (session: Session) =>
    ask({
      title: texts.endTitle,
      text: texts.endText(nameOf(session), session.ipAddress ?? ''),
      yes: texts.end,
      run: async () => {
        await latchkey.call('Session/End', { id: session.id });
        await done(texts.ended);
      },
    });
  const endOthers = () =>
    ask({
      title: texts.endOthersTitle,
      text: texts.endOthersText,
      yes: texts.endOthers,
      run: async () => {
        await latchkey.call('Session/EndOthers');
        await done(texts.othersEnded);
      },
    });
  return (
    <>
      <Text size="sm">{texts.reason}</Text>
      {isPending && <Loading rows={2} />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data && (
        <>
          <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
            {data.items.map((session) => (
              <SessionCard
                key={session.id}
                session={session}
                isElsewhere={data.items.some(({ frontEnd }) => frontEnd !== session.frontEnd)}
                onEnd={() => end(session)}
              />
            ))}
          </Stack>
          {data.items.some(({ current }) => !current) && (
            <Group>
              <DangerButton onClick={endOthers}>{texts.endOthers}</DangerButton>
            </Group>
          )}
        </>
      )}
      {dialog}
    </>
  );
}

/** @param props.isElsewhere whether another session has another front end: then each names its own. */
function SessionCard(props: { session: Session; isElsewhere: boolean; onEnd: () => void }) {
  const { session, isElsewhere, onEnd } = props;
  const texts = words.account.sessions;
  const { current, frontEnd, ipAddress, signedInAt, lastRefreshedAt, method } = session;
  const name = nameOf(session);
  const how = Object.entries(texts.methods).find(([amr]) => amr === method)?.[1] ?? '';
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between" gap="sm">
        <div style={{ maxWidth: '100%', overflowWrap: 'anywhere' }}>
          <Group gap="xs">
            <Text fw={600} maw="100%">
              {name}
            </Text>
            {current && <StatusBadge colour="green">{texts.current}</StatusBadge>}
          </Group>
          <Text size="sm">{texts.signedIn(formatTime(signedInAt), how)}</Text>
          {lastRefreshedAt !== null && <Text size="sm">{texts.refreshed(formatTime(lastRefreshedAt))}</Text>}
          <Text size="sm" c="dimmed">
            {[isElsewhere && texts.frontEnd(frontEnd), ipAddress !== null && texts.address(ipAddress)]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </div>
        {!current && (
          <DangerButton size="xs" onClick={onEnd} aria-label={texts.endOne(name)}>
            {texts.end}
          </DangerButton>
        )}
      </Group>
    </Paper>
  );
}
