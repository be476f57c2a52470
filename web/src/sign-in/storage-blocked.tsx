// The sign-in page of a browser that blocks storage.
import { Button, Text } from '@mantine/core';
import { words } from '../words/index.ts';
import { CardPage } from './card-page.tsx';
import { EndNotice } from './end-notice.tsx';

export function StorageBlocked() {
  const { title, reason } = words.signIn.blocked;
  return (
    <CardPage title={title}>
      <EndNotice />
      <Text role="alert">{reason}</Text>
      <Button onClick={() => location.reload()}>{words.common.retry}</Button>
    </CardPage>
  );
}
