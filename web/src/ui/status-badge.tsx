// A tag for a state: a short text, and a colour that repeats its meaning.
import { Badge } from '@mantine/core';

/** Long words wrap instead of being cut off. */
const whole = {
  root: { height: 'auto', minHeight: 22, paddingInline: 8, letterSpacing: 0, '--badge-fz': '0.75rem' },
  label: { whiteSpace: 'normal', textAlign: 'left', lineHeight: 1.35 },
} as const;

export function StatusBadge({
  colour,
  children,
}: {
  colour: 'green' | 'orange' | 'red' | 'gray' | 'blue';
  children: string;
}) {
  return (
    <Badge variant="light" color={colour} tt="none" fw={500} radius="sm" styles={whole}>
      {children}
    </Badge>
  );
}
