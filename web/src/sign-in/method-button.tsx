// The buttons of the sign-in methods, each with its icon. The method that was used last in this browser is marked.
import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import { words } from '../words/index.ts';
import { isLastMethod, type Method } from './last-method.ts';

const HINT_ID = 'last-used-method';

/** A frame in the colour of the button's text. */
const mark = { border: '1px solid currentColor', borderRadius: 999, lineHeight: 1.5 } as const;

/** The members of a button that mark the method, if it was used last. */
export const markOf = (method: Method) =>
  isLastMethod(method)
    ? {
        'aria-describedby': HINT_ID,
        rightSection: (
          <Text component="span" aria-hidden size="xs" fw={500} px={6} style={mark}>
            {words.signIn.lastUsed}
          </Text>
        ),
      }
    : {};

/** What screen readers say of the marked button. It stands once on the page. */
export const LastUsedHint = () => (
  <VisuallyHidden id={HINT_ID} isOnlyReferred>
    {words.signIn.lastUsed}
  </VisuallyHidden>
);

export function MethodButton(props: {
  method: Method;
  icon: ReactNode;
  loading?: boolean;
  disabled?: boolean;
  /** A link instead of an action. */
  href?: string;
  onClick?: () => unknown;
  children: ReactNode;
}) {
  const { method, icon, href, children, ...rest } = props;
  const look = { variant: 'default', leftSection: icon, ...markOf(method) } as const;
  if (href !== undefined) {
    return (
      <Button component="a" href={href} {...look}>
        {children}
      </Button>
    );
  }
  return (
    <Button {...look} {...rest}>
      {children}
    </Button>
  );
}
