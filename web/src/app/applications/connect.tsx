// The tab "Connect" of an application: what its program needs from here, filled in, and a trial.
import { Alert, Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { makeSecret } from '../../api/secret.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyValue } from '../../ui/copy-button.tsx';
import { LoadFailure, Loading } from '../../ui/page.tsx';
import { Fact, Facts, Section } from '../../ui/section.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { words } from '../../words/all.ts';
import { findRefusal, toRequest } from '../connect/attempt.ts';
import { useConnection } from '../connect/connection.ts';
import { toCode, toVariables } from '../connect/snippets.ts';
import type { Application } from './application.ts';

export function Connect({ application }: { application: Application }) {
  const texts = words.connect;
  const { data, error, isPending, isLoadingError, refetch } = useConnection();
  const [secret] = useState(makeSecret);
  if (isPending) return <Loading />;
  if (isLoadingError) return <LoadFailure error={error} retry={refetch} />;
  const { url } = data;
  const { kind, redirectUris } = application;
  const hint = <Text size="sm">{texts.secretHint(words.applications.rotation.open)}</Text>;
  return (
    <Stack gap="lg">
      <Section title={texts.values}>
        <Values application={application} url={url} />
      </Section>
      {kind === 'web' && (
        <Section title={texts.environment}>
          {hint}
          <CodeBlock text={toVariables(application, url, secret)} />
          <Text size="sm">{texts.sessionSecretHint}</Text>
        </Section>
      )}
      <Section title={texts.code}>
        {kind === 'machine' && hint}
        <CodeBlock text={toCode(application, url)} />
        <Anchor component={Link} to={`/guide/${kind === 'web' ? 'sessions' : 'sign-in-with-latchkey'}`} size="sm">
          {texts.more}
        </Anchor>
      </Section>
      {kind !== 'machine' && (
        <Section title={texts.trial}>
          <Text size="sm">{texts.trialHint}</Text>
          {redirectUris.map((uri) => (
            <Trial key={uri} application={application} redirectUri={uri} url={url} />
          ))}
        </Section>
      )}
    </Stack>
  );
}

function Values({ application, url }: { application: Application; url: string }) {
  const texts = words.connect;
  const { kind, clientId, redirectUris } = application;
  const shown = { [texts.issuer]: url, [words.applications.columns.clientId]: clientId };
  return (
    <Facts>
      {Object.entries(shown).map(([label, value]) => (
        <Fact key={label} label={label}>
          {value} <CopyValue value={value} label={label} />
        </Fact>
      ))}
      {kind === 'browser' && (
        <Fact label={texts.origins}>
          {[...new Set(redirectUris.map((uri) => new URL(uri).origin))].map((origin) => (
            <div key={origin}>
              <Code>{origin}</Code>
            </div>
          ))}
          <Text size="xs" c="dimmed">
            {texts.originsHint}
          </Text>
        </Fact>
      )}
    </Facts>
  );
}

type Outcome = { readonly refusal: string | undefined };

/** Tries the request with one redirect address: at once without a person, and then in a new tab with one. */
function Trial(props: { application: Application; redirectUri: string; url: string }) {
  const { application, redirectUri, url } = props;
  const texts = words.connect;
  const [outcome, setOutcome] = useState<Outcome>();
  const [isBusy, setBusy] = useState(false);
  async function run() {
    setBusy(true);
    const isElsewhere = new URL(url).origin !== location.origin;
    const found = findRefusal(application, redirectUri).catch(() =>
      isElsewhere ? texts.elsewhere(url) : texts.unreachable,
    );
    setOutcome({ refusal: await found });
    setBusy(false);
  }
  const isWeb = /^https?:/.test(redirectUri);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Code style={{ overflowWrap: 'anywhere' }}>{redirectUri}</Code>
        <Button size="xs" variant="default" onClick={run} loading={isBusy} aria-label={texts.tryOne(redirectUri)}>
          {texts.try}
        </Button>
        {outcome && outcome.refusal === undefined && <StatusBadge colour="green">{texts.accepted}</StatusBadge>}
      </Group>
      <div role="status">
        {outcome?.refusal !== undefined && (
          <Alert color="red" variant="light" title={texts.refused}>
            {outcome.refusal}
          </Alert>
        )}
        {outcome && outcome.refusal === undefined && (
          <Text size="sm">
            {texts.acceptedText}{' '}
            {isWeb && (
              <Anchor
                href={toRequest(application, redirectUri)}
                target="_blank"
                rel="noopener"
                size="sm"
                underline="always"
              >
                {texts.open}
              </Anchor>
            )}
          </Text>
        )}
      </div>
    </Stack>
  );
}
