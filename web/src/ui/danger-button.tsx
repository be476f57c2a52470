// A button that destroys something, or leads to the question about it: red, with a border.
import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentProps } from 'react';

export const DangerButton = (props: ButtonProps & Omit<ComponentProps<'button'>, keyof ButtonProps>) => (
  <Button variant="outline" color="red" {...props} />
);
