// The notice of what ended just before this page: a session, a password reset, a registration.
import { Alert } from '@mantine/core';
import { words } from '../words/index.ts';
import type { End } from './after-sign-in.ts';

function isEnd(text: string | null): text is End {
  return text !== null && Object.hasOwn(words.signIn.ended, text);
}

export function EndNotice() {
  const end = new URLSearchParams(location.search).get('end');
  if (!isEnd(end)) return null;
  return (
    <Alert color="blue" variant="light" role="status">
      {words.signIn.ended[end]}
    </Alert>
  );
}
