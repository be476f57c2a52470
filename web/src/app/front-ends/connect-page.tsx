// The page "Connect" of a front end: its origin, the lines to call the service, and its sign-in page.
import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { words } from '../../words/all.ts';
import { useConnection } from '../connect/connection.ts';
import { readOrigin, toFrontEndCode, toOrigins } from '../connect/snippets.ts';
import { frontEndsKey } from './front-end-dialog.tsx';

export function ConnectPage() {
  const { appKey = '' } = useParams();
  const frontEnds = useQuery({ queryKey: frontEndsKey, queryFn: () => latchkey.call('FrontEndApp/GetAll') });
  const connection = useConnection();
  const frontEnd = frontEnds.data?.items.find((one) => one.appKey === appKey);
  const failed = frontEnds.error ? frontEnds : connection;
  const trail = [{ path: '/front-ends', label: words.frontEnds.title }];
  return (
    <Page title={words.connect.title(frontEnd?.name ?? appKey)} trail={trail} guide="browser-client">
      {(frontEnds.isPending || connection.isPending) && !failed.error && <Loading />}
      {failed.error && <LoadFailure error={failed.error} retry={failed.refetch} />}
      {frontEnds.data && !frontEnd && (
        <Alert color="yellow" variant="light" role="alert">
          {words.brand.edit.missing}
        </Alert>
      )}
      {frontEnd && connection.data && <Steps appKey={appKey} {...connection.data} />}
    </Page>
  );
}

function Steps({ appKey, url, origins }: { appKey: string; url: string; origins: readonly string[] }) {
  const texts = words.connect;
  const signIn = `${url}/login?${new URLSearchParams({ frontEnd: appKey })}`;
  return (
    <Stack gap="lg">
      <Section title={texts.allowedOrigin}>
        <OriginCheck origins={origins} />
      </Section>
      <Section title={texts.code}>
        <CodeBlock text={toFrontEndCode(url, appKey)} />
        <Anchor component={Link} to="/guide/browser-client" size="sm">
          {texts.more}
        </Anchor>
      </Section>
      <Section title={texts.trial}>
        <Text size="sm">{texts.signInHint}</Text>
        <Group>
          <Button component="a" href={signIn} target="_blank" rel="noopener" variant="default">
            {texts.openSignIn}
          </Button>
        </Group>
      </Section>
    </Stack>
  );
}

/** Says whether pages of the typed origin may call the service, and otherwise which line allows them. */
function OriginCheck({ origins }: { origins: readonly string[] }) {
  const texts = words.connect;
  const [typed, setTyped] = useState('');
  const origin = readOrigin(typed);
  const isAllowed = origin !== undefined && origins.includes(origin);
  const isWrong = typed.trim() !== '' && origin === undefined;
  return (
    <>
      <TextInput
        label={texts.origin}
        description={texts.originHint}
        placeholder="https://portal.example.com"
        value={typed}
        error={isWrong && texts.originFault}
        onChange={(event) => setTyped(event.currentTarget.value)}
        spellCheck={false}
        autoComplete="off"
      />
      <div role="status">
        {isAllowed && <StatusBadge colour="green">{texts.allowed}</StatusBadge>}
        {origin !== undefined && !isAllowed && (
          <Stack gap="xs">
            <Text size="sm">{texts.notAllowed}</Text>
            <CodeBlock text={toOrigins(origins, origin)} />
          </Stack>
        )}
      </div>
    </>
  );
}
