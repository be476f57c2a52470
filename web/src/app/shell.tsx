// The shell around every page of the application: navigation, the signed-in user, and automatic log-off.
import { AppShell, Box, Burger, Button, Group, NavLink, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { latchkey } from '../api/latchkey.ts';
import { useApplication } from '../ui/application.ts';
import logo from '../ui/latchkey.svg';
import { LoadFailure, Loading } from '../ui/page.tsx';
import { backdrop } from '../ui/theme.ts';
import { words } from '../words/index.ts';
import { IdleDialog } from './idle-dialog.tsx';
import { MeContext, may, useMeQuery } from './me.ts';

const sections = [
  { path: '/', label: () => words.shell.account, permission: undefined },
  { path: '/settings', label: () => words.shell.settings, permission: 'pages:maintenance' },
  { path: '/users', label: () => words.shell.users, permission: 'Pages.Users' },
  { path: '/roles', label: () => words.shell.roles, permission: 'Pages.Users' },
  { path: '/front-ends', label: () => words.shell.frontEnds, permission: 'pages:maintenance' },
  { path: '/service-keys', label: () => words.shell.serviceKeys, permission: 'pages:maintenance' },
  { path: '/audit', label: () => words.shell.audit, permission: 'pages:maintenance' },
  { path: '/outbox', label: () => words.shell.outbox, permission: 'pages:maintenance' },
] as const;

/** Height in pixels. */
const HEADER = 60;

/** Opens the sign-in page, and replaces this page in the browser's history. */
function leave(end: string | null): void {
  const to = location.pathname + location.search;
  const query = new URLSearchParams({ ...(end && { end }), ...(end !== 'signedOff' && { to }) });
  location.replace(`/login?${query}`);
}

export function Shell({ children }: { children: ReactNode }) {
  const { name } = useApplication();
  const { pathname } = useLocation();
  const [isOpen, { toggle, close }] = useDisclosure();
  const queries = useQueryClient();
  const { data: me, error, refetch, isPending } = useMeQuery();

  // The fixed header must not hide the focused element (WCAG 2.2, 2.4.11).
  useEffect(() => {
    document.documentElement.style.scrollPaddingTop = `${HEADER + 16}px`;
  }, []);

  useEffect(() => {
    if (!latchkey.isSignedIn) leave(null);
    const stop = latchkey.onSession((isSignedIn, end) => {
      if (isSignedIn) return;
      queries.clear();
      leave(end);
    });
    // Reload a page from the back/forward cache: its user may have signed out.
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) location.reload();
    };
    addEventListener('pageshow', onShow);
    return () => {
      stop();
      removeEventListener('pageshow', onShow);
    };
  }, [queries]);

  // Open the sign-in page if the service no longer accepts the token, or if the user must do something first.
  const isRestricted = me?.requireChangePassword || me?.requireFactorEnrollment;
  useEffect(() => {
    if (me === null || isRestricted) leave(me ? null : 'ended');
  }, [me, isRestricted]);

  if (error) return <LoadFailure error={error} retry={refetch} />;
  if (isPending || !me || isRestricted) return <Loading />;
  return (
    <MeContext value={me}>
      <AppShell
        header={{ height: HEADER }}
        navbar={{ width: 230, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
        padding="lg"
      >
        <AppShell.Header>
          <Group h="100%" px="md" justify="space-between" wrap="nowrap">
            <Group gap="sm" wrap="nowrap">
              <Burger
                opened={isOpen}
                onClick={toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label={words.shell.menu}
                aria-expanded={isOpen}
              />
              <img src={logo} alt="" width={28} height={28} />
              <Text fw={600} truncate>
                {name}
              </Text>
            </Group>
            <Group gap="sm" wrap="nowrap">
              <Text size="sm" visibleFrom="xs" truncate>
                {me.fullName}
              </Text>
              <Button size="xs" variant="default" onClick={() => latchkey.signOff().catch(() => {})}>
                {words.shell.signOut}
              </Button>
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="sm" aria-label={words.shell.navigation}>
          <Stack gap={2}>
            {sections
              .filter(({ permission }) => permission === undefined || may(me, permission))
              .map(({ path, label }) => {
                const isActive = path === '/' ? pathname === '/' : pathname.startsWith(path);
                return (
                  <NavLink
                    key={path}
                    component={Link}
                    to={path}
                    label={label()}
                    active={isActive}
                    style={{ borderRadius: 'var(--mantine-radius-md)' }}
                    {...(isActive && { 'aria-current': 'page' })}
                    onClick={close}
                  />
                );
              })}
          </Stack>
        </AppShell.Navbar>
        <AppShell.Main bg={backdrop}>
          <Box maw={1100}>{children}</Box>
        </AppShell.Main>
      </AppShell>
      <IdleDialog />
    </MeContext>
  );
}
