// What every part of the settings page shares: definitions, values and unsaved changes.
import { createContext, useContext } from 'react';
import type { Means } from '../../api/means.ts';
import { DEFAULT_FRONT_END, type Definition } from './definition.ts';
import type { FrontEnd } from './scope-chooser.tsx';
import type { Edits } from './use-edits.ts';
import { applyMeans, placeOf, type ReadByName, type Values } from './values.ts';

export type SettingsState = {
  readonly definitions: readonly Definition[];
  readonly frontEnds: readonly FrontEnd[];
  readonly means: Means;
  readonly values: Values;
  readonly edits: Edits;
};

export const SettingsContext = createContext<SettingsState | undefined>(undefined);

export function useSettings(): SettingsState {
  const state = useContext(SettingsContext);
  if (!state) throw new Error('The settings page provides no state.');
  return state;
}

/** Returns the function that reads what is typed or saved, as it applies, for the front end that the page shows. */
export function useReadByName(frontEnd: string | undefined): ReadByName {
  const { definitions, means, values, edits } = useSettings();
  return (name) => {
    const definition = definitions.find((one) => one.name === name);
    if (!definition) return undefined;
    const appKey = placeOf(definition, frontEnd ?? DEFAULT_FRONT_END);
    const edit = edits.find(definition, appKey);
    const value = edit ? edit.draft.value : values.read(definition, appKey);
    return { definition, value: applyMeans(definition, value, means) };
  };
}

/** The address of a setting's section, and of the setting in it. */
export function linkTo(definition: Definition, frontEnd: string | undefined, isMarked = true): string {
  const appKey = placeOf(definition, frontEnd ?? DEFAULT_FRONT_END);
  return `?${new URLSearchParams({
    ...(appKey !== undefined && { frontEnd: appKey }),
    category: definition.categoryName,
    ...(isMarked && { setting: definition.name }),
  })}`;
}
