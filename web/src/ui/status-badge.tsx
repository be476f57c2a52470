// A word or two about the state of something, with a colour that says it once more.
import { Badge } from '@mantine/core';

/** Long words break instead of being cut off. */
const whole = {
  root: { height: 'auto' },
  label: { whiteSpace: 'normal', textAlign: 'left', lineHeight: 1.4 },
} as const;

export function Mark({ colour, children }: { colour: 'green' | 'orange' | 'red' | 'gray'; children: string }) {
  return (
    <Badge variant="dot" color={colour} tt="none" fw={500} py={2} radius="lg" styles={whole}>
      {children}
    </Badge>
  );
}
