// Colours: contrast, and the shades of a brand's colour that stay legible (WCAG 2.2, 1.4.3 and 1.4.11).
import { DEFAULT_THEME, type MantineColorsTuple } from '@mantine/core';
import { BLACK, tokens, WHITE } from './tokens.ts';

type Rgb = readonly [number, number, number];

/** The least contrast of text with its background. */
export const TEXT_CONTRAST = 4.5;

/** The least contrast of a control with what is around it. */
const CONTROL_CONTRAST = 3;

/** The darkest background of text in light mode, and the card in dark mode. */
const [LIGHT_BACKDROP] = tokens.sunken;
const [, DARK_CARD] = tokens.card;

export const isHexColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** The shade of a named colour that pages use. */
const NAMED_SHADE = 8;

/** Returns a colour of the settings as `#rrggbb`. Blue, the default, is the ink of the logo. */
export function toHex(colour: string): string {
  if (isHexColour(colour)) return colour;
  const [ink] = tokens.accent;
  return colour === 'blue' ? ink : (DEFAULT_THEME.colors[colour]?.[NAMED_SHADE] ?? ink);
}

function toRgb(hex: string): Rgb {
  const read = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  return [read(1), read(3), read(5)];
}

const fromRgb = (channels: readonly number[]): string =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;

/** @param share how much of `other` the result has, from 0 to 1. */
function mix(hex: string, other: string, share: number): string {
  const [one, two] = [toRgb(hex), toRgb(other)];
  return fromRgb(one.map((channel, index) => channel + ((two[index] ?? 0) - channel) * share));
}

/** Returns the colour at its strongest light. With white, it becomes lighter and fades. */
const brighten = (hex: string): string =>
  fromRgb(toRgb(hex).map((channel, _, all) => (255 * channel) / Math.max(...all, 1)));

/** @param channel from 0 to 255. @returns its part of the light, from 0 to 1. */
function toLinear(channel: number): number {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

/** The relative luminance, from 0 to 1. */
function luminanceOf(hex: string): number {
  const [red, green, blue] = toRgb(hex);
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}

/** Returns the contrast of two colours, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns black or white, whichever is more legible on a colour. */
export const textOn = (hex: string): string => (contrastOf(hex, BLACK) > contrastOf(hex, WHITE) ? BLACK : WHITE);

/** Returns the nearest shade that has this contrast with a background. */
export function toLegible(hex: string, background = LIGHT_BACKDROP, least = TEXT_CONTRAST): string {
  const towards = textOn(background);
  for (let share = 0; share < 1; share += 0.02) {
    const shade = mix(hex, towards, share);
    if (contrastOf(shade, background) >= least) return shade;
  }
  return towards;
}

/** The colours that pages derive from a brand's colour. */
export type Shades = {
  /** From light to dark. The colour itself is at {@link NAMED_SHADE}. */
  readonly tuple: MantineColorsTuple;
  /** Of links in light and in dark mode. */
  readonly link: { readonly light: string; readonly dark: string };
  /** Of buttons, and of buttons below the pointer. */
  readonly button: { readonly light: string; readonly dark: string };
  readonly hover: { readonly light: string; readonly dark: string };
};

const TINTS = [0.95, 0.88, 0.76, 0.62, 0.48, 0.36, 0.24, 0.12];

export function shadesOf(hex: string): Shades {
  const [t0 = hex, t1 = hex, t2 = hex, t3 = hex, t4 = hex, t5 = hex, t6 = hex, t7 = hex] = TINTS.map((share) =>
    mix(hex, WHITE, share),
  );
  // Not as pale as the tint: it must differ from the greys of text.
  const darkLink = toLegible(mix(t4, brighten(hex), 0.5), DARK_CARD, TEXT_CONTRAST);
  const text = textOn(hex);
  // A dark colour is lightened in dark mode, so that buttons stand out. White stays legible on it.
  const dark = text === WHITE ? toLegible(hex, DARK_CARD, CONTROL_CONTRAST) : hex;
  const away = text === WHITE ? BLACK : WHITE;
  return {
    tuple: [t0, t1, t2, t3, darkLink, t5, t6, t7, hex, toLegible(hex, t1)],
    link: { light: toLegible(hex), dark: darkLink },
    button: { light: hex, dark },
    hover: { light: mix(hex, away, 0.12), dark: mix(dark, away, 0.12) },
  };
}
