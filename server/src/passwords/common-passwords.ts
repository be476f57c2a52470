// Common passwords: the ones that attackers try first (NIST SP 800-63B-4, 3.1.1.2; OWASP ASVS 6.2.4).
import { readFileSync } from 'node:fs';
import { commonPasswordsFile } from '../foundation/package-files.ts';

/** Words that an attacker of this service would add to the list. */
const ownWords = ['latchkey', 'shesha'];

const runs = ['abcdefghijklmnopqrstuvwxyz', '01234567890123456789', 'qwertyuiopasdfghjklzxcvbnm'].flatMap((run) => [
  run,
  [...run].reverse().join(''),
]);

/** In characters. A shorter word does not make the password around it weak. */
const minCore = 4;
const maxPadding = 6;
const minStrongUnit = 4;

let loaded: ReadonlySet<string> | undefined;

/**
 * Whether attackers try this password early. It is common if it is one of about 49,000 listed passwords, a stretch of
 * the alphabet or of a keyboard row, a short or common piece repeated, or one of these with up to six digits or signs
 * around it (`password12345!`). The list alone has few passwords of twelve characters or more.
 * @param folded the password in NFKC and lower case.
 */
export function isCommonPassword(folded: string): boolean {
  const characters = [...folded];
  const leading = characters.findIndex(isLetter);
  const trailing = characters.length - 1 - characters.findLastIndex(isLetter);
  const maxLeading = leading < 0 ? maxPadding : Math.min(leading, maxPadding);
  const maxTrailing = leading < 0 ? maxPadding : Math.min(trailing, maxPadding);

  for (let start = 0; start <= maxLeading; start++) {
    for (let cut = 0; cut <= Math.min(maxTrailing, maxPadding - start); cut++) {
      const core = characters.slice(start, characters.length - cut);
      if (core.length >= minCore && isCommonCore(core.join(''))) return true;
    }
  }
  return false;
}

function isLetter(character: string): boolean {
  return /\p{L}/u.test(character);
}

function isCommonCore(core: string): boolean {
  const unit = core.slice(0, (core + core).indexOf(core, 1));
  return (unit !== core && unit.length < minStrongUnit) || isKnown(unit);
}

function isKnown(word: string): boolean {
  return loadWords().has(word) || runs.some((run) => run.includes(word));
}

/** Reads the list at its first use, in about 10 ms, because most processes set no password right after their start. */
function loadWords(): ReadonlySet<string> {
  if (loaded === undefined) {
    const words: string[] = JSON.parse(readFileSync(commonPasswordsFile(), 'utf8'));
    loaded = new Set([...words, ...ownWords]);
  }
  return loaded;
}
