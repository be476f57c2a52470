// The setting of one-time pins.
import { type Static, Type } from 'typebox';
import { defineSetting } from '../foundation/setting.ts';

/** The minimum number of possible pins. With a million, five tries succeed once in 200,000 (NIST SP 800-63B-4, 3.2.2). */
const MIN_PINS = 1_000_000;

const seconds = (title: string, description: string, minimum: number, maximum: number) =>
  Type.Integer({ title, description, minimum, maximum, 'x-unit': 's' });

const number = (title: string, description: string, minimum: number, maximum: number) =>
  Type.Integer({ title, description, minimum, maximum });

const schema = Type.Object({
  passwordLength: number('Pin length', 'How many characters a pin has.', 6, 12),
  alphabet: Type.String({
    title: 'Characters',
    description: 'The letters and digits of pins, each once. Characters and length must allow a million pins or more.',
    minLength: 2,
    maxLength: 62,
    pattern: '^[0-9A-Za-z]*$',
  }),
  maxAttempts: number('Tries', 'How many tries one pin allows. After that it is invalid.', 1, 10),
  resendCooldown: seconds('Wait before the next', 'How long after a pin or link a person can request another.', 0, 600),
  dailyLimitPerRecipient: number(
    'Messages a day',
    'How many pins and links a person can request for one name, and the service sends to one address, in a day.',
    1,
    1000,
  ),
  dailyAttemptsPerAccount: number(
    'Wrong pins a day',
    'After this many wrong pins for one account or address, the service accepts no pin for it until the day is over.',
    5,
    1000,
  ),
  verificationPinLifetime: seconds(
    'Verification pin lifetime',
    'How long the pin or link that verifies a new e-mail address or mobile number stays valid.',
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
  description: 'The form of pins, and how often people can request and try them.',
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
      return [{ message: 'alphabet must have each character only once.', members: ['alphabet'] }];
    }
    if (alphabet.length ** passwordLength >= MIN_PINS) return [];
    const message = `alphabet and passwordLength must allow ${MIN_PINS} pins or more.`;
    return [{ message, members: ['alphabet', 'passwordLength'] }];
  },
});
