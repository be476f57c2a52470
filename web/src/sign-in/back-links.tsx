// The links back from a sign-in page.
import { Anchor, Group } from '@mantine/core';
import { words } from '../words/index.ts';
import { withName } from './after-sign-in.ts';

/**
 * @param props.begin the first page of this journey, to begin again.
 * @param props.name the name that was typed, for the field of the next page.
 */
export function BackLinks(props: { begin?: string; label?: string; name?: string }) {
  const { begin, label = words.forgot.again, name = '' } = props;
  return (
    <Group justify="space-between">
      <Anchor size="sm" href={withName('/login', name)}>
        {words.forgot.backToSignIn}
      </Anchor>
      {begin !== undefined && (
        <Anchor size="sm" href={withName(begin, name)}>
          {label}
        </Anchor>
      )}
    </Group>
  );
}
