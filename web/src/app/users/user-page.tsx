// The page of one account: its state and main actions, how it signs in, and beside that its facts and further actions.
import { Alert, Box, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { CopyValue } from '../../ui/copy-button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { type Ancestor, LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { Fact, Facts, Section } from '../../ui/section.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { words } from '../../words/more.ts';
import { may, useMe } from '../me.ts';
import { useRoles } from '../roles/role.ts';
import { SignOuts, useSignOuts } from '../sign-outs.tsx';
import { FurtherActions, MainActions } from './action-buttons.tsx';
import { Activity } from './activity.tsx';
import { ExternalLogins, useExternalLogins } from './external-logins.tsx';
import { FactorList, hasFactors } from './factors.tsx';
import { Initials } from './initials.tsx';
import { Obstacles } from './obstacles.tsx';
import { Sessions } from './sessions.tsx';
import { Status } from './status.tsx';
import { displayName, mayManage, type User, type UserDetails, useListPath, userKey } from './user.ts';
import { type UserActions, useUserActions } from './user-actions.tsx';

export function UserPage({ id }: { id: number }) {
  const listPath = useListPath();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: userKey(id),
    queryFn: () => latchkey.call('User/Get', { id }),
  });
  const trail = [{ path: listPath, label: words.users.title }];
  const failure = error && <LoadFailure error={error} retry={refetch} />;
  if (data) return <Account user={data} listPath={listPath} trail={trail} failure={failure} />;
  return (
    <Page title={words.users.one} trail={trail}>
      {isPending && <Loading />}
      {failure}
    </Page>
  );
}

/** @param props.failure told if the account could not be read again. */
function Account(props: { user: UserDetails; listPath: string; trail: readonly Ancestor[]; failure: ReactNode }) {
  const { user, listPath, trail, failure } = props;
  const me = useMe();
  const [actions, dialogs] = useUserActions(user, listPath);
  const managed = mayManage(me, user, useRoles()) ? actions : undefined;
  return (
    <Page
      title={displayName(user)}
      trail={trail}
      heading={
        <Group component="span" gap="sm" wrap="nowrap">
          <Initials user={user} size={44} />
          {displayName(user)}
        </Group>
      }
      note={
        <Group gap="xs">
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {user.userName} · {words.users.idOf(user.id)}
          </Text>
          <Status user={user} />
        </Group>
      }
      actions={managed && <MainActions actions={managed} />}
    >
      {failure}
      {!managed && (
        <Alert color="blue" variant="light">
          {words.users.beyond}
        </Alert>
      )}
      {managed && <ProblemNotice problem={managed.problem} />}
      <Box className="beside">
        <Stack gap="md">
          <SignIn user={user} managed={managed} />
        </Stack>
        <Stack gap="md">
          <Section title={words.users.facts.title}>
            <AccountFacts user={user} />
          </Section>
          {managed && (
            <Section title={words.users.actions.title}>
              <FurtherActions user={user} actions={managed} />
            </Section>
          )}
        </Stack>
      </Box>
      {dialogs}
    </Page>
  );
}

/** What keeps the account from signing in, where it is signed in, what it signs in with, and what happened last. */
function SignIn({ user, managed }: { user: UserDetails; managed: UserActions | undefined }) {
  const external = useExternalLogins(user.id, managed !== undefined);
  const signOuts = useSignOuts(user.id, userKey(user.id)) ?? [];
  return (
    <>
      <Obstacles user={user} actions={managed} />
      {managed && (
        <Section title={words.users.sessions.title}>
          <Sessions user={user} onEndAll={managed.signOutEverywhere} />
        </Section>
      )}
      {hasFactors(user) && (
        <Section title={words.users.factors.title}>
          <FactorList user={user} onReset={managed?.resetFactors} />
        </Section>
      )}
      {external.isShown && (
        <Section title={words.users.external.title}>
          <ExternalLogins {...external} userId={user.id} />
        </Section>
      )}
      {signOuts.length > 0 && (
        <Section title={words.signOuts.title}>
          <SignOuts sessions={signOuts} />
        </Section>
      )}
      {may(useMe(), 'pages:maintenance') && (
        <Section title={words.users.activity.title}>
          <Activity userId={user.id} />
        </Section>
      )}
    </>
  );
}

function AccountFacts({ user }: { user: User }) {
  const { facts } = words.users;
  const proof = (isConfirmed: boolean) => (
    <StatusBadge colour={isConfirmed ? 'green' : 'orange'}>
      {isConfirmed ? facts.verified : facts.unverified}
    </StatusBadge>
  );
  return (
    <Facts>
      <Copied label={facts.userName} value={user.userName} />
      <Copied label={facts.emailAddress} value={user.emailAddress}>
        {user.emailAddress !== null && proof(user.isEmailConfirmed)}
      </Copied>
      <Copied label={facts.mobileNumber} value={user.mobileNumber}>
        {user.mobileNumber !== null && proof(user.isMobileConfirmed)}
      </Copied>
      <Fact label={facts.roles}>{user.roleNames.join(', ') || facts.none}</Fact>
      <Fact label={facts.lastLogin}>
        {user.lastLoginTime === null ? words.users.never : <Moment at={user.lastLoginTime} />}
      </Fact>
      <Fact label={facts.created}>
        <Moment at={user.creationTime} />
      </Fact>
      <Copied label={facts.id} value={String(user.id)} />
      <Copied label={facts.personId} value={user.personId} />
    </Facts>
  );
}

/** A fact with a button that copies it. */
function Copied({ label, value, children }: { label: string; value: string | null; children?: ReactNode }) {
  return (
    <Fact label={label}>
      {value ?? words.users.facts.none} {value !== null && <CopyValue value={value} label={label} />} {children}
    </Fact>
  );
}
