// What to do at a provider before it is added here: the redirect URI to copy, and steps for its type.
import { Anchor, Code, Group, List, Text } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import { CopyValue } from '../../ui/copy-button.tsx';
import { Section } from '../../ui/section.tsx';
import { words } from '../../words/all.ts';
import { describeType, type ProviderType, type TypeName } from './provider.ts';

/** Where clients are registered at the makers. */
const CONSOLES: Partial<Record<TypeName, string>> = {
  google: 'https://console.cloud.google.com/auth/clients',
  microsoft: 'https://entra.microsoft.com/',
  github: 'https://github.com/settings/developers',
  gitlab: 'https://gitlab.com/-/user_settings/applications',
  apple: 'https://developer.apple.com/account/resources/identifiers/list',
  facebook: 'https://developers.facebook.com/apps/',
  linkedin: 'https://www.linkedin.com/developers/apps',
};

/** @param props.uri the redirect URI; absent while there is no name. */
export function TypeGuide({ type, uri }: { type: ProviderType; uri: string | undefined }) {
  const { guide, fields } = words.externalProviders;
  const address = CONSOLES[type.type];
  const title = guide.title(describeType(type));
  return (
    <Section title={title}>
      <RedirectUri uri={uri} />
      {address !== undefined && (
        <Anchor href={address} target="_blank" rel="noreferrer" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {address.replace(/^https:\/\/|\/$/g, '')} <ExternalLink size={14} aria-hidden />
        </Anchor>
      )}
      <List type="ordered" size="sm" spacing="xs" aria-label={title}>
        {Object.values(guide.steps[type.type]).map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      {type.scopes.length > 0 && (
        <Text size="sm">
          {words.common.labelled(fields.scopes, '')}
          <Code>{type.scopes.join(' ')}</Code>
        </Text>
      )}
    </Section>
  );
}

function RedirectUri({ uri }: { uri: string | undefined }) {
  const { redirectUri, redirectUriLater } = words.externalProviders;
  return (
    <div>
      <Text size="xs" c="dimmed">
        {redirectUri}
      </Text>
      {uri === undefined ? (
        <Text size="sm">{redirectUriLater}</Text>
      ) : (
        <Group gap="xs" wrap="nowrap">
          <Code style={{ overflowWrap: 'anywhere' }}>{uri}</Code>
          <CopyValue value={uri} label={redirectUri} />
        </Group>
      )}
    </div>
  );
}
