// The settings and errors of passwords.
import { passwordErrors } from './declarations.ts';
import { passwordSettings } from './settings.ts';

export const passwordsSlice = {
  declarations: { settings: Object.values(passwordSettings), errors: [passwordErrors] },
};
