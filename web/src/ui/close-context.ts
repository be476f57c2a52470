// How the content of a dialog closes it, and holds it open.
import { createContext } from 'react';

/** Absent outside a dialog. */
export const CloseContext = createContext<
  | {
      readonly close: () => void;
      /** Holds the dialog open while a call is under way. Its result, such as a secret, may be shown only once. */
      readonly hold: (isBusy: boolean) => void;
    }
  | undefined
>(undefined);
