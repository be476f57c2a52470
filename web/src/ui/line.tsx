// A value on one line: what does not fit ends with an ellipsis, and the whole is shown beside the pointer.
import { Text, type TextProps } from '@mantine/core';

/** @param props.text `null` or empty is shown as a dash. */
export const Line = ({ text, ...look }: TextProps & { text: string | null }) =>
  text ? (
    <Text size="sm" truncate title={text} {...look}>
      {text}
    </Text>
  ) : (
    <Text size="sm" c="dimmed">
      –
    </Text>
  );
