// Options: by which ways a name may reset its password, with decoys for names of which nothing of the kind is known.
import { nameKey, type PhoneNumbers } from '../accounts/index.ts';
import { maskWithoutEnding } from '../foundation/mask.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { isAllowed, ResetMethod, resetMethods } from './method.ts';
import type { QuestionSelector } from './question-selector.ts';
import type { RecipientResolver } from './recipient-resolver.ts';

/** A way that is offered; the mask of where it leads, if it leads anywhere. */
export type ResetOption = { method: ResetMethod; prompt: string; maskedIdentifier: string | null };

export interface ResetOptions {
  /**
   * The methods that are switched on and set up for the account that is named. A name for which there is none gets some
   * that look alike, always the same ones: at least one, while any method is on.
   */
  list(name: string): Promise<ResetOption[]>;
}

/** Masks of what is offered, by method. */
type Offered = ReadonlyMap<ResetMethod, string | null>;

const prompts: Readonly<Record<ResetMethod, string>> = {
  [ResetMethod.emailLink]: 'Send me a link by e-mail.',
  [ResetMethod.sms]: 'Send me a one-time password by SMS.',
  [ResetMethod.questions]: 'Let me answer my security questions.',
};

/** Of 256 names that nobody has, so many are offered a method: most people have an e-mail address. */
const usual = 240;
const half = 128;

const letters = 'abcdefghijklmnopqrstuvwxyz';

export function createResetOptions(deps: {
  recipientResolver: RecipientResolver;
  questionSelector: QuestionSelector;
  phoneNumbers: PhoneNumbers;
  settings: SettingReader;
  secrets: Secrets;
}): ResetOptions {
  const { recipientResolver, questionSelector, phoneNumbers, settings, secrets } = deps;

  /** What is set up, as the ways themselves see it. Masks are of folded addresses: decoys know no upper case either. */
  async function findSetUp(name: string): Promise<Offered> {
    const [byMail, bySms, asked] = await Promise.all([
      recipientResolver.byName(name, ResetMethod.emailLink),
      recipientResolver.byName(name, ResetMethod.sms),
      questionSelector.select(name),
    ]);
    const offered = new Map<ResetMethod, string | null>();
    if (byMail.recipient) offered.set(ResetMethod.emailLink, maskWithoutEnding(byMail.recipient.addressKey));
    if (bySms.recipient) offered.set(ResetMethod.sms, maskWithoutEnding(bySms.recipient.addressKey));
    if (asked.hashes.size > 0) offered.set(ResetMethod.questions, null);
    return offered;
  }

  /** Numbers below 256 that only this server finds for a name and a method. */
  const draw = (method: ResetMethod, key: string) =>
    Buffer.from(secrets.mac('reset-decoy', `${method}/${key}`), 'base64url');

  function inventMail(key: string, [, borrowed = 0, letter = 0]: Uint8Array): string {
    if (/^[^\s@]+@[^\s@]+$/.test(key)) return maskWithoutEnding(key);
    // Most addresses begin as their owners' names do, and some do not.
    const own = borrowed < 192 ? /^[a-z0-9]/.exec(key)?.[0] : undefined;
    const first = own ?? letters[letter % letters.length];
    return maskWithoutEnding(`${first}@`);
  }

  function invent(key: string, method: ResetMethod): { isLikely: boolean; mask: string | null } {
    const drawn = draw(method, key);
    const [chance = 0, tens = 0, ones = 0] = drawn;
    if (method === ResetMethod.questions) return { isLikely: chance < half, mask: null };
    if (method === ResetMethod.emailLink) return { isLikely: chance < usual, mask: inventMail(key, drawn) };
    const number = phoneNumbers.parse(key);
    if (number !== undefined && phoneNumbers.mayReceive(number)) {
      return { isLikely: chance < usual, mask: maskWithoutEnding(number) };
    }
    return { isLikely: chance < half, mask: maskWithoutEnding(`${tens % 10}${ones % 10}`) };
  }

  /** What a name is offered for which nothing is set up. */
  function findDecoys(name: string, open: readonly ResetMethod[]): Offered {
    const decoys = open.map((method) => ({ method, ...invent(nameKey(name), method) }));
    const likely = decoys.filter(({ isLikely }) => isLikely);
    const shown = likely.length > 0 ? likely : decoys.slice(0, 1);
    return new Map(shown.map(({ method, mask }) => [method, mask]));
  }

  return {
    async list(name) {
      const open = resetMethods.filter((method) => isAllowed(settings, method));
      const setUp = await findSetUp(name);
      const offered = open.some((method) => setUp.has(method)) ? setUp : findDecoys(name, open);
      return open.flatMap((method) => {
        const mask = offered.get(method);
        return mask === undefined ? [] : [{ method, prompt: prompts[method], maskedIdentifier: mask }];
      });
    },
  };
}
