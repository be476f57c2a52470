// A badge for a state: a short text, and a colour that repeats its meaning.
import { Badge } from '@mantine/core';

/** Long words wrap instead of being cut off. */
const whole = {
  root: { height: 'auto' },
  label: { whiteSpace: 'normal', textAlign: 'left', lineHeight: 1.4 },
} as const;

export function StatusBadge({
  colour,
  children,
}: {
  colour: 'green' | 'orange' | 'red' | 'gray' | 'blue';
  children: string;
}) {
  return (
    <Badge variant="dot" color={colour} tt="none" fw={500} py={2} radius="lg" styles={whole}>
      {children}
    </Badge>
  );
}
