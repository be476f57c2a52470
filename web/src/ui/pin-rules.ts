// How pins look and when another may be asked for, as the service's setting says.
import { latchkey } from '../api/latchkey.ts';
import { type Loaded, useLoad } from './use-load.ts';

export type PinRules = {
  /** Characters of a pin. */
  readonly length: number;
  readonly hasLetters: boolean;
  /** Seconds after a pin before another may be asked for. */
  readonly cooldown: number;
};

let reading: Promise<PinRules> | undefined;

async function read(): Promise<PinRules> {
  const setting = (await latchkey.call('Settings/GetValue', { name: 'Shesha.Otp' })) as {
    passwordLength: number;
    alphabet: string;
    resendCooldown: number;
  };
  const { passwordLength, alphabet, resendCooldown } = setting;
  return { length: passwordLength, hasLetters: /\D/.test(alphabet), cooldown: resendCooldown };
}

/** Read once for a page: what is changed meanwhile, the service's refusal tells. */
export function usePinRules(): Loaded<PinRules> {
  return useLoad(() => {
    reading ??= read().catch((error) => {
      reading = undefined;
      throw error;
    });
    return reading;
  });
}
