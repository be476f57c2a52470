// The tokens of the look, each in light and in dark mode. `docs/design.md` says what each is for, and no other file names a colour.

/** A colour in light mode, and in dark mode. */
type Pair = readonly [light: string, dark: string];

/** The pages have each as a CSS variable, such as `var(--page)`. */
export const tokens = {
  page: ['#f5f7f9', '#0b1116'],
  card: ['#ffffff', '#131b22'],
  sunken: ['#eef2f5', '#1b252e'],
  line: ['#dfe5ea', '#263340'],
  'line-2': ['#c5cfd8', '#3a4a58'],
  text: ['#0f1c26', '#f2f6f9'],
  'text-2': ['#465766', '#b3c1cc'],
  'text-3': ['#5f7080', '#8fa0ad'],
  accent: ['#17608f', '#2a6d98'],
  danger: ['#b4232c', '#ff8a8a'],
  'danger-soft': ['#fdecec', '#3a1a1d'],
  warn: ['#8a5800', '#f0c05a'],
  'warn-soft': ['#fff3da', '#33280f'],
  good: ['#1d7a4c', '#6fd3a0'],
  'good-soft': ['#e6f5ed', '#12301f'],
  'chart-1': ['#12486b', '#8cc7ec'],
  'chart-2': ['#2f7cab', '#4a9fd1'],
  'chart-3': ['#8cbcd9', '#2b6d97'],
  'chart-4': ['#d3e5f0', '#1f4459'],
  'chart-bad': ['#c23b3b', '#ff8a8a'],
  shade: ['#0f1c2612', '#00000000'],
} satisfies Record<string, Pair>;

export type Token = keyof typeof tokens;

/** What a printer and a scanner need, and what a colour is mixed with. */
export const WHITE = '#ffffff';
export const BLACK = '#000000';

/** Returns the style sheet that makes a variable of each token. `light-dark()` follows the colour scheme of the page. */
export const tokenStyles = (): string =>
  `:root{${Object.entries(tokens)
    .map(([name, pair]) => `--${name}:light-dark(${pair.join()})`)
    .join(';')}}`;
