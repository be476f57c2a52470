// Help: lists the commands, or the arguments and options of one command.
import { styleText } from 'node:util';
import type { Command, Option } from './command.ts';

const INTRODUCTION = 'Latchkey, a self-hosted authentication service. LATCHKEY_… variables configure it.';

/** Prints one command with its options, or a list of several commands. */
export function showHelp(commands: readonly Command[]): void {
  const [only] = commands;
  process.stdout.write(commands.length === 1 && only ? helpOfOne(only) : helpOfMany(commands));
}

function helpOfMany(commands: readonly Command[]): string {
  const rows = commands.map((command) => [usage(command), command.about] as const);
  const foot = 'latchkey COMMAND --help shows the options of a command, and latchkey --version the version.';
  return `${INTRODUCTION}\n\n${toRows(rows)}\n\n${foot}\n`;
}

function helpOfOne(command: Command): string {
  const rows = Object.entries(command.options).map(([name, option]) => [flag(name, option), option.about] as const);
  const options = rows.length === 0 ? '' : `\n\n${toRows(rows)}`;
  return `latchkey ${usage(command)}${rows.length === 0 ? '' : ' [OPTIONS]'}\n\n${command.about}${options}\n`;
}

function usage({ name, takes }: Command): string {
  return [name, ...takes].join(' ');
}

function flag(name: string, option: Option): string {
  if (option.type === 'boolean') return `--${name}`;
  return `--${name} ${option.value}${option.multiple ? ' …' : ''}`;
}

function toRows(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${styleText('bold', left.padEnd(width))}${right}`).join('\n');
}
