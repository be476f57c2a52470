// The preview of a message as it is typed, with sample values and in the brand of a front end.
import { Group, NativeSelect, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Calls } from 'latchkey-sdk';
import { useId, useState } from 'react';
import { latchkey } from '../../../api/latchkey.ts';
import { describeProblem } from '../../../ui/problem.ts';
import { words } from '../../../words/all.ts';
import { holdsAll, useMe } from '../../me.ts';
import { SendTest } from '../../send-test.tsx';
import { useSettings } from '../context.ts';
import { DEFAULT_FRONT_END, type Definition } from '../definition.ts';
import { MailHtml } from './mail-html.tsx';
import { meansOf } from './message.ts';

const PAUSE_MS = 300;

/** The forms in which people get a message. */
const forms = ['html', 'text', 'sms'] as const;

type Texts = Calls['Message/Preview']['result'];

export function MessagePreview({ message }: { message: Definition }) {
  const { name } = message;
  const { frontEnds, means, values, edits } = useSettings();
  const [appKey, setAppKey] = useState(DEFAULT_FRONT_END);
  const me = useMe();
  // Who may not change the texts sees those in force.
  const isFixed = message.isGuarded && !holdsAll(me);
  const typed = isFixed ? undefined : (edits.find(message, undefined)?.draft.value ?? values.read(message, undefined));
  const [value] = useDebouncedValue(typed, PAUSE_MS);
  const { data, error } = useQuery({
    queryKey: ['message', name, appKey, value],
    queryFn: () => latchkey.call('Message/Preview', { name, value, appKey }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const titleId = useId();
  const texts = words.settings.messages;
  return (
    <Stack gap="sm" component="section" aria-labelledby={titleId}>
      <Title order={3} size="h5" id={titleId}>
        {texts.preview}
      </Title>
      {frontEnds.length > 1 && (
        <NativeSelect
          label={texts.brand}
          value={appKey}
          onChange={({ currentTarget }) => setAppKey(currentTarget.value)}
          data={frontEnds.map((one) => ({ value: one.appKey, label: one.name }))}
        />
      )}
      {error ? (
        <Text size="sm" role="status">
          {texts.notShown(describeProblem(error).message)}
        </Text>
      ) : (
        data && <Shown texts={means.sms ? data : { ...data, sms: '' }} />
      )}
      <Group gap="xs">
        {meansOf(message).map(
          (one) =>
            means[one] && (
              <SendTest key={one} means={one} message={{ name, value: typed, appKey }} isFaulty={error !== null} />
            ),
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {texts.samples}
      </Text>
    </Stack>
  );
}

/** One of the forms, and the choice of it. */
function Shown({ texts }: { texts: Texts }) {
  const { forms: labels } = words.settings.messages;
  const existing = forms.filter((form) => texts[form] !== '');
  const [chosen, setChosen] = useState<(typeof forms)[number]>();
  const form = existing.find((one) => one === chosen) ?? existing[0];
  return (
    <>
      {existing.length > 1 && (
        <SegmentedControl
          aria-label={words.settings.messages.form}
          value={form ?? ''}
          onChange={(next) => setChosen(forms.find((one) => one === next))}
          data={existing.map((one) => ({ value: one, label: labels[one] }))}
          style={{ alignSelf: 'flex-start' }}
        />
      )}
      <Paper withBorder p="md" style={{ overflow: 'hidden' }}>
        <Stack gap="sm">
          {form !== 'sms' && (
            <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {texts.subject}
            </Text>
          )}
          {form === 'html' ? (
            <MailHtml html={texts.html} />
          ) : (
            <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {form && texts[form]}
            </Text>
          )}
        </Stack>
      </Paper>
    </>
  );
}
