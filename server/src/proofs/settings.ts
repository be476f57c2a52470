// The setting of one-time pins.
import { type Static, Type } from 'typebox';
import { defineSetting, Seconds, type Warning } from '../foundation/setting.ts';

/** The minimum number of possible pins. With a million, five tries succeed once in 200,000 (NIST SP 800-63B-4, 3.2.2). */
const MIN_PINS = 1_000_000;

const seconds = (title: string, description: string, minimum: number, maximum: number) =>
  Seconds({ title, description, minimum, maximum });

const number = (title: string, description: string, minimum: number, maximum: number, warning?: Warning) =>
  Type.Integer({ title, description, minimum, maximum, ...(warning && { 'x-warning': warning }) });

const manyAttempts: Warning = {
  above: 100,
  text: 'Attackers get more than 100 attempts a day at the codes of one account.',
  source: 'NIST SP 800-63B-4 3.2.2',
};

const schema = Type.Object({
  passwordLength: number('Pin length', 'How many characters a code has.', 6, 12),
  alphabet: Type.String({
    title: 'Characters',
    description:
      'The letters and digits of codes, each once. Length and characters must allow a million codes or more.',
    minLength: 2,
    maxLength: 62,
    pattern: '^[0-9A-Za-z]*$',
  }),
  maxAttempts: number(
    'Attempts per pin',
    'How many attempts one code allows. After the last one, the code is invalid.',
    1,
    10,
  ),
  resendCooldown: seconds('Wait before another pin', 'How long a user must wait before another code or link.', 0, 600),
  dailyLimitPerRecipient: number(
    'Messages per day',
    'How many codes and links a user can request for one name, and the service sends to one address, per day. Every other SMS counts too.',
    1,
    1000,
  ),
  dailyAttemptsPerAccount: number(
    'Wrong pins per day',
    'After this many wrong codes for one account or address, the service accepts no code for it until the day ends.',
    5,
    1000,
    manyAttempts,
  ),
  verificationPinLifetime: seconds(
    'Verification pin lifetime',
    'How long the code or link that verifies a new e-mail address or mobile number stays valid.',
    60,
    3600,
  ),
});

/**
 * `Shesha.Otp`. Public, so that pages know the form of a pin and when a person can request another. Every value that it
 * reveals can also be found by trying.
 */
export const otpSettings = defineSetting({
  name: 'Shesha.Otp',
  scope: 'general',
  category: 'One-time pins',
  label: 'One-time pins',
  description: 'The form of the codes, and how often users can request and try them.',
  kind: 'compound',
  order: 200,
  public: true,
  schema,
  default: {
    passwordLength: 6,
    alphabet: '0123456789',
    maxAttempts: 5,
    resendCooldown: 60,
    dailyLimitPerRecipient: 10,
    dailyAttemptsPerAccount: 50,
    verificationPinLifetime: 600,
  },
  findProblems: ({ alphabet, passwordLength }: Static<typeof schema>) => {
    if (new Set(alphabet).size < alphabet.length) {
      return [{ message: 'Name each character only once.', members: ['alphabet'] }];
    }
    if (alphabet.length ** passwordLength >= MIN_PINS) return [];
    const message = `Use more characters or longer pins: at least ${MIN_PINS} pins must be possible.`;
    return [{ message, members: ['alphabet', 'passwordLength'] }];
  },
});
