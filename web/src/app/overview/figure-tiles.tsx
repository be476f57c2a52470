// The figures of the range, each with its change against the period before.
import { Anchor, Paper, SimpleGrid, Text } from '@mantine/core';
import { Link } from 'react-router';
import { words } from '../../words/index.ts';
import { endOfMessages, listOf, listOfMessages } from './lists.ts';
import { formatChange, formatNumber, type OverviewData, type Range } from './series.ts';

const names = ['signIns', 'refusals', 'lockouts', 'registrations', 'messagesSent', 'messagesFailed'] as const;

export function FigureTiles({ data, range }: { data: OverviewData; range: Range }) {
  const { figures, messages } = words.overview;
  const end = endOfMessages(data);
  const labels = { ...figures, ...(end !== 'sent' && { messagesSent: messages[end] }) };
  return (
    <SimpleGrid
      component="dl"
      type="container"
      cols={{ base: 2, '560px': 3, '900px': 6 }}
      spacing="sm"
      m={0}
      aria-label={figures.title}
    >
      {names.map((name) => (
        <Paper key={name} withBorder px={{ base: 'xs', xs: 'sm' }} py="sm" style={tileOf(data)}>
          <Text component="dt" size="xs" c="dimmed" style={{ overflowWrap: 'anywhere', hyphens: 'auto' }}>
            {labels[name]}
          </Text>
          <Text
            component="dd"
            m={0}
            className="figure"
            {...(isRefusal(name) && data[name].total > 0 && { c: 'var(--danger)' })}
          >
            <Anchor
              component={Link}
              to={name === 'messagesSent' ? listOfMessages(data, range) : listOf(name, range)}
              inherit
              c="inherit"
              aria-label={figures.listOf(labels[name], formatNumber(data[name].total))}
            >
              {formatNumber(data[name].total)}
            </Anchor>
          </Text>
          {data[name].previous !== null && (
            <Text component="dd" m={0} size="xs" c="dimmed">
              {describeChange(data[name].total, data[name].previous)}
            </Text>
          )}
        </Paper>
      ))}
    </SimpleGrid>
  );
}

/** What was refused or failed is red. */
const isRefusal = (name: (typeof names)[number]) => name === 'refusals' || name === 'messagesFailed';

/** The lines of all tiles in a row are at the same height, also when one wraps. */
const tileOf = ({ signIns: { previous } }: OverviewData) =>
  ({
    display: 'grid',
    gridRow: previous === null ? 'span 2' : 'span 3',
    gridTemplateRows: 'subgrid',
    rowGap: 0,
  }) as const;

/** Returns the change in words. The service knows none in its first days, which the page says once. */
function describeChange(total: number, previous: number): string {
  const { change, same, noneBefore } = words.overview;
  if (previous === total) return same;
  if (previous === 0) return noneBefore;
  return change(formatChange((total - previous) / previous), formatNumber(previous));
}
