// Commands as data: their words, arguments and options, from which come parsing and help.
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** One option: a switch, or one that takes a value shown as `value` in the help. */
export type Option =
  | { readonly type: 'boolean'; readonly about: string }
  | { readonly type: 'string'; readonly about: string; readonly value: string; readonly multiple?: true };

type Options = Readonly<Record<string, Option>>;

/** What the options of a command say; absent when they were not given. */
export type Values<Given extends Options> = {
  readonly [Name in keyof Given]?: Given[Name] extends { type: 'boolean' }
    ? boolean
    : Given[Name] extends { multiple: true }
      ? string[]
      : string;
};

/** One command; `run` gets as many positionals as `takes` names, and may answer an exit code other than 0. */
export type Command = {
  readonly name: string;
  readonly about: string;
  readonly takes: readonly string[];
  readonly options: Options;
  readonly run: (values: never, positionals: readonly string[]) => Promise<number | undefined>;
};

/** Declares a command; the values that `run` gets are typed by its options. */
export function defineCommand<const Given extends Options>(
  command: Omit<Command, 'options' | 'run'> & {
    options: Given;
    run: (values: Values<Given>, positionals: readonly string[]) => Promise<number | undefined>;
  },
): Command {
  return command;
}

/** The words were not understood; `message` is one line and repeats no values, which might be passwords. */
export class UsageError extends Error {}

/** A command could not do what it was asked for; `message` is one line that says what to do. */
export class CommandFailure extends Error {}

/** Reads the words after the command's name. @throws UsageError */
export function parseCommand({ name, takes, options }: Command, words: readonly string[]) {
  const config = Object.entries(options).map(([option, { type, ...more }]) => [
    option,
    { type, multiple: 'multiple' in more },
  ]);
  const help = `See: latchkey ${name} --help`;
  const { values, positionals } = parseOrRefuse({ args: [...words], options: Object.fromEntries(config) }, help);
  const missing = takes[positionals.length];
  if (missing !== undefined) throw new UsageError(`"latchkey ${name}" needs ${missing}. ${help}`);
  if (positionals.length > takes.length) throw new UsageError(`"latchkey ${name}" has too many arguments. ${help}`);
  return { values: values as never, positionals };
}

function parseOrRefuse(config: ParseArgsConfig, help: string) {
  try {
    return parseArgs({ ...config, allowPositionals: true, strict: true });
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\.(?:\s|$)/);
    if (/'--password'/.test(sentence)) {
      throw new UsageError('Every user of this machine can read a password in the arguments. Use --password-stdin.');
    }
    throw new UsageError(`${sentence.replace(/\s+/g, ' ')}. ${help}`);
  }
}

/** The first word that is an option no command understands on its own. */
export function findUnknownOption(words: readonly string[]): string | undefined {
  return words.find((word) => word.startsWith('-') && !['--help', '-h'].includes(word))?.split('=')[0];
}
