// The catalogue: every setting, error and action there is; from it come the API, the audit trail's words and the reference.

import { administrationActions, administrationErrors } from '../account-administration/index.ts';
import { accountErrors, phoneNumberSetting } from '../accounts/index.ts';
import { auditSettings } from '../audit/index.ts';
import { addressInUseMessage, applicationSetting, messageActions, verificationPinMessage } from '../delivery/index.ts';
import { type ErrorKind, permissionErrors, requestErrors, serviceErrors } from '../foundation/errors.ts';
import type { Action } from '../foundation/events.ts';
import type { SettingDefinition } from '../foundation/setting.ts';
import { frontEndActions, frontEndErrors } from '../front-ends/index.ts';
import { lockoutSettings } from '../lockout/index.ts';
import {
  addressChangedMessage,
  externalLoginLinkedMessage,
  externalLoginUnlinkedMessage,
  myAccountActions,
  questionsChangedMessage,
} from '../my-account/index.ts';
import {
  passwordChangedMessage,
  resetActions,
  resetErrors,
  resetLinkMessage,
  resetPinMessage,
} from '../password-reset/index.ts';
import { passwordErrors, passwordSettings } from '../passwords/index.ts';
import { otpSettings, pinErrors } from '../pins/index.ts';
import { externalErrors, externalLoginErrors } from '../providers/index.ts';
import { rateLimitActions, rateLimitErrors, rateLimitingSetting } from '../rate-limits/index.ts';
import {
  registrationActions,
  registrationErrors,
  userManagementSetting,
  verificationLinkMessage,
} from '../registration/index.ts';
import { securityQuestionSetting } from '../security-questions/index.ts';
import { securitySettings, settingActions, settingErrors } from '../settings/index.ts';
import { signInActions, signInErrors, signInPinMessage } from '../sign-in/index.ts';
import { keyActions, sessionActions, sessionErrors, tokenErrors, tokenSettings } from '../tokens/index.ts';

/** In the order of the settings page. */
export const settingDefinitions: readonly SettingDefinition[] = [
  securitySettings,
  ...Object.values(lockoutSettings),
  tokenSettings,
  securityQuestionSetting,
  ...Object.values(passwordSettings),
  rateLimitingSetting,
  otpSettings,
  phoneNumberSetting,
  signInPinMessage,
  verificationPinMessage,
  verificationLinkMessage,
  addressInUseMessage,
  externalLoginLinkedMessage,
  externalLoginUnlinkedMessage,
  addressChangedMessage,
  questionsChangedMessage,
  userManagementSetting,
  resetLinkMessage,
  resetPinMessage,
  passwordChangedMessage,
  applicationSetting,
  auditSettings,
].toSorted((a, b) => a.order - b.order);

/** By reason. */
export const errorKinds: readonly ErrorKind[] = [
  requestErrors,
  tokenErrors,
  signInErrors,
  pinErrors,
  passwordErrors,
  resetErrors,
  permissionErrors,
  accountErrors,
  registrationErrors,
  externalErrors,
  externalLoginErrors,
  administrationErrors,
  sessionErrors,
  settingErrors,
  frontEndErrors,
  rateLimitErrors,
  serviceErrors,
].flatMap((table) => Object.values<ErrorKind>(table));

/** By name. */
export const actions: readonly Action[] = [
  signInActions,
  sessionActions,
  myAccountActions,
  registrationActions,
  administrationActions,
  settingActions,
  frontEndActions,
  rateLimitActions,
  messageActions,
  resetActions,
  keyActions,
].flatMap((table) => Object.values<Action>(table));
