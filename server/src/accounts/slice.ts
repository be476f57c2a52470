// The settings and errors of accounts.
import { accountErrors } from './errors.ts';
import { phoneNumberSetting } from './phone-number.ts';

export const accountsSlice = {
  declarations: { settings: [phoneNumberSetting], errors: [accountErrors] },
};
