// The theme of all pages, light and dark, made of the tokens, in the colour of the settings.
import {
  Button,
  type CSSVariablesResolver,
  colorsTuple,
  createTheme,
  Input,
  type MantineThemeOverride,
} from '@mantine/core';
import { shadesOf, toHex } from './colour.ts';
import { type Token, tokens } from './tokens.ts';
import './base.css';

/** The names that Mantine has for states, and the tokens of each. */
const states = { red: 'danger', orange: 'warn', yellow: 'warn', green: 'good', teal: 'good' } as const;

const light = (name: Token) => tokens[name][0];
const dark = (name: Token) => tokens[name][1];

/** Pixels as Mantine writes them: a reader's font size scales them. */
const rem = (pixels: number) => `${pixels / 16}rem`;

/** Greys of light mode, from light to dark, and of dark mode, from text to what is behind the page. */
const greys = {
  gray: (['page', 'sunken', 'sunken', 'line', 'line-2', 'line-2', 'text-3', 'text-3', 'text-2', 'text'] as const).map(
    light,
  ),
  dark: (['text', 'text-2', 'text-3', 'text-3', 'line-2', 'line', 'sunken', 'card', 'page', 'page'] as const).map(dark),
};

/** What all components of a kind have. */
const components: NonNullable<MantineThemeOverride['components']> = {
  Avatar: { defaultProps: { radius: 'md', variant: 'light' } },
  // The text of a button wraps on a narrow screen instead of being cut off.
  Button: Button.extend({
    styles: {
      root: {
        display: 'inline-flex',
        alignItems: 'center',
        height: 'auto',
        minHeight: 'var(--button-height)',
        paddingBlock: 4,
        fontWeight: 500,
      },
      inner: { flexGrow: 1 },
      label: { whiteSpace: 'normal', lineHeight: 1.35 },
    },
  }),
  // Like the focus ring: a light accent colour alone could not be seen (WCAG 2.2, 1.4.11).
  Input: Input.extend({ styles: { wrapper: { '--input-bd-focus': 'var(--mantine-color-anchor)' } } }),
  Paper: { defaultProps: { radius: 'lg', shadow: 'xs' } },
  Text: { defaultProps: { size: 'sm' } },
  // Two buttons within one field are smaller than a target may be (WCAG 2.2, 2.5.8). The arrow keys do the same.
  NumberInput: { defaultProps: { hideControls: true } },
  // The button that shows the password must be reachable by keyboard (WCAG 2.2, 2.1.1).
  PasswordInput: { defaultProps: { visibilityToggleFocusable: true } },
};

/** @param colour the name of a Mantine colour, or `#rrggbb`. */
export function createAppTheme(colour: string): MantineThemeOverride {
  const colours = Object.entries(states).map(([name, token]) => [name, shadesOf(light(token)).tuple] as const);
  return createTheme({
    colors: {
      ...Object.fromEntries(colours),
      blue: shadesOf(light('accent')).tuple,
      gray: colorsTuple(greys.gray),
      dark: colorsTuple(greys.dark),
      brand: shadesOf(toHex(colour)).tuple,
    },
    black: light('text'),
    white: light('card'),
    primaryColor: 'brand',
    primaryShade: 8,
    // Text on a colour is black or white, whichever is more legible (WCAG 2.2, 1.4.3).
    autoContrast: true,
    luminanceThreshold: 0.179,
    defaultRadius: 'md',
    radius: { sm: rem(6), md: rem(8), lg: rem(12) },
    cursorType: 'pointer',
    focusRing: 'auto',
    respectReducedMotion: true,
    fontFamily: 'var(--font)',
    fontSizes: { xs: rem(13), sm: rem(14), md: rem(15), lg: rem(16), xl: rem(22) },
    lineHeights: { xs: '1.385', sm: '1.43', md: '1.467', lg: '1.45' },
    shadows: { xs: 'var(--shadow)' },
    fontWeights: { bold: '600' },
    headings: {
      fontFamily: 'var(--font)',
      fontWeight: '600',
      textWrap: 'balance',
      sizes: {
        h1: { fontSize: rem(26), lineHeight: rem(32) },
        h2: { fontSize: rem(22), lineHeight: rem(28) },
        h3: { fontSize: rem(18), lineHeight: rem(26) },
        h4: { fontSize: rem(15), lineHeight: rem(22) },
        h5: { fontSize: rem(15), lineHeight: rem(22) },
      },
    },
    components,
  });
}

/** The variables of a state: its text, and the ground of its notices and badges. */
const stateVariables = Object.fromEntries(
  Object.entries(states).flatMap(([name, token]) => [
    [`--mantine-color-${name}-light`, `var(--${token}-soft)`],
    [`--mantine-color-${name}-light-hover`, `var(--${token}-soft)`],
    [`--mantine-color-${name}-light-color`, `var(--${token})`],
    [`--mantine-color-${name}-text`, `var(--${token})`],
    [`--mantine-color-${name}-outline`, `var(--${token})`],
  ]),
);

const shared = {
  ...stateVariables,
  '--mantine-color-gray-light': 'var(--sunken)',
  '--mantine-color-gray-light-color': 'var(--text-2)',
  '--mantine-color-body': 'var(--card)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-3)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-error': 'var(--danger)',
  '--mantine-color-default': 'var(--card)',
  '--mantine-color-default-hover': 'var(--sunken)',
  '--mantine-color-default-border': 'var(--line-2)',
};

/** Makes text, errors, links and focus rings of the tokens and of the colour: those of Mantine are not as legible (WCAG 2.2, 1.4.3). */
export const createColourResolver = (colour: string): CSSVariablesResolver => {
  const { link, button, hover } = shadesOf(toHex(colour));
  const variablesIn = (scheme: 'light' | 'dark') => ({
    ...shared,
    '--mantine-color-anchor': link[scheme],
    '--mantine-color-brand-text': link[scheme],
    '--mantine-color-brand-outline': link[scheme],
    '--mantine-color-brand-filled': button[scheme],
    '--mantine-color-brand-filled-hover': hover[scheme],
  });
  return () => ({ variables: {}, light: variablesIn('light'), dark: variablesIn('dark') });
};
