// The brand that these pages show: that of the front end they are for.
import type { Calls } from 'latchkey-sdk';
import { createContext, useContext } from 'react';

export type Brand = Calls['FrontEndApp/GetBrand']['result'];

/** The brand if it cannot be read. */
export const plainBrand: Brand = {
  frontEnd: 'default-app',
  name: 'Latchkey',
  colour: 'blue',
  logo: null,
  logoDark: null,
  backgroundLight: null,
  backgroundDark: null,
  terms: null,
  privacy: null,
  support: null,
  texts: [],
};

export const BrandContext = createContext(plainBrand);

export const useApplication = () => useContext(BrandContext);

/** Returns the texts for the reader's language, else the first ones. */
export function textsOf({ texts }: Brand): Brand['texts'][number] | undefined {
  const wanted = document.documentElement.lang.toLowerCase();
  const isWanted = ({ language }: { language: string }) => language.toLowerCase().split('-')[0] === wanted;
  return texts.find(isWanted) ?? texts[0];
}
