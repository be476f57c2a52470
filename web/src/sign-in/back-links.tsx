// The links back from a sign-in page.
import { Anchor, Group } from '@mantine/core';
import { words } from '../words/index.ts';
import { withTarget } from './after-sign-in.ts';

/** @param props.begin the first page of this journey, to begin again. */
export function BackLinks({ begin, label = words.forgot.again }: { begin?: string; label?: string }) {
  return (
    <Group justify="space-between">
      <Anchor size="sm" href={withTarget('/login')}>
        {words.forgot.backToSignIn}
      </Anchor>
      {begin !== undefined && (
        <Anchor size="sm" href={withTarget(begin)}>
          {label}
        </Anchor>
      )}
    </Group>
  );
}
