// The table of the numbers of a chart. Intervals without a count are left out.
import { ScrollArea, Table } from '@mantine/core';
import { words } from '../../words/index.ts';
import { formatNumber, type Series } from './series.ts';

/** @param props.height the most that it takes, in pixels. */
export function NumberTable(props: {
  title: string;
  series: readonly Series[];
  labels: readonly string[];
  height: number;
}) {
  const { title, series, labels, height } = props;
  const { table, when, total, parts } = words.overview.charts;
  const rows = labels.map((label, index) => ({ label, ...sumAt(series, index) })).filter(({ sum }) => sum > 0);
  return (
    <ScrollArea.Autosize mah={height} type="auto" viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': table }}>
      <Table verticalSpacing={4} horizontalSpacing={6} aria-label={title} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{when}</Table.Th>
            <Table.Th ta="right">{total}</Table.Th>
            {series.length > 1 && <Table.Th>{parts}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ label, sum, described }) => (
            <Table.Tr key={label} style={{ verticalAlign: 'top' }}>
              <Table.Th fw={400} style={{ whiteSpace: 'nowrap' }}>
                {label}
              </Table.Th>
              <Table.Td ta="right">{formatNumber(sum)}</Table.Td>
              {series.length > 1 && <Table.Td>{described}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}

/** Returns the sum of an interval, and its parts in words. One column for them fits on a phone. */
function sumAt(series: readonly Series[], index: number) {
  const counted = series
    .map(({ name, counts }) => ({ name, count: counts[index] ?? 0 }))
    .filter(({ count }) => count > 0);
  return {
    sum: counted.reduce((sum, { count }) => sum + count, 0),
    described: counted.map(({ name, count }) => `${name} ${formatNumber(count)}`).join(' · '),
  };
}
