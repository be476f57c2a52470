// The field for a code of an authenticator app.
import { CodeField } from '../ui/code-field.tsx';
import type { Problem } from '../ui/problem.ts';
import { words } from '../words/index.ts';

/** The number of digits of a code. */
const DIGITS = 6;

/** Returns what is wrong with the form of a code. A code of another form is not sent. */
export function findCodeFault(code: string): string | undefined {
  if (code === '') return words.common.required;
  return /^\p{Nd}{6}$/u.test(code) ? undefined : words.factors.code.wrongForm;
}

export function AuthenticatorCode(props: {
  /** Whether a complete code submits the form. */
  submitsItself: boolean;
  description: string;
  value: string;
  onChange: (value: string) => void;
  problem: Problem | undefined;
}) {
  const { submitsItself, description, ...rest } = props;
  const { label, hint } = words.factors.code;
  return (
    <CodeField
      {...rest}
      name="code"
      label={label}
      description={submitsItself ? `${description} ${hint}` : description}
      length={submitsItself ? DIGITS : undefined}
      isNumeric
    />
  );
}
