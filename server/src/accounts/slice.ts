// The settings and errors of accounts.
import { accountErrors } from './errors.ts';
import { phoneNumberSetting } from './phone-number.ts';

export const accountDefinitions = { settings: [phoneNumberSetting], errors: [accountErrors] };
