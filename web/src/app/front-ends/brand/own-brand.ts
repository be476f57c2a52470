// The brand of one front end as it is stored, and what it takes from elsewhere.
import { latchkey, readSetting } from '../../../api/latchkey.ts';
import { type Brand, plainBrand } from '../../../ui/application.ts';
import { findChanges } from '../../settings/definition.ts';

export type BrandText = Brand['texts'][number];

const textMembers = [
  'name',
  'logo',
  'logoDark',
  'accent',
  'backgroundLight',
  'backgroundDark',
  'terms',
  'privacy',
  'support',
] as const;

export type TextMember = (typeof textMembers)[number];

/** The value of the setting `Latchkey.Brand`. An empty text stands for none. */
export type OwnBrand = Readonly<Record<TextMember, string>> & { readonly texts: readonly BrandText[] };

export const BRAND_SETTING = 'Latchkey.Brand';

const DEFAULT_FRONT_END = 'default-app';

/** Returns the typed form of the value: the API does not type settings. */
function toOwnBrand(value: Readonly<Record<string, unknown>>): OwnBrand {
  const text = (member: TextMember) => (typeof value[member] === 'string' ? value[member] : '');
  return {
    name: text('name'),
    logo: text('logo'),
    logoDark: text('logoDark'),
    accent: text('accent'),
    backgroundLight: text('backgroundLight'),
    backgroundDark: text('backgroundDark'),
    terms: text('terms'),
    privacy: text('privacy'),
    support: text('support'),
    texts: Array.isArray(value.texts) ? value.texts : [],
  };
}

export async function readBrandPage(appKey: string) {
  const isDefault = appKey === DEFAULT_FRONT_END;
  const [value, frontEnds, standard, application] = await Promise.all([
    latchkey.call('Settings/GetValue', { name: BRAND_SETTING, appKey }),
    latchkey.call('FrontEndApp/GetAll'),
    latchkey.call('FrontEndApp/GetBrand', { appKey: DEFAULT_FRONT_END }),
    readSetting('Latchkey.Application'),
  ]);
  const plain = { ...plainBrand, name: String(application.name), colour: String(application.colour) };
  return {
    own: toOwnBrand(typeof value === 'object' ? { ...value } : {}),
    frontEnd: frontEnds.items.find((one) => one.appKey === appKey),
    /** What applies where the front end leaves a member empty. */
    inherited: isDefault ? plain : standard,
  };
}

/** Returns the value that was read again, with the members that were typed since the former one was read. */
export function keepTyped(typed: OwnBrand, former: OwnBrand, next: OwnBrand): OwnBrand {
  return { ...next, ...findChanges(former, typed) };
}

/** Returns the path of a stored logo. */
export const pathOf = (logo: string) => (logo === '' ? null : `/brand/logos/${logo}`);

/** Returns the brand that pages will show. */
export function previewOf(own: OwnBrand, inherited: Brand): Brand {
  return {
    ...inherited,
    name: own.name.trim() || inherited.name,
    colour: own.accent || inherited.colour,
    logo: pathOf(own.logo) ?? inherited.logo,
    logoDark: pathOf(own.logoDark) ?? (own.logo === '' ? inherited.logoDark : null),
    backgroundLight: own.backgroundLight || inherited.backgroundLight,
    backgroundDark: own.backgroundDark || inherited.backgroundDark,
    terms: own.terms || inherited.terms,
    privacy: own.privacy || inherited.privacy,
    support: own.support || inherited.support,
    texts: own.texts.length > 0 ? [...own.texts] : inherited.texts,
  };
}
