// A card with a chart, its legend with totals, and a table of the same numbers.
import { Anchor, Box, ColorSwatch, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router';
import { LazyArea } from '../../ui/page.tsx';
import { words } from '../../words/index.ts';
import { lazyPart, ownStyles } from '../lazy-part.ts';
import { sequence } from './colours.ts';
import { ListLink } from './list-link.tsx';
import { formatNumber, type Series } from './series.ts';

const Bars = lazyPart(async () => (await import('./bars.tsx')).Bars, ownStyles);
const NumberTable = lazyPart(async () => (await import('./number-table.tsx')).NumberTable);

/** In pixels: known before the chart is loaded, so that nothing moves. */
const CHART_HEIGHT = 200;

/** The most that a table takes, in pixels. */
const TABLE_HEIGHT = 280;

type ChartCardProps = {
  readonly title: string;
  readonly series: readonly Series[];
  readonly labels: { readonly axis: readonly string[]; readonly full: readonly string[] };
  /** The page that lists what the chart counts. */
  readonly trail?: string;
};

export function ChartCard({ title, series, labels, trail }: ChartCardProps) {
  const id = useId();
  const { ref, wasSeen } = useWasSeen();
  const coloured = series.map((one, index) => ({
    ...one,
    // Two may have one name: an application may be called like the rest.
    key: index,
    colour: one.colour ?? sequence[index % sequence.length] ?? sequence[0],
  }));
  const total = series.reduce((sum, one) => sum + one.total, 0);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Stack gap="sm" h="100%">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h5" id={id}>
            {title}
          </Title>
          {trail && (
            <Anchor component={Link} to={trail} size="sm" aria-label={words.overview.charts.trailOf(title)}>
              {words.overview.charts.trail}
            </Anchor>
          )}
        </Group>
        {total === 0 ? (
          <Nothing>{words.overview.charts.nothing}</Nothing>
        ) : (
          <>
            <Box ref={ref}>
              <LazyArea waiting={<Skeleton height={CHART_HEIGHT} />}>
                <Box
                  role="img"
                  aria-label={words.overview.charts.summary(title, formatNumber(total), peakOf(series, labels.full))}
                >
                  {wasSeen ? (
                    <Bars series={coloured} labels={labels} height={CHART_HEIGHT} />
                  ) : (
                    <Skeleton height={CHART_HEIGHT} />
                  )}
                </Box>
              </LazyArea>
            </Box>
            <Group component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none', rowGap: 4 }}>
              {coloured.map(({ key, name, total: sum, colour, list }) => (
                <Group key={key} component="li" gap={6} wrap="nowrap" mr="xs" miw={0}>
                  <ColorSwatch color={colour} size={10} withShadow={false} />
                  <Text size="sm" miw={0} style={{ overflowWrap: 'anywhere' }}>
                    <ListLink to={list} text={name} /> <strong>{formatNumber(sum)}</strong>
                  </Text>
                </Group>
              ))}
            </Group>
            <Numbers title={title} series={series} labels={labels.full} />
          </>
        )}
      </Stack>
    </Paper>
  );
}

/** Whether the element was in view at least once. The chart library is loaded then, and not with the page. */
function useWasSeen() {
  const { ref, inViewport } = useInViewport();
  const [wasSeen, setSeen] = useState(false);
  if (inViewport && !wasSeen) setSeen(true);
  return { ref, wasSeen };
}

const Nothing = ({ children }: { children: ReactNode }) => (
  <Text c="dimmed" size="sm">
    {children}
  </Text>
);

/** Returns the label of the interval with the highest sum. */
function peakOf(series: readonly Series[], labels: readonly string[]): string | undefined {
  const sums = labels.map((_, index) => series.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0));
  return labels[sums.indexOf(Math.max(...sums))];
}

/** The table of the numbers, which loads when the reader opens it. */
function Numbers({ title, series, labels }: { title: string; series: readonly Series[]; labels: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <Text component="summary" size="sm" py={4} style={{ cursor: 'pointer' }}>
        {words.overview.charts.table}
      </Text>
      {isOpen && (
        <LazyArea waiting={<Skeleton height={TABLE_HEIGHT} />}>
          <NumberTable title={title} series={series} labels={labels} height={TABLE_HEIGHT} />
        </LazyArea>
      )}
    </details>
  );
}
