// A new password, typed twice, with the password rules of the front end.
import { words } from '../words/index.ts';
import { PasswordField } from './password-field.tsx';
import { RuleList, RuleProgress, readRules } from './password-rules.tsx';
import { faultOf, type Problem } from './problem.ts';
import { useLoad } from './use-load.ts';

export type TypedPassword = { readonly password: string; readonly repeated: string };

export function NewPassword(props: {
  value: TypedPassword;
  onChange: (value: TypedPassword) => void;
  problem: Problem | undefined;
  /** The member of the call that takes the password. */
  name: string;
  labels?: { password: string; repeated: string };
}) {
  const { value, onChange, problem, name, labels } = props;
  const loaded = useLoad(readRules);
  const rules = loaded.state === 'loaded' ? loaded.value : [];
  return (
    <>
      <PasswordField
        name={name}
        label={labels?.password ?? words.change.next}
        kind="new-password"
        value={value.password}
        onChange={(password) => onChange({ ...value, password })}
        problem={problem}
        description={
          rules.length > 0 && (
            <RuleList rules={rules} password={value.password} isRefused={faultOf(problem, name) !== undefined} />
          )
        }
      />
      <RuleProgress rules={rules} password={value.password} />
      <PasswordField
        name="repeated"
        label={labels?.repeated ?? words.change.repeat}
        kind="new-password"
        value={value.repeated}
        onChange={(repeated) => onChange({ ...value, repeated })}
        problem={problem}
      />
    </>
  );
}

/** Returns the problems of a typed password, by field, before it is sent. */
export function findTypingProblems({ password, repeated }: TypedPassword, name: string): Record<string, string> {
  if (password === '') return { [name]: words.common.required };
  return password === repeated ? {} : { repeated: words.change.differs };
}
