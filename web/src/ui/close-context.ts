// How the content of a dialog closes it.
import { createContext } from 'react';

/** Absent outside a dialog. */
export const CloseContext = createContext<(() => void) | undefined>(undefined);
