// What settings do together, in words, from the values that are typed or saved.
import { describeDuration } from '../../ui/format.ts';
import { words } from '../../words/all.ts';
import { isRecord } from './definition.ts';
import type { ReadByName } from './values.ts';

const LOCKOUT = 'Abp.Zero.UserManagement.UserLockOut.';
const PASSWORD = 'Abp.Zero.UserManagement.PasswordComplexity.';

type Members = Readonly<Record<string, unknown>>;
type Describe = (members: Members, read: ReadByName) => string[];

/** The effect by the setting where it is shown. An effect of several settings is shown at the first. */
const effects: Readonly<Record<string, Describe>> = {
  [`${LOCKOUT}IsEnabled`](_, read) {
    const { lockout, lockoutOff } = words.settings.effects;
    if (read(`${LOCKOUT}IsEnabled`)?.value !== true) return [lockoutOff];
    const count = read(`${LOCKOUT}MaxFailedAccessAttemptsBeforeLockout`)?.value;
    const seconds = read(`${LOCKOUT}DefaultAccountLockoutSeconds`)?.value;
    return isNumber(count) && isNumber(seconds) ? [lockout(count, describeDuration(seconds))] : [];
  },
  [`${PASSWORD}RequireDigit`](_, read) {
    const { password, characters } = words.settings.effects;
    const length = read(`${PASSWORD}RequiredLength`)?.value;
    const rules = [
      ['RequireDigit', characters.digit],
      ['RequireLowercase', characters.lowercase],
      ['RequireUppercase', characters.uppercase],
      ['RequireNonAlphanumeric', characters.other],
    ] as const;
    const required = rules.filter(([name]) => read(PASSWORD + name)?.value === true).map(([, text]) => text);
    return isNumber(length) ? [password(length, required)] : [];
  },
  'Shesha.Security'(members, read) {
    const text = words.settings.effects;
    const { useAutoLogoff, autoLogoffTimeout: idle, resetPasswordEmailLinkLifetime: link } = members;
    const { resetPasswordSmsOtpLifetime: sms } = members;
    const { resetPasswordViaSecurityQuestionsNumQuestionsAllowed: questions } = members;
    const list = members.useResetPasswordViaSecurityQuestions ? read('Latchkey.SecurityQuestions')?.value : undefined;
    const lacking =
      Array.isArray(list) &&
      isNumber(questions) &&
      list.length < questions &&
      text.tooFewQuestions(questions, list.length);
    const ways = [
      members.useResetPasswordViaEmailLink && isNumber(link) && text.byLink(describeDuration(link)),
      members.useResetPasswordViaSmsOtp && isNumber(sms) && text.bySms(describeDuration(sms)),
      members.useResetPasswordViaSecurityQuestions && isNumber(questions) && !lacking && text.byQuestions(questions),
    ].filter((way) => typeof way === 'string');
    const token = readMember(read, 'Latchkey.Tokens', 'accessTokenLifetime');
    const logoff = [
      useAutoLogoff && isNumber(idle) && text.autoLogoff(describeDuration(idle)),
      useAutoLogoff && isNumber(idle) && isNumber(token) && token < idle && text.sleep(describeDuration(token)),
      !useAutoLogoff && isNumber(token) && text.noAutoLogoff(describeDuration(token)),
    ].filter((one) => typeof one === 'string');
    return [...logoff, text.resetBy(ways), ...(lacking ? [lacking] : [])];
  },
  'Latchkey.RateLimiting'(members) {
    const text = words.settings.effects;
    const { loginPermitLimit, loginWindowSeconds, otpPermitLimit, otpWindowSeconds, retryAfterSeconds } = members;
    if (!isNumber(loginPermitLimit) || !isNumber(loginWindowSeconds)) return [];
    if (!isNumber(otpPermitLimit) || !isNumber(otpWindowSeconds) || !isNumber(retryAfterSeconds)) return [];
    return [
      text.rate(loginPermitLimit, describeDuration(loginWindowSeconds)),
      text.pinRate(otpPermitLimit, describeDuration(otpWindowSeconds)),
      retryAfterSeconds === 0 ? text.waitForWindow : text.waitAtLeast(describeDuration(retryAfterSeconds)),
    ];
  },
  'Latchkey.Tokens'({ accessTokenLifetime: token, sessionLifetime: session }, read) {
    const text = words.settings.effects;
    if (!isNumber(token) || !isNumber(session)) return [];
    const isOn = readMember(read, 'Shesha.Security', 'useAutoLogoff') === true;
    const idle = readMember(read, 'Shesha.Security', 'autoLogoffTimeout');
    const valid = describeDuration(Math.min(token, session));
    return [
      text.session(describeDuration(session)),
      isOn && isNumber(idle) ? text.tokenUntilIdle(valid, describeDuration(idle)) : text.token(valid),
    ];
  },
  'Shesha.Otp'({ passwordLength, alphabet, maxAttempts, resendCooldown, dailyLimitPerRecipient }) {
    const text = words.settings.effects;
    if (!isNumber(passwordLength) || !isNumber(maxAttempts) || typeof alphabet !== 'string') return [];
    if (!isNumber(resendCooldown) || !isNumber(dailyLimitPerRecipient)) return [];
    const format = new Intl.NumberFormat(document.documentElement.lang, {
      notation: 'compact',
      compactDisplay: 'long',
    });
    return [
      text.pins(format.format(alphabet.length ** passwordLength), maxAttempts),
      resendCooldown === 0
        ? text.resendAtOnce(dailyLimitPerRecipient)
        : text.resend(dailyLimitPerRecipient, describeDuration(resendCooldown)),
    ];
  },
  'Latchkey.Factors'({ passkeys, authenticator, requireForPermissions }) {
    const { kinds, factors, noFactors } = words.settings.effects;
    const enabled = [passkeys === true && kinds.passkeys, authenticator === true && kinds.authenticator];
    const offered = enabled.filter((kind) => kind !== false);
    return [offered.length === 0 ? noFactors : factors(offered, requireForPermissions === true)];
  },
  'Shesha.UserManagement'({ supportedRegistrationMethods: method, userEmailAsUsername }) {
    const { registration, noRegistration } = words.settings.effects;
    if (method === 2) return [userEmailAsUsername ? registration.emailAsName : registration.email];
    return [method === 3 ? registration.sms : noRegistration];
  },
};

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** Returns a member of a compound setting. */
function readMember(read: ReadByName, setting: string, member: string): unknown {
  const value = read(setting)?.value;
  return isRecord(value) ? value[member] : undefined;
}

/** Returns the effects that are shown at these settings, in whole sentences. */
export function describeEffects(names: readonly string[], read: ReadByName): string[] {
  return names.flatMap((name) => {
    const value = read(name)?.value;
    return effects[name]?.(isRecord(value) ? value : {}, read) ?? [];
  });
}
