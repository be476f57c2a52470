// The plot of a soak: panels of lines over the same time, as an SVG of its own colours for light and dark pages.
import type { Point } from './trend.ts';

export type PlotLine = { readonly name: string; readonly points: readonly Point[] };

/** Lines in the same unit; the axis starts at 0. */
export type Panel = { readonly title: string; readonly unit: string; readonly lines: readonly PlotLine[] };

/** `description` says in words what the plot shows, for people who do not see it. */
export type Plot = {
  readonly title: string;
  readonly description: string;
  readonly xLabel: string;
  readonly panels: readonly Panel[];
};

const WIDTH = 760;
const LEFT = 56;
const RIGHT = 16;
/** Of a panel: its title and legend, its drawing, and the space below. */
const HEAD = 34;
const BODY = 130;
const GAP = 26;
const FOOT = 30;

/** Told apart by dashes too, not by colour alone. */
const DASHES = ['', '6 3', '2 3'];

const STYLE = `text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.page { fill: #ffffff } path { fill: none; stroke-width: 1.5 } .grid { stroke: #d1d9e0; stroke-width: 1 } .head { font-weight: bold }
.line0 { stroke: #0550ae } .line1 { stroke: #a5400a } .line2 { stroke: #116329 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .page { fill: #0d1117 } .grid { stroke: #3d444d }
.line0 { stroke: #79c0ff } .line1 { stroke: #ffa657 } .line2 { stroke: #7ee787 }
}`;

/** Returns a round step, 1, 2 or 5 times a power of ten, of which at most `count` fit into `most`. */
function stepOf(most: number, count: number): number {
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most / count));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step * count >= most) ?? most;
}

/** Returns the ticks from 0 to the first one that is not below `most`. */
export function ticksOf(most: number, count: number): number[] {
  const step = stepOf(most, count);
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, n) => Number((n * step).toPrecision(12)));
}

/** Returns the plot as the text of an SVG file. */
export function renderPlot({ title, description, xLabel, panels: given }: Plot): string {
  const panels = given.map(withValues);
  const height = panels.length * (HEAD + BODY + GAP) + FOOT;
  const points = panels.flatMap(({ lines }) => lines.flatMap((line) => line.points));
  const lastX = Math.max(...points.map(({ x }) => x));
  const toX = (x: number) => LEFT + (x / lastX) * (WIDTH - LEFT - RIGHT);
  const xTicks = ticksOf(lastX, 10).filter((tick) => tick <= lastX);
  const drawn = panels.map((panel, index) => renderPanel(panel, index * (HEAD + BODY + GAP) + HEAD, toX, xTicks));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title description">
<title id="title">${escapeText(title)}</title>
<desc id="description">${escapeText(description)}</desc>
<style>${STYLE}</style>
<rect class="page" width="${WIDTH}" height="${height}"/>
${drawn.join('\n')}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${height - 10}" text-anchor="middle">${escapeText(xLabel)}</text>
</svg>
`;
}

/** Leaves out points without a value. */
const withValues = (panel: Panel): Panel => ({
  ...panel,
  lines: panel.lines.map(({ name, points }) => ({ name, points: points.filter(({ y }) => Number.isFinite(y)) })),
});

function renderPanel(
  { title, unit, lines }: Panel,
  top: number,
  toX: (x: number) => number,
  xTicks: readonly number[],
) {
  const ticks = ticksOf(Math.max(...lines.flatMap(({ points }) => points.map(({ y }) => y))), 4);
  const toY = (y: number) => top + BODY - (y / (ticks.at(-1) ?? 1)) * BODY;
  const legend = lines.map(({ name }, index) => {
    const x = LEFT + 150 + index * 140;
    return `<path class="line${index}" stroke-dasharray="${DASHES[index]}" d="M${x} ${top - 14}h24"/><text x="${x + 30}" y="${top - 10}">${escapeText(name)}</text>`;
  });
  const horizontal = ticks.map(
    (tick) =>
      `<path class="grid" d="M${LEFT} ${round(toY(tick))}H${WIDTH - RIGHT}"/><text x="${LEFT - 6}" y="${round(toY(tick) + 4)}" text-anchor="end">${tick}</text>`,
  );
  const vertical = xTicks.map(
    (tick) => `<text x="${round(toX(tick))}" y="${top + BODY + 16}" text-anchor="middle">${tick}</text>`,
  );
  const paths = lines.map(({ points }, index) => {
    const d = points.map(({ x, y }, n) => `${n === 0 ? 'M' : 'L'}${round(toX(x))} ${round(toY(y))}`).join('');
    return `<path class="line${index}" stroke-dasharray="${DASHES[index]}" d="${d}"/>`;
  });
  return [
    `<text x="${LEFT}" y="${top - 10}" class="head">${escapeText(`${title}, ${unit}`)}</text>`,
    ...legend,
    ...horizontal,
    ...vertical,
    ...paths,
  ].join('\n');
}

const round = (value: number) => Math.round(value * 10) / 10;

const escapeText = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
