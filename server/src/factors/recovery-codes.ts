// Recovery codes: ten codes of 125 bits that replace a lost second factor. Each works once (ASVS 6.5.1 and 6.5.2, NIST SP 800-63B-4, 3.1.2).
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import { readCode } from '../foundation/typed-text.ts';
import type { Statements, Tx } from '../storage/database.ts';
import type { RecoveryCodeStore } from './store.devices.sql.ts';

const CODES = 10;
/** Crockford's base 32 has no letters that look like digits. Each character holds five bits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CHARACTERS = 25;
const GROUP = /.{5}/g;
/** Codes that were made before 27 November 2026. */
const FORMER_CHARACTERS = 10;

export interface RecoveryCodes {
  count(on: Statements, accountId: number): Promise<number>;
  /** Makes ten codes in place of all former ones. @returns them, in groups such as `x7k2m-9qd4r-3hw8p-t5n1z-k8c6v`. */
  replace(tx: Tx, accountId: number): Promise<string[]>;
  /** Uses up a code, in any case and with or without the dashes. Of several parallel calls one gets `true`. */
  use(tx: Tx, accountId: number, code: string): Promise<boolean>;
  removeAll(tx: Tx, accountId: number): Promise<void>;
}

export function createRecoveryCodes(deps: {
  store: RecoveryCodeStore;
  secrets: Secrets;
  random: Random;
}): RecoveryCodes {
  const { store, secrets, random } = deps;
  const macOf = (accountId: number, code: string) => secrets.mac('recovery-code', `${accountId} ${code}`);

  return {
    count: (on, accountId) => store.count(on, accountId),

    async replace(tx, accountId) {
      const codes = Array.from({ length: CODES }, () => createCode(random));
      await store.removeAll(tx.sql, accountId);
      await store.add(
        tx.sql,
        accountId,
        codes.map((code) => macOf(accountId, code)),
      );
      // Mutation: `code.match(GROUP)?.join('-') ?? code` becomes `code.match(GROUP)?.join('-')`. A code has groups: the default is only for the compiler.
      return codes.map((code) => code.match(GROUP)?.join('-') ?? code);
    },

    async use(tx, accountId, typed) {
      const code = readRecoveryCode(typed);
      return code !== undefined && store.take(tx.sql, macOf(accountId, code));
    },
    removeAll: (tx, accountId) => store.removeAll(tx.sql, accountId),
  };
}

/** The alphabet has 32 characters, so that the remainder of a byte is evenly distributed. */
function createCode(random: Random): string {
  return [...random.bytes(CHARACTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** Returns a code as it was made, or `undefined` if the text is none. People write o for 0, and i or l for 1. */
export function readRecoveryCode(typed: string): string | undefined {
  const code = readCode(typed).toLowerCase().replaceAll('o', '0').replace(/[il]/g, '1');
  const isCode = [CHARACTERS, FORMER_CHARACTERS].includes(code.length);
  return isCode && [...code].every((character) => ALPHABET.includes(character)) ? code : undefined;
}
