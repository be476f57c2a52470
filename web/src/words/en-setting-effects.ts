// The effect of settings in words, in English. Durations are in words already.

const times = (count: number, one: string, many: string) => (count === 1 ? `1 ${one}` : `${count} ${many}`);
const list = (parts: readonly string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(parts);

export const settingEffects = {
  lockout: (count: number, time: string) =>
    `${times(count, 'wrong password or code locks', 'wrong passwords or codes in a row lock')} the user for ${time}.`,
  lockoutOff: 'Only 100 failures in a row lock a user.',
  password: (length: number, required: readonly string[]) =>
    required.length === 0
      ? `A new password needs at least ${length} characters of any kind.`
      : `A new password needs at least ${length} characters, with ${list(required)}.`,
  characters: {
    digit: 'a digit',
    lowercase: 'a lowercase letter',
    uppercase: 'an uppercase letter',
    other: 'another character',
  },
  autoLogoff: (time: string) =>
    `After ${time} without activity, open pages sign their user out. Until then, they keep the token valid.`,
  sleep: (time: string) => `A device that sleeps for longer than ${time} cannot, and its user is signed out.`,
  noAutoLogoff: (time: string) =>
    `Users without activity are signed out when their token expires. A token is valid for ${time}.`,
  resetBy: (ways: readonly string[]) =>
    ways.length === 0
      ? 'Users cannot reset a forgotten password. An administrator must do so.'
      : `Users reset a forgotten password with ${new Intl.ListFormat('en', { type: 'disjunction' }).format(ways)}.`,
  byLink: (time: string) => `a mailed link (valid for ${time})`,
  bySms: (time: string) => `a code by SMS (valid for ${time})`,
  byQuestions: (count: number) => times(count, 'answer to a security question', 'answers to security questions'),
  tooFewQuestions: (asked: number, listed: number) =>
    `Security questions reset no password: it takes ${asked} of them, and the list has ${listed}.`,
  rate: (count: number, time: string) =>
    `One address may make ${times(count, 'sign-in request', 'sign-in requests')} within ${time}.`,
  pinRate: (count: number, time: string) =>
    `It may request ${times(count, 'code or link', 'codes or links')} within ${time}.`,
  waitForWindow: 'Over the limit, it waits until the window ends.',
  waitAtLeast: (time: string) => `Over the limit, it waits until the window ends, and for ${time} at least.`,
  session: (time: string) => `Users sign in again ${time} after their last sign-in.`,
  token: (time: string) => `A token is valid for ${time}. Clients refresh it while their user is active.`,
  tokenUntilIdle: (time: string, idle: string) =>
    `A token is valid for ${time}. Open pages refresh it until their user has been inactive for ${idle}.`,
  pins: (count: string, attempts: number) =>
    `There are ${count} possible codes. A code allows ${times(attempts, 'attempt', 'attempts')}.`,
  resend: (count: number, time: string) =>
    `A user can request another code after ${time}, and ${times(count, 'message', 'messages')} per day.`,
  resendAtOnce: (count: number) =>
    `A user can request another code at once, and ${times(count, 'message', 'messages')} per day.`,
  noFactors: 'Users cannot enroll a second factor.',
  factors: (kinds: readonly string[], isRequired: boolean) =>
    isRequired
      ? `Users can enroll ${list(kinds)}. Users with permissions must enroll one.`
      : `Users can enroll ${list(kinds)}.`,
  kinds: { passkeys: 'passkeys', authenticator: 'an authenticator app' },
  noRegistration: 'Users cannot register. Administrators create users.',
  registration: {
    email: 'Users register with an e-mail address, and choose a user name.',
    emailAsName: 'Users register with an e-mail address, which becomes their user name.',
    sms: 'Users register with a mobile number.',
  },
};
