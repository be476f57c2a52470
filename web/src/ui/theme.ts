// The theme of all pages, light and dark, in the colour of the settings.
import {
  Button,
  type CSSVariablesResolver,
  colorsTuple,
  createTheme,
  DEFAULT_THEME,
  Input,
  type MantineThemeOverride,
} from '@mantine/core';
import { shadesOf, toHex } from './colour.ts';
import './fields.css';
import './focus.css';

/** The background behind cards. */
export const backdrop = 'light-dark(var(--mantine-color-gray-0), var(--mantine-color-dark-8))';

const { red: reds } = DEFAULT_THEME.colors;

/** Its two darkest shades are darker: white text on a button is legible, also under the pointer (WCAG 2.2, 1.4.3). */
const red = colorsTuple([...reds.slice(0, 8), reds[9], '#b02525']);

/** @param colour the name of a Mantine colour, or `#rrggbb`. */
export function createAppTheme(colour: string): MantineThemeOverride {
  return createTheme({
    colors: { brand: shadesOf(toHex(colour)).tuple, red },
    primaryColor: 'brand',
    primaryShade: 8,
    // Text on a colour is black or white, whichever is more legible (WCAG 2.2, 1.4.3).
    autoContrast: true,
    luminanceThreshold: 0.179,
    defaultRadius: 'md',
    cursorType: 'pointer',
    focusRing: 'auto',
    respectReducedMotion: true,
    fontFamily: 'system-ui, sans-serif',
    components: {
      // The text of a button wraps on a narrow screen instead of being cut off.
      Button: Button.extend({
        styles: {
          root: {
            display: 'inline-flex',
            alignItems: 'center',
            height: 'auto',
            minHeight: 'var(--button-height)',
            paddingBlock: 4,
          },
          inner: { flexGrow: 1 },
          label: { whiteSpace: 'normal', lineHeight: 1.35 },
        },
      }),
      // Like the focus ring: a light accent colour alone could not be seen (WCAG 2.2, 1.4.11).
      Input: Input.extend({ styles: { wrapper: { '--input-bd-focus': 'var(--mantine-color-anchor)' } } }),
      // Two buttons within one field are smaller than a target may be (WCAG 2.2, 2.5.8). The arrow keys do the same.
      NumberInput: { defaultProps: { hideControls: true } },
      // The button that shows the password must be reachable by keyboard (WCAG 2.2, 2.1.1).
      PasswordInput: { defaultProps: { visibilityToggleFocusable: true } },
    },
    headings: { fontFamily: 'system-ui, sans-serif' },
  });
}

/** Grounds of notices in dark mode: the shades of Mantine are so strong that they look like errors all over the page. */
const darkGrounds = Object.fromEntries(
  ['red', 'orange', 'yellow', 'green', 'blue'].map((name) => [
    `--mantine-color-${name}-light`,
    `color-mix(in srgb, var(--mantine-color-${name}-9) 30%, var(--mantine-color-dark-7))`,
  ]),
);

/** Makes dimmed text, errors, links and focus rings legible: the contrast of Mantine's colours is too low (WCAG 2.2, 1.4.3). */
export const createColourResolver = (colour: string): CSSVariablesResolver => {
  const { link, button, hover } = shadesOf(toHex(colour));
  const brandIn = (scheme: 'light' | 'dark') => ({
    '--mantine-color-anchor': link[scheme],
    '--mantine-color-brand-text': link[scheme],
    '--mantine-color-brand-outline': link[scheme],
    '--mantine-color-brand-filled': button[scheme],
    '--mantine-color-brand-filled-hover': hover[scheme],
  });
  return () => ({
    variables: {},
    light: {
      ...brandIn('light'),
      '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
      '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
      '--mantine-color-error': 'var(--mantine-color-red-9)',
    },
    dark: {
      ...brandIn('dark'),
      ...darkGrounds,
      '--mantine-color-dimmed': 'var(--mantine-color-dark-0)',
      '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
      '--mantine-color-error': 'var(--mantine-color-red-4)',
    },
  });
};
