// Commands as data: their names, arguments and options. Parsing and help are derived from them.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { errorMessageOf } from '../foundation/errors.ts';

/** One option: a switch, or one that takes a value shown as `value` in the help. */
export type Option =
  | { readonly type: 'boolean'; readonly about: string }
  | { readonly type: 'string'; readonly about: string; readonly value: string; readonly multiple?: true };

type Options = Readonly<Record<string, Option>>;

/** The values of a command's options. Options that were not given are absent. */
export type Values<Given extends Options> = {
  readonly [Name in keyof Given]?: Given[Name] extends { type: 'boolean' }
    ? boolean
    : Given[Name] extends { multiple: true }
      ? string[]
      : string;
};

/**
 * One command. `run` receives one positional for each name in `takes`, and may return an exit code other than 0. A last name
 * that ends in three dots takes one or more, and one in brackets may be left out.
 */
export type Command = {
  readonly name: string;
  readonly about: string;
  readonly takes: readonly string[];
  readonly options: Options;
  readonly run: (values: never, positionals: readonly string[]) => Promise<number | undefined>;
};

/** Declares a command. Its options give the type of the values that `run` receives. */
export function defineCommand<const Given extends Options>(
  command: Omit<Command, 'options' | 'run'> & {
    options: Given;
    run: (values: Values<Given>, positionals: readonly string[]) => Promise<number | undefined>;
  },
): Command {
  return command;
}

/** The command line is wrong. `message` is one line and quotes no values, which might be passwords. */
export class UsageError extends Error {}

/** A command failed. `message` is one line that says what to do. */
export class CommandFailure extends Error {}

/** Parses the words after the command's name. @throws UsageError */
export function parseCommand({ name, takes, options }: Command, words: readonly string[]) {
  const config = Object.entries(options).map(([option, { type, ...more }]) => [
    option,
    { type, multiple: 'multiple' in more },
  ]);
  const help = `See: latchkey ${name} --help`;
  const args = joinValues(options, words);
  const { values, positionals } = parseOrRefuse({ args, options: Object.fromEntries(config) }, help);
  const missing = takes[positionals.length];
  if (missing !== undefined && !missing.startsWith('['))
    throw new UsageError(`"latchkey ${name}" needs ${missing.replace('...', '')}. ${help}`);
  const takesMore = takes.at(-1)?.endsWith('...');
  if (positionals.length > takes.length && !takesMore)
    throw new UsageError(`"latchkey ${name}" has too many arguments. ${help}`);
  // `parseArgs` has checked the values by the options that type `run` in `defineCommand`.
  return { values: values as never, positionals };
}

/** `-h`, `--head` or `--head=value`, in letters that commands use. */
const LOOKS_LIKE_OPTION = /^(-[a-z]|--[a-z-]+(=.*)?)$/s;

/** Joins an option and its value by `=` where the value begins with `-`, as every 64th value in base64url does: `parseArgs` refuses it. */
function joinValues(options: Options, words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const former = joined.at(-1);
    const awaits = former?.startsWith('--') && options[former.slice(2)]?.type === 'string';
    if (awaits && word.startsWith('-') && !LOOKS_LIKE_OPTION.test(word))
      joined[joined.length - 1] = `${former}=${word}`;
    else joined.push(word);
  }
  return joined;
}

function parseOrRefuse(config: ParseArgsConfig, help: string) {
  try {
    return parseArgs({ ...config, allowPositionals: true, strict: true });
  } catch (error) {
    const [sentence = ''] = errorMessageOf(error).split(/\.(?:\s|$)/);
    if (/'--password'/.test(sentence)) {
      throw new UsageError('Every user of this machine can read a password in the arguments. Use --password-stdin.');
    }
    throw new UsageError(`${sentence.replace(/\s+/g, ' ')}. ${help}`);
  }
}

/** Returns the first option that is neither `--help` nor `-h`. */
export function findUnknownOption(words: readonly string[]): string | undefined {
  return words.find((word) => word.startsWith('-') && !['--help', '-h'].includes(word))?.split('=')[0];
}
