// The compound setting "Security Settings" (specification 2.2), with its members in the order of the form.
import { Type } from 'typebox';
import { defineSetting, type MeansNeed, type Need, Seconds, type Warning } from '../foundation/setting.ts';

const guessableAnswers: Warning = {
  is: true,
  text: 'Other people often know or guess the answers, and can take over the account with them.',
  source: 'OWASP ASVS 6.4.2, NIST SP 800-63B-4 3.1.1.2',
};

/** @param needs the conditions of which one must hold, or else the duration has no effect. */
const seconds = (title: string, description: string, minimum: number, maximum: number, needs: readonly Need[]) =>
  Seconds({ title, description, minimum, maximum, 'x-needs': needs });

const isOn = (member: string): readonly Need[] => [{ member, is: true }];

export const securitySettings = defineSetting({
  name: 'Shesha.Security',
  scope: 'general',
  category: 'Security',
  label: 'Security Settings',
  description: 'Automatic log-off, and how users can reset a forgotten password.',
  kind: 'compound',
  order: 10,
  public: true,
  schema: Type.Object({
    useAutoLogoff: Type.Boolean({
      title: 'Use auto logoff',
      description: 'The service signs users out after a time without activity in any tab.',
    }),
    autoLogoffTimeout: seconds(
      'Auto logoff timeout',
      'How long a session may be idle before the user is signed out. Open pages keep the token valid until then.',
      120,
      86_400,
      isOn('useAutoLogoff'),
    ),
    useResetPasswordViaEmailLink: Type.Boolean({
      title: 'Use reset password via email link',
      description: 'Users can reset a password with a link that the service mails to the verified address.',
      'x-means': [{ is: true, means: 'email', otherwise: false } satisfies MeansNeed],
    }),
    resetPasswordEmailLinkLifetime: seconds(
      'Reset password email link lifetime',
      'How long the link stays valid.',
      60,
      86_400,
      isOn('useResetPasswordViaEmailLink'),
    ),
    useResetPasswordViaSmsOtp: Type.Boolean({
      title: 'Use reset password via SMS OTP',
      description:
        'Users can reset a password with a one-time pin that the service sends to the verified mobile number.',
      'x-means': [{ is: true, means: 'sms', otherwise: false } satisfies MeansNeed],
    }),
    resetPasswordSmsOtpLifetime: seconds(
      'Reset password SMS OTP lifetime',
      'How long the code stays valid.',
      30,
      600,
      isOn('useResetPasswordViaSmsOtp'),
    ),
    mobileLoginPinLifetime: seconds(
      'Mobile login pin lifetime',
      'How long the code of a sign-in without password stays valid.',
      30,
      600,
      [{ means: 'sms' }, { means: 'email' }],
    ),
    useResetPasswordViaSecurityQuestions: Type.Boolean({
      title: 'Use reset password via security questions',
      description:
        'Users can reset a password with answers to security questions. Off by default, because other people often know or guess the answers (OWASP ASVS 6.4.2, NIST SP 800-63B-4).',
      'x-warning': guessableAnswers,
    }),
    resetPasswordViaSecurityQuestionsNumQuestionsAllowed: Type.Integer({
      title: 'Number of security questions',
      description:
        'How many questions a user must answer, all of them correctly. While the list has fewer questions, they reset no password.',
      minimum: 1,
      maximum: 10,
      'x-needs': [{ member: 'useResetPasswordViaSecurityQuestions', is: true }],
    }),
  }),
  // Shesha's client turns automatic log-off off by a timeout of 0.
  adapt: ({ autoLogoffTimeout, ...members }) =>
    autoLogoffTimeout === 0
      ? { ...members, useAutoLogoff: false }
      : { ...members, ...(autoLogoffTimeout !== undefined && { autoLogoffTimeout }) },
  default: {
    useAutoLogoff: false,
    autoLogoffTimeout: 1800,
    useResetPasswordViaEmailLink: true,
    resetPasswordEmailLinkLifetime: 1800,
    useResetPasswordViaSmsOtp: true,
    resetPasswordSmsOtpLifetime: 300,
    mobileLoginPinLifetime: 300,
    useResetPasswordViaSecurityQuestions: false,
    resetPasswordViaSecurityQuestionsNumQuestionsAllowed: 3,
  },
});
