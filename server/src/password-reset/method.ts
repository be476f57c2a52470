// The methods to reset a forgotten password. The Security Settings switch each of them on and off.
import type { SettingReader } from '../foundation/setting.ts';
import { lacksQuestions, securityQuestionSetting } from '../security-questions/index.ts';
import { resetMethodErrors, securitySettings } from '../settings/index.ts';

/** The methods, by the numbers that existing front ends know. */
export const ResetMethod = { emailLink: 2, sms: 4, questions: 8 } as const;
export type ResetMethod = (typeof ResetMethod)[keyof typeof ResetMethod];

/** Methods that send a pin to a verified address. */
export type PinMethod = typeof ResetMethod.emailLink | typeof ResetMethod.sms;

/** The fields of the Security Settings that switch the methods. */
export const switches = {
  [ResetMethod.emailLink]: 'useResetPasswordViaEmailLink',
  [ResetMethod.sms]: 'useResetPasswordViaSmsOtp',
  [ResetMethod.questions]: 'useResetPasswordViaSecurityQuestions',
} as const;

/** All methods, in the order of the options. */
export const resetMethods: readonly ResetMethod[] = Object.values(ResetMethod);

/** Returns whether the method is switched on, and for questions whether the list has enough of them. */
export function isAllowed(settings: SettingReader, method: ResetMethod): boolean {
  const security = settings.read(securitySettings);
  if (method === ResetMethod.questions && lacksQuestions(security, settings.read(securityQuestionSetting)))
    return false;
  return security[switches[method]];
}

/** @throws AuthError `reset.methodNotAllowed` when the method is not allowed, for every name alike. */
export function requireAllowed(settings: SettingReader, method: ResetMethod): void {
  if (!isAllowed(settings, method)) throw resetMethodErrors.methodNotAllowed();
}
