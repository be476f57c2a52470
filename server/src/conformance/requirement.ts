// A requirement of a standard, and how the service meets it. The conformance page and `latchkey doctor --conformance` read it.

/** What the value of a setting must be. */
export type Condition = {
  readonly setting: string;
  /** The member of a compound setting. Of several, one with this value is enough. */
  readonly member?: string | readonly string[];
  /** What the doctor says while the value is another one. One sentence. */
  readonly unsafe: string;
} & ({ readonly is: boolean | string | number } | { readonly atLeast: number } | { readonly atMost: number });

/** One requirement. A requirement that is held in part has `notHeld` beside what holds the rest. */
export type Requirement = {
  /** The number in the standard. Several requirements of one section share it. */
  readonly id: string;
  /** The level of the standard, or the strength of its words. */
  readonly level: 'L1' | 'L2' | 'L3' | 'AAL1' | 'AAL2' | 'MUST' | 'SHOULD';
  /** The requirement in our words. */
  readonly text: string;
  /** The tests that hold it, as `FILE › TITLE`: see {@link readTest}. */
  readonly held?: readonly string[];
  readonly settable?: readonly Condition[];
  /** The sections of the guide that document it, as `GUIDE#HEADING`. */
  readonly documented?: readonly string[];
  /** What the operator, or the developer of an application, must do. */
  readonly yours?: string;
  /** What is not held, and why. */
  readonly notHeld?: string;
  /** Why the service has nothing that the requirement is about. */
  readonly absent?: string;
};

/** A standard, with the requirements that concern the service. */
export type Standard = {
  readonly name: string;
  /** The name before a number, such as `NIST 2.1.3`. */
  readonly short: string;
  /** The text from which the numbers and levels are. */
  readonly source: string;
  readonly chapters: readonly { readonly title: string; readonly requirements: readonly Requirement[] }[];
};

/** The verdicts in the order in which they are counted. */
export const VERDICTS = [
  'held',
  'settable',
  'documented',
  'yours',
  'partly held',
  'not held',
  'does not apply',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Returns the verdict on a requirement: the weakest of what is said of it. */
export function verdictOf({ held, settable, documented, yours, notHeld }: Requirement): Verdict {
  if (notHeld !== undefined) return held || settable || documented ? 'partly held' : 'not held';
  if (settable) return 'settable';
  if (yours !== undefined) return 'yours';
  if (held) return 'held';
  return documented ? 'documented' : 'does not apply';
}

/** Returns the number of requirements of each verdict. */
export function countVerdicts({ chapters }: Standard): Readonly<Record<Verdict, number>> {
  const verdicts = chapters.flatMap(({ requirements }) => requirements.map(verdictOf));
  const count = (one: Verdict) => verdicts.filter((verdict) => verdict === one).length;
  return {
    held: count('held'),
    settable: count('settable'),
    documented: count('documented'),
    yours: count('yours'),
    'partly held': count('partly held'),
    'not held': count('not held'),
    'does not apply': count('does not apply'),
  };
}

/**
 * Returns the file of a test, from the checkout, and its title, in which `…` stands for each value that the test fills in.
 * `attacks/pins` is below server/test, `src/…` below server, `e2e/…`, `sdk/…` and `scripts/…` below the checkout.
 */
export function readTest(test: string): { readonly file: string; readonly title: string } {
  const [path = '', title = ''] = test.split(' › ');
  const folder = /^(e2e|sdk|scripts)\//.test(path) ? '' : path.startsWith('src/') ? 'server/' : 'server/test/';
  return { file: `${folder}${path}.test.${path.startsWith('scripts/') ? 'mjs' : 'ts'}`, title };
}

/** Returns the members of a compound setting of which one must meet a condition. */
export const membersOf = ({ member = [] }: Condition): readonly string[] =>
  typeof member === 'string' ? [member] : member;

/** Returns whether a value is what a condition demands. */
export function isMet(condition: Condition, value: unknown): boolean {
  if ('is' in condition) return value === condition.is;
  if (typeof value !== 'number') return false;
  return 'atLeast' in condition ? value >= condition.atLeast : value <= condition.atMost;
}
