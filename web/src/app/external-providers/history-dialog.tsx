// The history of a provider: its changes without secrets, and buttons to restore what was before.
import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { Difference } from '../../ui/difference.tsx';
import { describeDay, formatTime } from '../../ui/format.ts';
import { Empty, LoadFailure, Loading } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/all.ts';
import { isRestorable, isSecret, type PastChange, type Provider, useHistory } from './provider.ts';

/** The number of changes that are shown at first, and added at a time. */
const STEP = 20;

export function HistoryDialog(props: {
  provider: Provider;
  onClose: () => void;
  /** Restores what a change has replaced. */
  onRestore: (change: PastChange, isLatest: boolean) => Promise<void>;
}) {
  const { provider, onClose, onRestore } = props;
  const { data, error, isPending, refetch } = useHistory(provider.id);
  const { submit, isBusy, problem } = useSubmit(onRestore);
  const [count, setCount] = useState(STEP);
  const texts = words.settings.history;
  const changes = data ?? [];
  return (
    <Dialog isOpen onClose={onClose} title={texts.title(provider.displayName)} isWide>
      {isPending && <Loading />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data?.length === 0 && <Empty>{words.externalProviders.neverChanged}</Empty>}
      <ProblemNotice problem={problem} />
      <Stack gap="lg" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {changes.slice(0, count).map((change, index) => (
          <Entry
            key={change.number}
            change={change}
            isLatest={index === 0}
            present={provider}
            isBusy={isBusy}
            onRestore={() => submit(change, index === 0)}
          />
        ))}
      </Stack>
      {changes.length > count && (
        <Group mt="md">
          <Button variant="default" onClick={() => setCount(count + STEP)}>
            {texts.more}
          </Button>
        </Group>
      )}
    </Dialog>
  );
}

function Entry(props: {
  change: PastChange;
  isLatest: boolean;
  present: Provider;
  isBusy: boolean;
  onRestore: () => void;
}) {
  const { change, isLatest, present, isBusy, onRestore } = props;
  const texts = words.settings.history;
  const when = formatTime(change.at);
  const action = isLatest ? texts.undo : texts.restore;
  return (
    <Box component="li">
      <Text size="sm" c="dimmed" mb={4}>
        {change.by === null ? when : texts.byAt(change.by, when)}
      </Text>
      <Stack gap="xs">
        {change.changes.map(({ member, oldValue, newValue }) => (
          <Difference
            key={member}
            label={labelOf(member)}
            from={isSecret(member) ? '' : describe(member, oldValue)}
            to={isSecret(member) ? words.externalProviders.replacedSecret : describe(member, newValue)}
          />
        ))}
      </Stack>
      {isRestorable(change, present) && (
        <Button
          mt="xs"
          size="xs"
          variant="default"
          aria-label={words.common.labelled(action, when)}
          disabled={isBusy}
          onClick={onRestore}
        >
          {action}
        </Button>
      )}
    </Box>
  );
}

/** Returns what the reader calls a member. */
function labelOf(member: string): string {
  const { fields, members } = words.externalProviders;
  const labels: Readonly<Record<string, string>> = { ...fields, ...members };
  return labels[member] ?? member;
}

/** Returns the value of a member as text. */
function describe(member: string, value: unknown): string {
  const { states, everybody, nobody, trusts } = words.externalProviders;
  if (member === 'isEnabled') return value ? states.enabled : states.disabled;
  if (member === 'registersNewUsers') return value ? everybody : nobody;
  if (member === 'emailTrust') return value === 'always' ? trusts.always : trusts.verified;
  if (member === 'secretExpiresAt' && typeof value === 'string') return describeDay(value);
  return describePlain(value) || '–';
}

function describePlain(value: unknown): string {
  if (Array.isArray(value)) return value.join(' ');
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  return entries.map(([name, one]) => `${name}: ${one}`).join('\n');
}
