// The colours of the charts: each differs from the background by 3:1 in its scheme (WCAG 2.2, 1.4.11).
import { useComputedColorScheme } from '@mantine/core';

const light = {
  first: 'blue.7',
  second: 'teal.8',
  third: 'orange.8',
  fourth: 'grape.6',
  fifth: 'dark.5',
  rest: 'gray.6',
} as const;

const dark = {
  first: 'blue.5',
  second: 'teal.5',
  third: 'orange.5',
  fourth: 'grape.4',
  fifth: 'gray.2',
  rest: 'gray.6',
} as const;

export type ColourName = keyof typeof light;
export type Colour = (typeof light | typeof dark)[keyof typeof light];

/** Returns the colours of the present scheme. Five are for parts in the order of their frequency. */
export const useColours = (): Readonly<Record<ColourName, Colour>> =>
  useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark' ? dark : light;
