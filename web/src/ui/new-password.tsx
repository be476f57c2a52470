// A new password typed twice, with the rules of the front end ticked off while it is typed.
import { List, Text, ThemeIcon } from '@mantine/core';
import { latchkey } from '../api/latchkey.ts';
import { words } from '../words/index.ts';
import { PasswordField } from './password-field.tsx';
import type { Problem } from './problem.ts';
import { useLoad } from './use-load.ts';

const PREFIX = 'Abp.Zero.UserManagement.PasswordComplexity.';

async function readRules() {
  const read = async (name: string) => latchkey.call('Settings/GetValue', { name: PREFIX + name });
  const [length, digit, lower, upper, special] = await Promise.all(
    ['RequiredLength', 'RequireDigit', 'RequireLowercase', 'RequireUppercase', 'RequireNonAlphanumeric'].map(read),
  );
  const rules = words.change.rules;
  const all: [isOn: boolean, text: string, isMet: (password: string) => boolean][] = [
    [true, rules.length(Number(length)), (password) => [...password].length >= Number(length)],
    [digit === true, rules.digit, (password) => /\d/.test(password)],
    [lower === true, rules.lower, (password) => /\p{Ll}/u.test(password)],
    [upper === true, rules.upper, (password) => /\p{Lu}/u.test(password)],
    [special === true, rules.special, (password) => /[^\p{L}\p{N}]/u.test(password)],
  ];
  return all.filter(([isOn]) => isOn).map(([, text, isMet]) => ({ text, isMet }));
}

export type TypedPassword = { readonly password: string; readonly repeated: string };

export function NewPassword(props: {
  value: TypedPassword;
  onChange: (value: TypedPassword) => void;
  problem: Problem | undefined;
  /** The member of the call that takes it. */
  name: string;
  labels?: { password: string; repeated: string };
}) {
  const { value, onChange, problem, name, labels } = props;
  const rules = useLoad(readRules);
  return (
    <>
      <PasswordField
        name={name}
        label={labels?.password ?? words.change.next}
        kind="new-password"
        value={value.password}
        onChange={(next) => onChange({ ...value, password: next })}
        problem={problem}
      />
      <div>
        {rules.state === 'loaded' && (
          <>
            <Text size="sm">{words.change.rules.title}</Text>
            <List size="sm" spacing={2} center>
              {rules.value.map(({ text, isMet }) => (
                <List.Item
                  key={text}
                  icon={
                    <ThemeIcon
                      size={18}
                      radius="xl"
                      variant={isMet(value.password) ? 'filled' : 'default'}
                      color="green"
                      aria-hidden
                    >
                      {isMet(value.password) && '✓'}
                    </ThemeIcon>
                  }
                >
                  {text}
                </List.Item>
              ))}
            </List>
          </>
        )}
      </div>
      <PasswordField
        name="repeated"
        label={labels?.repeated ?? words.change.repeat}
        kind="new-password"
        value={value.repeated}
        onChange={(next) => onChange({ ...value, repeated: next })}
        problem={problem}
      />
    </>
  );
}

/** What is wrong with it before it is sent. */
export function findTypingProblems({ password, repeated }: TypedPassword, name: string): Record<string, string> {
  if (password === '') return { [name]: words.common.required };
  return password === repeated ? {} : { repeated: words.change.differs };
}
