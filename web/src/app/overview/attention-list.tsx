// What an administrator should look at: each with what to do, and a link to where.
import { Anchor, Button, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import { describeDuration } from '../../ui/format.ts';
import { words } from '../../words/index.ts';
import { describeFinding, type Finding, type Level } from './finding.ts';

/** Findings that are shown before the reader asks for all. */
const SHOWN = 4;

const icons = {
  urgent: { Icon: CircleAlert, colour: 'red' },
  weak: { Icon: TriangleAlert, colour: 'orange' },
  notice: { Icon: Info, colour: 'gray' },
} satisfies Record<Level, unknown>;

export function AttentionList({ findings }: { findings: readonly Finding[] }) {
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const texts = words.overview.attention;
  const shown = isWhole ? findings : findings.slice(0, SHOWN);
  /** Moves the focus from the button, which disappears, to the first finding that appears. */
  const showAll = () => {
    flushSync(() => setWhole(true));
    list.current?.querySelectorAll('li')[SHOWN]?.focus();
  };
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Title order={2} size="h5" id={id}>
          {texts.title}
        </Title>
        {findings.length === 0 && (
          <Group gap="sm" wrap="nowrap">
            <ThemeIcon variant="light" color="green" size="sm" aria-hidden>
              <CircleCheck size={16} />
            </ThemeIcon>
            <Text size="sm">{texts.nothing}</Text>
          </Group>
        )}
        <Stack component="ul" ref={list} gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
          {shown.map((finding) => (
            <FindingItem key={JSON.stringify(finding)} finding={finding} />
          ))}
        </Stack>
        {shown.length < findings.length && (
          <Button variant="default" size="xs" onClick={showAll} style={{ alignSelf: 'flex-start' }}>
            {texts.all(findings.length)}
          </Button>
        )}
        <Anchor component={Link} to="/guide/reference/conformance" size="sm" py={2} style={{ alignSelf: 'flex-start' }}>
          {texts.conformance}
        </Anchor>
      </Stack>
    </Paper>
  );
}

function FindingItem({ finding }: { finding: Finding }) {
  const { level, title, text, source, link } = describeFinding(finding, describeDuration);
  const { Icon, colour } = icons[level];
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start" tabIndex={-1} style={{ outlineOffset: 4 }}>
      <ThemeIcon variant="light" color={colour} size="md" aria-hidden>
        <Icon size={18} strokeWidth={1.75} />
      </ThemeIcon>
      <Stack gap={2} miw={0} style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm">
          {text}
          {source && (
            <Text span size="xs" c="dimmed">
              {' '}
              ({source})
            </Text>
          )}
        </Text>
        {link && (
          <Anchor component={Link} to={link.path} size="sm" py={2} style={{ alignSelf: 'flex-start' }}>
            {link.label}
          </Anchor>
        )}
      </Stack>
    </Group>
  );
}
