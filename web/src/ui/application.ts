// What the application is called and looks like, as the settings say.
import { createContext, useContext } from 'react';

export type Application = { readonly name: string; readonly colour: string };

/** Until the settings are read, and where they cannot be. */
export const plainApplication: Application = { name: 'Latchkey', colour: 'blue' };

export const ApplicationContext = createContext(plainApplication);

export const useApplication = () => useContext(ApplicationContext);
