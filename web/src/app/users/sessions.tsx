// The open sessions of an account, for administrators: what each is, and buttons to end one or all.
import { Box, Group, Paper, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Calls } from 'latchkey-sdk';
import { latchkey } from '../../api/latchkey.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { DangerButton } from '../../ui/danger-button.tsx';
import { formatMinute } from '../../ui/format.ts';
import { Line } from '../../ui/line.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { LoadFailure, Loading } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { describeBrowser } from '../../ui/user-agent.ts';
import { words } from '../../words/more.ts';
import { useFrontEndName } from '../audit/names.tsx';
import { useMe } from '../me.ts';
import { displayName, type User, userKey, usersKey } from './user.ts';

/** `current` marks the reader's own session. */
type Session = Calls['User/GetSessions']['result']['items'][number] & { readonly current?: boolean };

/** Only the call for the own sessions tells which one is the reader's. */
const readSessions = async (userId: number, isOwn: boolean): Promise<readonly Session[]> => {
  const { items } = await (isOwn ? latchkey.call('Session/GetAll') : latchkey.call('User/GetSessions', { userId }));
  return items;
};

/** @param props.onEndAll signs the account out everywhere. */
export function Sessions({ user, onEndAll }: { user: User; onEndAll: () => void }) {
  const { sessions: texts, actions } = words.users;
  const queries = useQueryClient();
  const notify = useNotify();
  const [ask, dialog] = useConfirm();
  const isOwn = useMe().id === user.id;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...userKey(user.id), 'sessions'],
    queryFn: () => readSessions(user.id, isOwn),
  });
  const end = (session: Session) =>
    ask({
      title: texts.endTitle(displayName(user)),
      text: texts.endText(describeBrowser(session.userAgent)),
      yes: texts.end,
      run: async () => {
        await latchkey.call('User/EndSession', { userId: user.id, id: session.id });
        await queries.invalidateQueries({ queryKey: usersKey });
        notify(texts.ended);
      },
    });
  return (
    <>
      {isPending && <Loading rows={2} />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data?.length === 0 && <Text size="sm">{texts.none}</Text>}
      {data && data.length > 0 && (
        <Paper component="ul" withBorder className="rows" aria-label={texts.title}>
          {data.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => end(session)} />
          ))}
        </Paper>
      )}
      {data?.length !== 0 && (
        <Group>
          <DangerButton onClick={onEndAll}>{actions.signOut}</DangerButton>
        </Group>
      )}
      {dialog}
    </>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { sessions: texts } = words.users;
  const { frontEnd, application, ipAddress, userAgent, signedInAt, lastRefreshedAt, current = false } = session;
  const frontEndName = useFrontEndName(frontEnd);
  const browser = describeBrowser(userAgent);
  const used = lastRefreshedAt === null ? [] : [texts.used(formatMinute(lastRefreshedAt))];
  const where = [texts.signedIn(formatMinute(signedInAt)), ...used, ...(ipAddress === null ? [] : [ipAddress])];
  return (
    <Group component="li" gap="sm" wrap="nowrap">
      <Box flex={1} miw={0} py="xs">
        <Line text={`${application?.name ?? frontEndName} · ${browser}`} fw={500} />
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {where.join(' · ')}
        </Text>
      </Box>
      {current ? (
        <StatusBadge colour="green">{words.account.sessions.current}</StatusBadge>
      ) : (
        <DangerButton size="xs" flex="none" onClick={onEnd} aria-label={texts.endOne(browser)}>
          {texts.end}
        </DangerButton>
      )}
    </Group>
  );
}
