// All of one entry: who, when and from where, its details as pairs, changes from old to new, and its codes.
import { Box, Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { describeExactly } from '../../ui/moment.tsx';
import { describeBrowser } from '../../ui/user-agent.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { words } from '../../words/all.ts';
import { type Filter, splitActions, useAuditView } from './audit-search.ts';
import { type Change, changesOf, pairsOf, useDefinition } from './details.ts';
import { actorOf, type Entry, reasonOf, sentenceOf, userOf } from './entry.ts';
import { FrontEndName, PersonLink } from './names.tsx';

const whole = { overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' } as const;

type Narrow = (changes: Partial<Filter>) => void;

/** It is always there, so that it can return the focus. @param props.entry the last one that was opened. */
export function EntryDialog(props: {
  entry: Entry | undefined;
  isOpen: boolean;
  onClose: () => void;
  onNarrow: Narrow;
}) {
  const { entry, isOpen, onClose, onNarrow } = props;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={entry && sentenceOf(entry)} isWide>
      {entry && <Content entry={entry} onNarrow={onNarrow} />}
    </Dialog>
  );
}

function Content({ entry, onNarrow }: { entry: Entry; onNarrow: Narrow }) {
  const { at, action, outcome, reason, userId, ipAddress, frontEnd, userAgent } = entry;
  const { entry: texts, columns } = words.audit;
  const definition = useDefinition(entry);
  const [user, actor] = [userOf(entry), actorOf(entry)];
  const changes = changesOf(entry, definition);
  const { filter } = useAuditView().view;
  const leaveOut = () => onNarrow({ exceptAction: [...splitActions(filter.exceptAction), action].join(',') });
  return (
    <Stack gap="lg">
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="xs" m={0}>
        <Line label={columns.at}>{describeExactly(new Date(at))}</Line>
        {outcome !== 'success' && reason !== null && (
          <Line label={texts.reason}>
            {reasonOf({ reason, userId })} <Code>{reason}</Code>
          </Line>
        )}
        {user && (
          <Line label={texts.user}>
            <PersonLink person={user} />
          </Line>
        )}
        {actor && (
          <Line label={texts.by}>
            <PersonLink person={actor} />
          </Line>
        )}
        {ipAddress !== null && <Line label={texts.ipAddress}>{ipAddress}</Line>}
        {frontEnd !== null && (
          <Line label={texts.frontEnd}>
            <FrontEndName appKey={frontEnd} />
          </Line>
        )}
        {userAgent !== null && <Line label={texts.browser}>{describeBrowser(userAgent)}</Line>}
        {pairsOf(entry, definition).map(({ label, text }) => (
          <Line key={label} label={label}>
            {text}
          </Line>
        ))}
        <Line label={texts.event}>
          <Code>{action}</Code>
        </Line>
      </SimpleGrid>
      {changes.length > 0 && (
        <Stack component="dl" gap="xs" m={0} aria-label={texts.changed}>
          {changes.map((change) => (
            <ChangeLine key={change.label} change={change} />
          ))}
        </Stack>
      )}
      <Raw entry={entry} />
      <Group gap="xs">
        {userId !== null && (
          <Button variant="default" size="xs" onClick={() => onNarrow({ userId: String(userId) })}>
            {texts.onlyUser}
          </Button>
        )}
        <Button variant="default" size="xs" onClick={() => onNarrow({ action })}>
          {texts.onlyAction}
        </Button>
        <Button variant="default" size="xs" onClick={leaveOut}>
          {texts.exceptAction}
        </Button>
        {ipAddress !== null && (
          <Button variant="default" size="xs" onClick={() => onNarrow({ ipAddress })}>
            {texts.onlyAddress}
          </Button>
        )}
        {reason !== null && (
          <Button variant="default" size="xs" onClick={() => onNarrow({ reason })}>
            {texts.onlyReason}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box>
      <Text component="dt" size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="dd" size="sm" m={0} style={whole}>
        {children}
      </Text>
    </Box>
  );
}

function ChangeLine({ change: { label, from, to } }: { change: Change }) {
  const { before, after, none } = words.audit.entry;
  return (
    <Box>
      <Text component="dt" size="xs" c="dimmed">
        {label}
      </Text>
      <Group component="dd" m={0} gap="xs" align="flex-start">
        <Text size="sm" c="dimmed" style={whole} maw="100%">
          <VisuallyHidden>{words.common.labelled(before, '')}</VisuallyHidden>
          {from || none}
        </Text>
        <Group gap="xs" align="flex-start" wrap="nowrap" maw="100%">
          <ArrowRight size={16} aria-hidden style={{ flexShrink: 0, marginTop: 3 }} />
          <Text size="sm" style={whole} miw={0}>
            <VisuallyHidden>{words.common.labelled(after, '')}</VisuallyHidden>
            {to || none}
          </Text>
        </Group>
      </Group>
    </Box>
  );
}

/** The entry as the API returns it, on demand. */
function Raw({ entry }: { entry: Entry }) {
  return (
    <details>
      <summary className="thumb" style={{ cursor: 'pointer', fontSize: 'var(--mantine-font-size-sm)', minHeight: 24 }}>
        {words.audit.entry.raw}
      </summary>
      <Code block style={whole}>
        {JSON.stringify(entry, null, 2)}
      </Code>
    </details>
  );
}
