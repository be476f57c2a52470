// The setting of one-time pins.
import { type Static, Type } from 'typebox';
import { defineSetting } from '../foundation/setting.ts';

/** The fewest pins there must be: a million, so that five tries guess right once in 200,000 times (NIST SP 800-63B-4, 3.2.2). */
const FEWEST_PINS = 1_000_000;

const seconds = (title: string, description: string, minimum: number, maximum: number) =>
  Type.Integer({ title, description, minimum, maximum, 'x-unit': 's' });

const number = (title: string, description: string, minimum: number, maximum: number) =>
  Type.Integer({ title, description, minimum, maximum });

const schema = Type.Object({
  passwordLength: number('Pin length', 'How many characters a pin has.', 6, 12),
  alphabet: Type.String({
    title: 'Characters',
    description: 'The letters and digits that pins are made of, each once. With length, a million pins or more.',
    minLength: 2,
    maxLength: 62,
    pattern: '^[0-9A-Za-z]*$',
  }),
  maxAttempts: number('Tries', 'How often one pin may be tried: then it is dead.', 1, 10),
  resendCooldown: seconds('Wait before the next', 'How long after a pin or link another may be asked for.', 0, 600),
  dailyLimitPerRecipient: number(
    'Messages a day',
    'How many pins and links one name may ask for, and one address is sent, in a day.',
    1,
    1000,
  ),
  dailyAttemptsPerAccount: number(
    'Wrong pins a day',
    'So many wrong pins for one account or address, over all that were sent, and every pin is wrong for the day.',
    5,
    1000,
  ),
  verificationPinLifetime: seconds(
    'Verification pin lifetime',
    'How long the pin or link that proves a new e-mail address or mobile number stays valid.',
    60,
    3600,
  ),
});

/** `Shesha.Otp`. Public, so that pages know what is typed and when to ask again: whoever has an address can find all of it out by trying. */
export const otpSettings = defineSetting({
  name: 'Shesha.Otp',
  scope: 'general',
  category: 'One-time pins',
  label: 'One-time pins',
  description: 'How pins look, and how often they may be asked for and tried.',
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
    if (alphabet.length ** passwordLength >= FEWEST_PINS) return [];
    const message = `alphabet and passwordLength must allow ${FEWEST_PINS} pins or more.`;
    return [{ message, members: ['alphabet', 'passwordLength'] }];
  },
});
