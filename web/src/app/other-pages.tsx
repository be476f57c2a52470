// The pages in place of a page: there is none, the user may not open it, or it has failed.
import { Alert, Anchor, Text } from '@mantine/core';
import { isLatchkeyError } from 'latchkey-sdk';
import { Link } from 'react-router';
import { LoadFailure, Page } from '../ui/page.tsx';
import { PartFailure } from '../ui/part.ts';
import { words } from '../words/index.ts';

export const NotFoundPage = () => (
  <Page title={words.notFound.title}>
    <Text>{words.notFound.text}</Text>
    <Anchor component={Link} to="/">
      {words.shell.home}
    </Anchor>
  </Page>
);

export const DeniedPage = () => (
  <Page title={words.shell.deniedTitle}>
    <Alert color="red" variant="light">
      {words.shell.denied}
    </Alert>
  </Page>
);

/** @param props.retry shows the page again. An error in its code would only come back: then the page is loaded anew. */
export function FailedPage({ error, retry }: { error: unknown; retry: () => void }) {
  const mayPass = error instanceof PartFailure || isLatchkeyError(error);
  return (
    <Page title={words.shell.failed}>
      <LoadFailure error={error} retry={mayPass ? retry : () => location.reload()} />
    </Page>
  );
}
