// The compound form "Security Settings" of the specification (2.2), its fields in the form's order.
import { Type } from 'typebox';
import { defineSetting, type Warning } from '../foundation/setting.ts';

const guessableAnswers: Warning = {
  is: true,
  text: 'Answers are often known to others or guessed, and whoever gives them gets the account (OWASP ASVS 6.4.2, NIST SP 800-63B-4).',
};

const seconds = (title: string, description: string, minimum: number, maximum: number) =>
  Type.Integer({ title, description, minimum, maximum, 'x-unit': 's' });

export const securitySettings = defineSetting({
  name: 'Shesha.Security',
  scope: 'general',
  category: 'Security',
  label: 'Security Settings',
  description: 'Automatic log-off, and the ways in which a forgotten password may be reset.',
  kind: 'compound',
  order: 10,
  public: true,
  schema: Type.Object({
    useAutoLogoff: Type.Boolean({
      title: 'Use auto logoff',
      description: 'Sign a person off after a time without activity in any tab.',
    }),
    autoLogoffTimeout: seconds(
      'Auto logoff timeout',
      'How long a session may be idle, while auto logoff is used.',
      120,
      86_400,
    ),
    useResetPasswordViaEmailLink: Type.Boolean({
      title: 'Use reset password via email link',
      description: 'Allow to reset a password by a link that is mailed to the confirmed address.',
    }),
    resetPasswordEmailLinkLifetime: seconds(
      'Reset password email link lifetime',
      'How long the link stays valid.',
      60,
      86_400,
    ),
    useResetPasswordViaSmsOtp: Type.Boolean({
      title: 'Use reset password via SMS OTP',
      description: 'Allow to reset a password by a one-time password that is sent to the confirmed mobile number.',
    }),
    resetPasswordSmsOtpLifetime: seconds(
      'Reset password SMS OTP lifetime',
      'How long the one-time password stays valid.',
      30,
      600,
    ),
    mobileLoginPinLifetime: seconds(
      'Mobile login pin lifetime',
      'How long the pin of a passwordless sign-in stays valid.',
      30,
      600,
    ),
    useResetPasswordViaSecurityQuestions: Type.Boolean({
      title: 'Use reset password via security questions',
      description:
        'Allow to reset a password by answering questions. Off by default: answers are often known or guessed by others (OWASP ASVS 6.4.2, NIST SP 800-63B-4).',
      'x-warning': guessableAnswers,
    }),
    resetPasswordViaSecurityQuestionsNumQuestionsAllowed: Type.Integer({
      title: 'Number of security questions',
      description: 'How many questions must be answered, all of them correctly.',
      minimum: 1,
      maximum: 10,
    }),
  }),
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
