// Common passwords: the ones that guessers try first (NIST SP 800-63B-4, 3.1.1.2; OWASP ASVS 6.2.4).
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** What a guesser would add to the list here. */
const ownWords = ['latchkey', 'shesha'];

const runs = ['abcdefghijklmnopqrstuvwxyz', '01234567890123456789', 'qwertyuiopasdfghjklzxcvbnm'].flatMap((run) => [
  run,
  [...run].reverse().join(''),
]);

/** Shorter than this, a word says nothing about the password around it. */
const shortestCore = 4;
const mostPadding = 6;
const shortestStrongUnit = 4;

let loaded: ReadonlySet<string> | undefined;

/**
 * Is a password, given in NFKC lower case, one that is guessed early: on the list of about 49,000, a stretch of the
 * alphabet or of a keyboard row, a short or common piece repeated, or one of these with up to six digits or signs
 * around it (`password12345!`)? The list alone would hardly touch passwords of twelve characters and more.
 */
export function isCommonPassword(folded: string): boolean {
  const characters = [...folded];
  const leading = characters.findIndex(isLetter);
  const trailing = characters.length - 1 - characters.findLastIndex(isLetter);
  const mostLeading = leading < 0 ? mostPadding : Math.min(leading, mostPadding);
  const mostTrailing = leading < 0 ? mostPadding : Math.min(trailing, mostPadding);

  for (let start = 0; start <= mostLeading; start++) {
    for (let cut = 0; cut <= Math.min(mostTrailing, mostPadding - start); cut++) {
      const core = characters.slice(start, characters.length - cut);
      if (core.length >= shortestCore && isCommonCore(core.join(''))) return true;
    }
  }
  return false;
}

function isLetter(character: string): boolean {
  return /\p{L}/u.test(character);
}

function isCommonCore(core: string): boolean {
  const unit = core.slice(0, (core + core).indexOf(core, 1));
  return (unit !== core && unit.length < shortestStrongUnit) || isKnown(unit);
}

function isKnown(word: string): boolean {
  return list().has(word) || runs.some((run) => run.includes(word));
}

/** Read at the first use, in about 10 ms: most runs of the process never set a password right after the start. */
function list(): ReadonlySet<string> {
  if (loaded === undefined) {
    const require = createRequire(import.meta.url);
    const file = require.resolve('@zxcvbn-ts/language-common/src/passwords.json');
    const words = JSON.parse(readFileSync(file, 'utf8')) as string[];
    loaded = new Set([...words, ...ownWords]);
  }
  return loaded;
}
