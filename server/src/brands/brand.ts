// Brand rules: which value applies to a front end, and the colours that have a name.
import type { Static } from 'typebox';
import type { applicationSetting, brandSetting } from './settings.ts';

export type OwnBrand = Static<typeof brandSetting.schema>;
export type Application = Static<typeof applicationSetting.schema>;

/** What pages and messages show. An empty text stands for none. */
export type Brand = Omit<OwnBrand, 'accent'> & {
  /** A name of `Latchkey.Application`, or `#rrggbb`. */
  readonly colour: string;
};

/** Returns the brand of a front end. What it leaves empty comes from `standard`, then from `application`. */
export function combineBrand(own: OwnBrand, standard: OwnBrand, application: Application): Brand {
  const first = (member: Exclude<keyof OwnBrand, 'texts'>) => own[member] || standard[member];
  return {
    name: first('name') || application.name,
    colour: first('accent') || application.colour,
    logo: first('logo'),
    // A front end's own logo never stands beside that of Default UI.
    logoDark: own.logo === '' ? first('logoDark') : own.logoDark,
    backgroundLight: first('backgroundLight'),
    backgroundDark: first('backgroundDark'),
    terms: first('terms'),
    privacy: first('privacy'),
    support: first('support'),
    texts: own.texts.length > 0 ? own.texts : standard.texts,
  };
}

/** The colours of `Latchkey.Application`, for messages: the shades that the pages use. */
const shades: Readonly<Record<Application['colour'], string>> = {
  blue: '#1971c2',
  cyan: '#0c8599',
  grape: '#9c36b5',
  gray: '#343a40',
  green: '#2f9e44',
  indigo: '#3b5bdb',
  orange: '#e8590c',
  pink: '#c2255c',
  red: '#e03131',
  teal: '#099268',
  violet: '#6741d9',
};

const isNamed = (colour: string): colour is Application['colour'] => Object.hasOwn(shades, colour);

/** Returns a colour as `#rrggbb`. */
export const toHexColour = (colour: string): string => (isNamed(colour) ? shades[colour] : colour);
