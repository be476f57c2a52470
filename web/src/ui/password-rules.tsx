// The password rules of the front end, checked while the user types.
import { Box, List, Text, ThemeIcon } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { latchkey } from '../api/latchkey.ts';
import { words } from '../words/index.ts';
import { VisuallyHidden } from './visually-hidden.tsx';

const PREFIX = 'Abp.Zero.UserManagement.PasswordComplexity.';

/** Screen readers hear the missing rules after this pause in typing, not at each key. */
const PAUSE_MS = 1500;

export type Rule = { readonly text: string; readonly isMet: (password: string) => boolean };

export async function readRules(): Promise<Rule[]> {
  const read = async (name: string) => latchkey.call('Settings/GetValue', { name: PREFIX + name });
  const [length, digit, lower, upper, special] = await Promise.all(
    ['RequiredLength', 'RequireDigit', 'RequireLowercase', 'RequireUppercase', 'RequireNonAlphanumeric'].map(read),
  );
  const { rules } = words.change;
  const all: [isOn: boolean, text: string, isMet: Rule['isMet']][] = [
    [true, rules.length(Number(length)), (password) => [...password].length >= Number(length)],
    [digit === true, rules.digit, (password) => /\p{Nd}/u.test(password)],
    [lower === true, rules.lower, (password) => /\p{Ll}/u.test(password)],
    [upper === true, rules.upper, (password) => /\p{Lu}/u.test(password)],
    [special === true, rules.special, (password) => /[^\p{L}\p{N}]/u.test(password)],
  ];
  return all.filter(([isOn]) => isOn).map(([, text, isMet]) => ({ text, isMet }));
}

/** The rules, and whether the password meets them. It belongs in the description of the field. */
export function RuleList(props: { rules: readonly Rule[]; password: string; isRefused: boolean }) {
  const { rules, password, isRefused } = props;
  return (
    <Box pt={6}>
      <Text size="sm">{words.change.rules.title}</Text>
      <List size="sm" spacing={4} center mt={4} ps={0}>
        {rules.map(({ text, isMet }) => (
          <List.Item key={text} icon={<Tick isMet={isMet(password)} isRefused={isRefused} />}>
            {text}
            <VisuallyHidden>: {isMet(password) ? words.change.rules.met : words.change.rules.notMet}.</VisuallyHidden>
          </List.Item>
        ))}
      </List>
    </Box>
  );
}

function Tick({ isMet, isRefused }: { isMet: boolean; isRefused: boolean }) {
  return (
    <ThemeIcon
      size={18}
      radius="xl"
      variant={isMet ? 'filled' : 'outline'}
      color={isMet ? 'green' : isRefused ? 'red' : 'gray'}
      aria-hidden
    >
      {isMet && '✓'}
    </ThemeIcon>
  );
}

/** Announces the missing rules once, after a pause in typing. */
export function RuleProgress({ rules, password }: { rules: readonly Rule[]; password: string }) {
  const [rested] = useDebouncedValue(password, PAUSE_MS);
  const missing = rules.filter(({ isMet }) => !isMet(rested)).map(({ text }) => text);
  const { allMet, missing: describeMissing } = words.change.rules;
  return (
    <VisuallyHidden role="status">
      {rested !== '' && (missing.length === 0 ? allMet : describeMissing(missing.join(', ')))}
    </VisuallyHidden>
  );
}
