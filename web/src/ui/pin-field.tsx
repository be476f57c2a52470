// A field for a one-time pin of the service.
import { words } from '../words/index.ts';
import { CodeField } from './code-field.tsx';
import { usePinRules } from './pin-rules.ts';
import type { Problem } from './problem.ts';

export function PinField(props: {
  name: string;
  label: string;
  description: string;
  value: string;
  onChange: (value: string) => void;
  problem: Problem | undefined;
}) {
  const rules = usePinRules();
  const known = rules.state === 'loaded' ? rules.value : undefined;
  const format = known && (known.hasLetters ? words.pin.letters : words.pin.digits)(known.length);
  return (
    <CodeField
      {...props}
      description={[props.description, format].filter(Boolean).join(' ')}
      length={known?.length}
      isNumeric={known?.hasLetters === false}
    />
  );
}
