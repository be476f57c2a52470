// The page of one account: the obstacles to signing in, its facts, and the actions on it.
import { Alert, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { CopyValue } from '../../ui/copy-button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { words } from '../../words/all.ts';
import { may, useMe } from '../me.ts';
import { useRoles } from '../roles/role.ts';
import { SignOuts, useSignOuts } from '../sign-outs.tsx';
import { ActionButtons } from './action-buttons.tsx';
import { ExternalLogins, useExternalLogins } from './external-logins.tsx';
import { FactorList, hasFactors } from './factors.tsx';
import { Obstacles } from './obstacles.tsx';
import { Refusals } from './refusals.tsx';
import { Status } from './status.tsx';
import { displayName, mayManage, type User, type UserDetails, useListPath, userKey } from './user.ts';
import { useUserActions } from './user-actions.tsx';

export function UserPage({ id }: { id: number }) {
  const listPath = useListPath();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: userKey(id),
    queryFn: () => latchkey.call('User/Get', { id }),
  });
  return (
    <Page title={data ? displayName(data) : words.users.one} trail={[{ path: listPath, label: words.users.title }]}>
      {isPending && <Loading />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data && !error && <Account user={data} listPath={listPath} />}
    </Page>
  );
}

function Account({ user, listPath }: { user: UserDetails; listPath: string }) {
  const me = useMe();
  const [actions, dialogs] = useUserActions(user, listPath);
  const managed = mayManage(me, user, useRoles()) ? actions : undefined;
  const external = useExternalLogins(user.id);
  const signOuts = useSignOuts(user.id, userKey(user.id)) ?? [];
  return (
    <>
      {!managed && (
        <Alert color="blue" variant="light">
          {words.users.beyond}
        </Alert>
      )}
      <Section title={words.users.obstacles.title}>
        <Obstacles user={user} actions={managed} />
        {may(me, 'pages:maintenance') && <Refusals userId={user.id} />}
      </Section>
      <Section title={words.users.facts.title}>
        <Facts user={user} />
        {managed && <ActionButtons user={user} actions={managed} />}
      </Section>
      {hasFactors(user) && (
        <Section title={words.users.factors.title}>
          <FactorList user={user} onReset={managed?.resetFactors} />
        </Section>
      )}
      {external.isShown && (
        <Section title={words.users.external.title}>
          <ExternalLogins {...external} userId={user.id} isManaged={managed !== undefined} />
        </Section>
      )}
      {signOuts.length > 0 && (
        <Section title={words.signOuts.title}>
          <SignOuts sessions={signOuts} />
        </Section>
      )}
      {dialogs}
    </>
  );
}

function Facts({ user }: { user: User }) {
  const { facts } = words.users;
  const proof = (isConfirmed: boolean) => (
    <StatusBadge colour={isConfirmed ? 'green' : 'orange'}>
      {isConfirmed ? facts.verified : facts.unverified}
    </StatusBadge>
  );
  return (
    <Stack gap="sm">
      <Status user={user} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <Fact label={facts.userName} value={user.userName} isCopied />
        <Fact label={facts.roles} value={user.roleNames.join(', ')} />
        <Fact label={facts.emailAddress} value={user.emailAddress} isCopied>
          {user.emailAddress !== null && proof(user.isEmailConfirmed)}
        </Fact>
        <Fact label={facts.mobileNumber} value={user.mobileNumber} isCopied>
          {user.mobileNumber !== null && proof(user.isMobileConfirmed)}
        </Fact>
        <Fact
          label={facts.lastLogin}
          value={user.lastLoginTime === null ? words.users.never : <Moment at={user.lastLoginTime} />}
        />
        <Fact label={facts.created} value={<Moment at={user.creationTime} />} />
        <Fact label={facts.id} value={String(user.id)} isCopied />
        <Fact label={facts.personId} value={user.personId} isCopied />
      </SimpleGrid>
    </Stack>
  );
}

/** @param props.isCopied whether a button copies the value. */
function Fact(props: { label: string; value: ReactNode; isCopied?: boolean; children?: ReactNode }) {
  const { label, value, isCopied = false, children } = props;
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Group gap="xs">
        <Text component="div" size="sm" style={{ overflowWrap: 'anywhere' }} maw="100%">
          {value || words.users.facts.none}{' '}
          {isCopied && typeof value === 'string' && <CopyValue value={value} label={label} />}
        </Text>
        {children}
      </Group>
    </div>
  );
}
