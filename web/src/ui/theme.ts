// The theme of all pages, light and dark, in the colour of the settings.
import { Button, type CSSVariablesResolver, createTheme, type MantineThemeOverride } from '@mantine/core';

/** The background behind cards. */
export const backdrop = 'light-dark(var(--mantine-color-gray-0), var(--mantine-color-dark-8))';

/** @param colour the name of a Mantine colour. */
export function createAppTheme(colour: string): MantineThemeOverride {
  return createTheme({
    primaryColor: colour,
    // Dark enough for white text in both schemes (WCAG 2.2, 1.4.3).
    primaryShade: { light: 8, dark: 9 },
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
      // The button that shows the password must be reachable by keyboard (WCAG 2.2, 2.1.1).
      PasswordInput: { defaultProps: { visibilityToggleFocusable: true } },
    },
    headings: { fontFamily: 'system-ui, sans-serif' },
  });
}

/** Darkens dimmed text and errors: the contrast of Mantine's colours is too low (WCAG 2.2, 1.4.3). */
export const resolveColours: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-0)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});
