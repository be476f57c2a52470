// The catalogue: every setting, error and action there is; from it come the API, the audit trail's words and the reference.

import { administrationActions, administrationErrors } from './account-administration/index.ts';
import { accountErrors } from './accounts/index.ts';
import { type ErrorKind, permissionErrors, requestErrors, serviceErrors } from './foundation/errors.ts';
import type { Action } from './foundation/events.ts';
import type { SettingDefinition } from './foundation/setting.ts';
import { frontEndActions, frontEndErrors } from './front-ends/index.ts';
import { lockoutSettings } from './lockout/index.ts';
import { myAccountActions } from './my-account/index.ts';
import { passwordErrors, passwordSettings } from './passwords/index.ts';
import { rateLimitActions, rateLimitErrors, rateLimitingSetting } from './rate-limits/index.ts';
import { securitySettings, settingActions, settingErrors } from './settings/index.ts';
import { signInActions, signInErrors } from './sign-in/index.ts';
import { keyActions, sessionActions, sessionErrors, tokenErrors, tokenSettings } from './tokens/index.ts';

/** In the order of the settings page. */
export const settingDefinitions: readonly SettingDefinition[] = [
  securitySettings,
  ...Object.values(lockoutSettings),
  tokenSettings,
  ...Object.values(passwordSettings),
  rateLimitingSetting,
].toSorted((a, b) => a.order - b.order);

/** By reason. */
export const errorKinds: readonly ErrorKind[] = [
  requestErrors,
  tokenErrors,
  signInErrors,
  passwordErrors,
  permissionErrors,
  accountErrors,
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
  administrationActions,
  settingActions,
  frontEndActions,
  rateLimitActions,
  keyActions,
].flatMap((table) => Object.values<Action>(table));
