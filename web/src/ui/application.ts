// The name and colour of the application, from the settings.
import { createContext, useContext } from 'react';

export type Application = { readonly name: string; readonly colour: string };

/** The name and colour until the settings are read, and if they cannot be read. */
export const plainApplication: Application = { name: 'Latchkey', colour: 'blue' };

export const ApplicationContext = createContext(plainApplication);

export const useApplication = () => useContext(ApplicationContext);
