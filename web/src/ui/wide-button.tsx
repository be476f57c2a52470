// A secondary button whose text wraps on a narrow screen instead of being cut off.
import { Button, type ButtonProps } from '@mantine/core';

export function WideButton(props: Pick<ButtonProps, 'loading' | 'disabled' | 'children'> & { onClick: () => void }) {
  return (
    <Button
      variant="default"
      h="auto"
      mih={36}
      py={6}
      styles={{ label: { whiteSpace: 'normal', lineHeight: 1.35 } }}
      {...props}
    />
  );
}
