// The first steps with a new service, each derived from what is there. Shown until all are done, or until it is dismissed.
import { Button, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Check, Circle } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { meansQuery } from '../../api/means.ts';
import { useNotify } from '../../ui/notify.tsx';
import { words } from '../../words/index.ts';
import { useFactors } from '../account/factors.ts';
import { holdsAll, useMe } from '../me.ts';
import { SendTest } from '../send-test.tsx';
import type { CREATION } from '../use-creation.ts';
import { settingPath } from './finding.ts';
import type { OverviewData } from './series.ts';

/** Holds the dismissal in this browser: nothing else of the steps is stored. */
const DISMISSED = 'latchkey::get-started';

type Step = {
  readonly key: keyof typeof words.overview.started.steps;
  readonly isDone: boolean;
  readonly path: string;
  /** Opens the dialog of that page. */
  readonly state?: typeof CREATION;
  /** The means that the finished step has set up. A message can test it. */
  readonly tests?: 'email' | 'sms' | false;
};

/** While no kind of second factor is on. Only administrators with all permissions turn one on. */
const factorKinds: Step = {
  key: 'factorKinds',
  isDone: false,
  path: settingPath('Security', [], 'Latchkey.Factors'),
};

/** Returns the steps, or `undefined` until all facts are known. A step whose facts the reader may not know is left out. */
function useSteps({ attention, users }: OverviewData): readonly Step[] | undefined {
  const me = useMe();
  const factors = useFactors();
  const connected = useQuery({
    queryKey: ['overview', 'connected'],
    queryFn: async () => {
      const [applications, frontEnds] = await Promise.all([
        latchkey.call('Application/GetAll'),
        latchkey.call('FrontEndApp/GetAll'),
      ]);
      // One front end is there from the start.
      return applications.items.length > 0 || frontEnds.items.length > 1;
    },
  });
  const { data: means } = useQuery(meansQuery);
  if (factors === null || connected.data === undefined || means === undefined) return undefined;
  const isSent = (means: 'email' | 'sms') =>
    attention.every((finding) => finding.kind !== 'noGateway' || finding.means !== means);
  return [
    { key: 'email', isDone: isSent('email'), path: '/guide/delivery#e-mail-by-smtp', tests: means.email && 'email' },
    { key: 'sms', isDone: isSent('sms'), path: '/guide/delivery#sms-by-an-http-gateway', tests: means.sms && 'sms' },
    { key: 'address', isDone: me.email !== null && me.isEmailConfirmed, path: '/account' },
    ...(factors && 'count' in factors ? [{ key: 'factor', isDone: factors.count > 0, path: '/account' } as const] : []),
    ...(factors === undefined && holdsAll(me) ? [factorKinds] : []),
    { key: 'connect', isDone: connected.data, path: '/applications', state: { isCreating: true } },
    ...(users ? [{ key: 'user', isDone: users.total > 1, path: '/users/new' } as const] : []),
  ];
}

export function GetStarted({ data }: { data: OverviewData }) {
  const id = useId();
  const texts = words.overview.started;
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(DISMISSED) !== null);
  const notify = useNotify();
  const steps = useSteps(data);
  const done = steps?.filter(({ isDone }) => isDone).length ?? 0;
  if (isDismissed || !steps || done === steps.length) return null;
  const dismiss = () => {
    localStorage.setItem(DISMISSED, '1');
    setDismissed(true);
    // The button that had the focus is gone.
    document.querySelector('h1')?.focus();
    notify(texts.dismissed, () => {
      localStorage.removeItem(DISMISSED);
      setDismissed(false);
    });
  };
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Group gap="sm" align="baseline">
            <Title order={2} size="h5" id={id}>
              {texts.title}
            </Title>
            <Text size="xs" c="dimmed">
              {texts.done(done, steps.length)}
            </Text>
          </Group>
          <Button variant="subtle" size="compact-sm" mx={-8} onClick={dismiss}>
            {texts.dismiss}
          </Button>
        </Group>
        <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
          {steps.map((step) => (
            <StepItem key={step.key} step={step} />
          ))}
        </Stack>
      </Stack>
    </Paper>
  );
}

function StepItem({ step: { key, isDone, path, state, tests } }: { step: Step }) {
  const { steps, isDoneLabel } = words.overview.started;
  const { title, text, action } = steps[key];
  if (isDone) {
    return (
      <Group component="li" gap="sm" wrap="nowrap">
        <ThemeIcon variant="light" color="green" size="sm" role="img" aria-label={isDoneLabel}>
          <Check size={14} aria-hidden />
        </ThemeIcon>
        <Text size="sm" c="dimmed" flex={1}>
          {title}
        </Text>
        {tests && <SendTest means={tests} />}
      </Group>
    );
  }
  return (
    <Group component="li" gap="sm" align="flex-start" wrap="nowrap">
      <ThemeIcon variant="transparent" color="gray" size="sm" aria-hidden>
        <Circle size={16} />
      </ThemeIcon>
      <Group gap="sm" justify="space-between" flex={1} miw={0}>
        <Stack gap={2} flex="1 1 220px" miw={0}>
          <Text size="sm" fw={500}>
            {title}
          </Text>
          <Text size="xs" c="dimmed">
            {text}
          </Text>
        </Stack>
        <Button
          component={Link}
          to={path}
          state={state}
          size="xs"
          variant="default"
          aria-label={words.common.labelled(title, action)}
        >
          {action}
        </Button>
      </Group>
    </Group>
  );
}
