// A button of the second kind, whose words break instead of being cut off on a narrow screen.
import { Button, type ButtonProps } from '@mantine/core';

export function WideButton(props: Pick<ButtonProps, 'loading' | 'disabled' | 'children'> & { onClick: () => void }) {
  return (
    <Button
      variant="default"
      h="auto"
      mih={36}
      py={6}
      styles={{ label: { whiteSpace: 'normal', lineHeight: 1.3 } }}
      {...props}
    />
  );
}
