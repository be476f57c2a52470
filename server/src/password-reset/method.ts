// The ways to reset a forgotten password, each switched by the Security Settings form.
import type { SettingReader } from '../foundation/setting.ts';
import { securitySettings } from '../settings/index.ts';
import { resetErrors } from './errors.ts';

/** By the numbers that existing front ends know them by. */
export const ResetMethod = { emailLink: 2, sms: 4, questions: 8 } as const;
export type ResetMethod = (typeof ResetMethod)[keyof typeof ResetMethod];

/** The fields that switch the methods. */
export const switches = {
  [ResetMethod.emailLink]: 'useResetPasswordViaEmailLink',
  [ResetMethod.sms]: 'useResetPasswordViaSmsOtp',
  [ResetMethod.questions]: 'useResetPasswordViaSecurityQuestions',
} as const;

/** All methods, in the order in which they are offered. */
export const resetMethods: readonly ResetMethod[] = Object.values(ResetMethod);

export function isAllowed(settings: SettingReader, method: ResetMethod): boolean {
  return settings.read(securitySettings)[switches[method]];
}

/** Ends in `reset.methodNotAllowed`, for everybody alike, when the method is switched off. */
export function requireAllowed(settings: SettingReader, method: ResetMethod): void {
  if (!isAllowed(settings, method)) throw resetErrors.methodNotAllowed();
}
