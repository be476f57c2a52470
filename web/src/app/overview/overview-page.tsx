// The page "Overview", for administrators: what happened, who has access, and what needs attention.
import { Box, Flex, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { formatDay } from '../../ui/format.ts';
import { Empty, LazyArea, LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { words } from '../../words/index.ts';
import { lazyPart, ownStyles } from '../lazy-part.ts';
import { AttentionList } from './attention-list.tsx';
import { ChartCard } from './chart-card.tsx';
import { FAILURE } from './colours.ts';
import { FigureTiles } from './figure-tiles.tsx';
import { endOfMessages, listOf, listOfMessages, listOfPart } from './lists.ts';
import { PeopleCard } from './people-card.tsx';
import { labelsOf, type OverviewData, type Range, ranges, seriesOf, totalOf } from './series.ts';

/** Most readers have dismissed it, or done all of it. */
const GetStarted = lazyPart(async () => (await import('./get-started.tsx')).GetStarted, ownStyles);

const REFETCH_MS = 60_000;

export function OverviewPage() {
  const [query, setQuery] = useSearchParams();
  const range = ranges.find((one) => one === query.get('range')) ?? '24h';
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const overview = useQuery({
    queryKey: ['overview', range, timeZone],
    // The answer and its range: the former range stays on the page until the answer is there.
    queryFn: async () => ({ range, data: await latchkey.call('Overview/Get', { range, timeZone }) }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  });
  const chooser = (
    <SegmentedControl
      aria-label={words.overview.range.label}
      // Labels wrap only where the whole width is too narrow for them.
      style={{ flex: 'none', maxWidth: '100%' }}
      styles={{ control: { flex: '1 1 auto' }, label: { whiteSpace: 'normal' } }}
      value={range}
      onChange={(value) => setQuery(value === '24h' ? {} : { range: value }, { replace: true })}
      data={ranges.map((value) => ({ value, label: words.overview.range[value] }))}
    />
  );
  return (
    <Page title={words.overview.title} actions={chooser}>
      {overview.isPending && <Loading rows={8} />}
      {overview.error && <LoadFailure error={overview.error} retry={overview.refetch} />}
      {overview.data && <Content data={overview.data.data} range={overview.data.range} />}
    </Page>
  );
}

function Content({ data, range }: { data: OverviewData; range: Range }) {
  const { countedSince, attention, signIns } = data;
  const isYoung = countedSince !== null && signIns.previous === null;
  return (
    <>
      <LazyArea waiting={null}>
        <GetStarted data={data} />
      </LazyArea>
      <FigureTiles data={data} range={range} />
      {isYoung && <Text size="sm">{words.overview.since(formatDay(new Date(countedSince)))}</Text>}
      <Flex direction={{ base: 'column', md: 'row' }} align={{ base: 'stretch', md: 'flex-start' }} gap="sm">
        <Box flex={{ md: 2 }} miw={0}>
          <AttentionList findings={attention} />
        </Box>
        <Box flex={{ md: 1 }} miw={0}>
          <PeopleCard data={data} />
        </Box>
      </Flex>
      <Charts data={data} range={range} />
    </>
  );
}

function Charts({ data, range }: { data: OverviewData; range: Range }) {
  const { starts, signIns, applications, refusals, lockouts, registrations, messagesSent, messagesFailed } = data;
  const texts = words.overview.charts;
  const { messages: ends } = words.overview;
  const labels = labelsOf(starts, range);
  const messages = [
    { ...totalOf(messagesSent, ends[endOfMessages(data)], starts.length), list: listOfMessages(data, range) },
    { ...totalOf(messagesFailed, ends.failed, starts.length), list: listOf('messagesFailed', range), colour: FAILURE },
  ];
  const figures = [signIns, applications, refusals, lockouts, registrations, messagesSent, messagesFailed];
  if (figures.every(({ total }) => total === 0)) return <Empty>{words.overview.empty}</Empty>;
  return (
    <Stack gap="sm">
      <ChartCard
        title={texts.signIns}
        series={seriesOf(signIns, { listOf: listOfPart('signIns', range) })}
        labels={labels}
        trail={listOf('signIns', range)}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
        {applications.total > 0 && (
          <ChartCard
            title={texts.applications}
            series={seriesOf(applications, { nameOf: (name) => name })}
            labels={labels}
            trail={listOf('applications', range)}
          />
        )}
        <ChartCard
          title={texts.refusals}
          series={seriesOf(refusals, { listOf: listOfPart('refusals', range) })}
          labels={labels}
          trail={listOf('refusals', range)}
        />
        <ChartCard title={texts.messages} series={messages} labels={labels} trail={listOf('messagesSent', range)} />
        <ChartCard
          title={texts.lockouts}
          series={seriesOf(lockouts)}
          labels={labels}
          trail={listOf('lockouts', range)}
        />
        <ChartCard
          title={texts.registrations}
          series={seriesOf(registrations, { listOf: listOfPart('registrations', range) })}
          labels={labels}
          trail={listOf('registrations', range)}
        />
      </SimpleGrid>
    </Stack>
  );
}
