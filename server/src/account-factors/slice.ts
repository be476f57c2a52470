// The setting of account factors: the message to the owner.
import { factorsChangedMessage } from './templates.ts';

export const accountFactorsSlice = {
  declarations: { settings: [factorsChangedMessage] },
};
