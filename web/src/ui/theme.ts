// The look: one theme for all pages, in light and dark, in the colour that the settings name.
import { type CSSVariablesResolver, createTheme, type MantineThemeOverride } from '@mantine/core';

/** What cards stand on. */
export const backdrop = 'light-dark(var(--mantine-color-gray-0), var(--mantine-color-dark-8))';

/** @param colour one of the theme's own. */
export function createLook(colour: string): MantineThemeOverride {
  return createTheme({
    primaryColor: colour,
    // Dark enough to read white on it, in either scheme (WCAG 2.2, 1.4.3).
    primaryShade: { light: 8, dark: 9 },
    defaultRadius: 'md',
    cursorType: 'pointer',
    focusRing: 'auto',
    respectReducedMotion: true,
    fontFamily: 'system-ui, sans-serif',
    // Also what only shows the password is reached by keyboard (WCAG 2.2, 2.1.1).
    components: { PasswordInput: { defaultProps: { visibilityToggleFocusable: true } } },
    headings: { fontFamily: 'system-ui, sans-serif' },
  });
}

/** Quiet text and errors stay legible: the theme's own are too pale (WCAG 2.2, 1.4.3). */
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
