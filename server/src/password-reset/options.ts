// Reset options: the methods that a name is offered. A name that has none set up is offered decoys.
import { nameKey, type PhoneNumbers } from '../accounts/index.ts';
import { maskWithoutEnding } from '../foundation/mask.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { isAllowed, ResetMethod, resetMethods } from './method.ts';
import type { QuestionSelector } from './question-selector.ts';
import type { RecipientResolver } from './recipient-resolver.ts';

/** A method that is offered, and the masked address that it sends to, if any. */
export type ResetOption = { method: ResetMethod; prompt: string; maskedIdentifier: string | null };

export interface ResetOptions {
  /**
   * Lists the methods that are switched on and that the named account has set up. A name without any gets decoys: always
   * the same ones, and at least one while any method is on.
   */
  list(name: string): Promise<ResetOption[]>;
}

/** The masked addresses of the offered methods. */
type Offered = ReadonlyMap<ResetMethod, string | null>;

const prompts: Readonly<Record<ResetMethod, string>> = {
  [ResetMethod.emailLink]: 'Send me a link by e-mail.',
  [ResetMethod.sms]: 'Send me a one-time password by SMS.',
  [ResetMethod.questions]: 'Let me answer my security questions.',
};

/** Of 256 unknown names, so many are offered e-mail, or SMS if the name is a number: most people have that. */
const MOST = 240;
/** Of 256 unknown names, so many are offered another method. */
const HALF = 128;

const letters = 'abcdefghijklmnopqrstuvwxyz';

export function createResetOptions(deps: {
  recipientResolver: RecipientResolver;
  questionSelector: QuestionSelector;
  phoneNumbers: PhoneNumbers;
  settings: SettingReader;
  secrets: Secrets;
}): ResetOptions {
  const { recipientResolver, questionSelector, phoneNumbers, settings, secrets } = deps;

  /** Finds the methods that are set up, as the methods themselves do. Masks are of case-folded addresses, like decoys. */
  async function findSetUp(name: string): Promise<Offered> {
    const [byMail, bySms, asked] = await Promise.all([
      recipientResolver.byName(name, ResetMethod.emailLink),
      recipientResolver.byName(name, ResetMethod.sms),
      questionSelector.select(name),
    ]);
    const offered = new Map<ResetMethod, string | null>();
    if (byMail.recipient) offered.set(ResetMethod.emailLink, maskWithoutEnding(nameKey(byMail.recipient.to)));
    if (bySms.recipient) offered.set(ResetMethod.sms, maskWithoutEnding(nameKey(bySms.recipient.to)));
    if (asked.hashes.size > 0) offered.set(ResetMethod.questions, null);
    return offered;
  }

  /** Returns bytes that are the same for each name and method, and that only this service can compute. */
  const deriveBytes = (method: ResetMethod, key: string) =>
    Buffer.from(secrets.mac('reset-decoy', `${method}/${key}`), 'base64url');

  function maskDecoyMail(key: string, [, chance = 0, letter = 0]: Uint8Array): string {
    if (/^[^\s@]+@[^\s@]+$/.test(key)) return maskWithoutEnding(key);
    // Three of four addresses begin like the user name.
    const initial = chance < 192 ? /^[a-z0-9]/.exec(key)?.[0] : undefined;
    const first = initial ?? letters[letter % letters.length];
    return maskWithoutEnding(`${first}@`);
  }

  function makeDecoy(key: string, method: ResetMethod): { isOffered: boolean; mask: string | null } {
    const bytes = deriveBytes(method, key);
    const [chance = 0, tens = 0, ones = 0] = bytes;
    if (method === ResetMethod.questions) return { isOffered: chance < HALF, mask: null };
    if (method === ResetMethod.emailLink) return { isOffered: chance < MOST, mask: maskDecoyMail(key, bytes) };
    const number = phoneNumbers.parse(key);
    if (number !== undefined && phoneNumbers.mayReceive(number)) {
      return { isOffered: chance < MOST, mask: maskWithoutEnding(number) };
    }
    return { isOffered: chance < HALF, mask: maskWithoutEnding(`${tens % 10}${ones % 10}`) };
  }

  /** Returns the options of a name that has nothing set up. */
  function makeDecoys(name: string, allowed: readonly ResetMethod[]): Offered {
    const decoys = allowed.map((method) => ({ method, ...makeDecoy(nameKey(name), method) }));
    const offered = decoys.filter(({ isOffered }) => isOffered);
    const shown = offered.length > 0 ? offered : decoys.slice(0, 1);
    return new Map(shown.map(({ method, mask }) => [method, mask]));
  }

  return {
    async list(name) {
      const allowed = resetMethods.filter((method) => isAllowed(settings, method));
      const setUp = await findSetUp(name);
      const offered = allowed.some((method) => setUp.has(method)) ? setUp : makeDecoys(name, allowed);
      return allowed.flatMap((method) => {
        const mask = offered.get(method);
        return mask === undefined ? [] : [{ method, prompt: prompts[method], maskedIdentifier: mask }];
      });
    },
  };
}
