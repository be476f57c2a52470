// The format of pins and the time between two of them, from the settings.
import { readSetting } from '../api/latchkey.ts';
import { type Loaded, useLoad } from './use-load.ts';

export type PinRules = {
  /** The number of characters. */
  readonly length: number;
  readonly hasLetters: boolean;
  /** The seconds between two requests for a pin. */
  readonly cooldown: number;
};

let reading: Promise<PinRules> | undefined;

async function read(): Promise<PinRules> {
  const { passwordLength, alphabet, resendCooldown } = await readSetting('Shesha.Otp');
  return {
    length: Number(passwordLength),
    hasLetters: /\D/.test(String(alphabet)),
    cooldown: Number(resendCooldown),
  };
}

/** Reads the rules once for each page. After a change, the service still enforces the new rules. */
export function usePinRules(): Loaded<PinRules> {
  return useLoad(() => {
    reading ??= read().catch((error) => {
      reading = undefined;
      throw error;
    });
    return reading;
  });
}
