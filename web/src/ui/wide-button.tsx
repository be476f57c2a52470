// A secondary button.
import { Button, type ButtonProps } from '@mantine/core';

export function WideButton(props: Pick<ButtonProps, 'loading' | 'disabled' | 'children'> & { onClick: () => void }) {
  return <Button variant="default" {...props} />;
}
