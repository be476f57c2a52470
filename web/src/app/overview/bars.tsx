// Stacked bars. A chunk of its own: the chart library is larger than the rest of the page.
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { formatNumber, type Series } from './series.ts';

type BarsProps = {
  readonly series: readonly (Omit<Series, 'colour'> & { readonly colour: string })[];
  /** For the axis and the tooltip, one of each for an interval. */
  readonly labels: { readonly axis: readonly string[]; readonly full: readonly string[] };
  /** In pixels. */
  readonly height: number;
};

/** The member of a series in the data: an application may have any name. */
const keyOf = (place: number) => `s${place}`;

export function Bars({ series, labels, height }: BarsProps) {
  const data = labels.full.map((label, index) => ({
    label,
    ...Object.fromEntries(series.map(({ counts }, place) => [keyOf(place), counts[index] ?? 0])),
  }));
  const axis = new Map(labels.full.map((label, index) => [label, labels.axis[index] ?? '']));
  return (
    <BarChart
      h={height}
      data={data}
      dataKey="label"
      type="stacked"
      series={series.map(({ name, colour }, place) => ({ name: keyOf(place), label: name, color: colour }))}
      valueFormatter={formatNumber}
      gridAxis="x"
      tickLine="none"
      strokeDasharray="0"
      xAxisProps={{
        tickFormatter: (label) => axis.get(label) ?? '',
        minTickGap: 16,
        interval: 'equidistantPreserveStart',
      }}
      yAxisProps={{ allowDecimals: false, width: 44 }}
      barProps={{ isAnimationActive: false }}
      maxBarWidth={36}
      // The table has the numbers for readers who cannot see the chart or use no pointer.
      barChartProps={{ accessibilityLayer: false }}
      tooltipAnimationDuration={0}
      styles={{ tooltip: { maxWidth: 240, overflowWrap: 'anywhere' } }}
    />
  );
}
