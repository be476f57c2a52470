// The settings and errors of accounts.
import { accountErrors } from './declarations.ts';
import { phoneNumberSetting } from './phone-number.ts';

export const accountsSlice = {
  declarations: { settings: [phoneNumberSetting], errors: [accountErrors] },
};
