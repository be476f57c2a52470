// The ways back from a page on the way in.
import { Anchor, Group } from '@mantine/core';
import { words } from '../words/index.ts';
import { keepTarget } from './after-sign-in.ts';

/** @param props.begin where this journey begins, for whoever is stuck in it. */
export function WaysBack({ begin, label = words.forgot.again }: { begin?: string; label?: string }) {
  return (
    <Group justify="space-between">
      <Anchor size="sm" href={keepTarget('/login')}>
        {words.forgot.backToSignIn}
      </Anchor>
      {begin !== undefined && (
        <Anchor size="sm" href={keepTarget(begin)}>
          {label}
        </Anchor>
      )}
    </Group>
  );
}
