// The shell around every page of the application: navigation, the signed-in user, and automatic log-off.
import { ActionIcon, AppShell, Burger, Button, Group, Kbd, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { LogOut, Search } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { at } from '../api/base-path.ts';
import { latchkey } from '../api/latchkey.ts';
import { signOff } from '../api/sign-off.ts';
import { useApplication } from '../ui/application.ts';
import { useLogo } from '../ui/brand-frame.tsx';
import keyLogo from '../ui/latchkey.svg';
import { GuideContext, PageLoading } from '../ui/page.tsx';
import { modKey, useShortcuts } from '../ui/shortcuts.ts';
import { words } from '../words/index.ts';
import { AccountButton } from './account-button.tsx';
import { IdleWatch } from './idle-watch.tsx';
import { MeContext, useMeQuery } from './me.ts';
import { Navigation } from './navigation.tsx';
import { Part, useOnDemand } from './on-demand.tsx';
import { FailedPage } from './other-pages.tsx';
import { Palette } from './palette.tsx';
import { sectionAt } from './sections.ts';
import './shell.css';
import { lazyPart } from './lazy-part.ts';

const AccountMenu = lazyPart(async () => (await import('./account-menu.tsx')).AccountMenu);
const ShortcutsDialog = lazyPart(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog);

/** Below this width the navigation covers the page, and a button opens it. */
const NARROW = '(max-width: 62em)';

/** In pixels. */
const HEADER = 56;

/** The header stands beside the navigation, and below 992 px above it. */
const frame = {
  layout: 'alt',
  header: { height: HEADER },
  padding: { base: 'md', md: 'xl' },
  withBorder: false,
} as const;

const navbar = { width: 224, breakpoint: 'md' } as const;

/** Opens the sign-in page, and replaces this page in the browser's history. */
function leave(end: string | null): void {
  const to = location.pathname + location.search + location.hash;
  const query = new URLSearchParams({ ...(end && { end }), ...(end !== 'signedOff' && { to }) });
  location.replace(at(`/login?${query}`));
}

export function Shell({ children }: { children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false }) ?? false;
  const burger = useRef<HTMLButtonElement>(null);
  const queries = useQueryClient();
  const palette = useOnDemand();
  const help = useOnDemand();
  const menu = useOnDemand();
  useShortcuts(palette.open, help.open);
  const { pathname } = useLocation();
  const { data: me, error, refetch, isPending } = useMeQuery();
  const [isLeaving, setLeaving] = useState(false);
  const isSigningOff = useRef(false);
  const signOut = async () => {
    if (isSigningOff.current) return;
    isSigningOff.current = true;
    setLeaving(true);
    const path = await signOff();
    if (path === undefined) leave('signedOff');
    else location.replace(path);
  };

  // Escape closes the navigation of a narrow screen.
  useEffect(() => {
    if (!isOpen || !isNarrow) return;
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key !== 'Escape' || defaultPrevented || document.querySelector('[role=dialog], [role=menu]')) return;
      close();
      burger.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOpen, isNarrow, close]);

  // The fixed header must not hide the focused element (WCAG 2.2, 2.4.11).
  useEffect(() => {
    document.documentElement.style.scrollPaddingTop = `${HEADER + 16}px`;
  }, []);

  useEffect(() => {
    if (!latchkey.isSignedIn) leave(null);
    const stop = latchkey.onSession((isSignedIn, end) => {
      if (isSignedIn || isSigningOff.current) return;
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

  // Another person has signed in in another tab: what this page shows and keeps is of the former one.
  const person = useRef<number>(undefined);
  useEffect(() => {
    if (!me) return;
    if (person.current !== undefined && person.current !== me.id) location.reload();
    person.current = me.id;
  }, [me]);

  // Open the sign-in page if the service no longer accepts the token, or if the user must do something first.
  const isRestricted = me?.requireChangePassword || me?.requireFactorEnrollment;
  useEffect(() => {
    if (!isSigningOff.current && (me === null || isRestricted)) leave(me ? null : 'ended');
  }, [me, isRestricted]);

  if (isPending || !me || isRestricted || isLeaving) {
    return (
      <EmptyShell>{error && !isLeaving ? <FailedPage error={error} retry={refetch} /> : <PageLoading />}</EmptyShell>
    );
  }
  return (
    <MeContext value={me}>
      <SkipLink />
      <AppShell {...frame} layout={isNarrow ? 'default' : 'alt'} navbar={{ ...navbar, collapsed: { mobile: !isOpen } }}>
        <AppShell.Header className="bar">
          <Group h="100%" px={{ base: 'md', md: 'xl' }} wrap="nowrap">
            <Group gap="sm" wrap="nowrap" miw={0} hiddenFrom="md">
              <Burger
                ref={burger}
                opened={isOpen}
                onClick={toggle}
                size="sm"
                aria-label={words.shell.menu}
                aria-expanded={isOpen}
              />
              <Logo />
            </Group>
            <Group gap="xs" wrap="nowrap" flex="none" ms="auto">
              <SearchButton onClick={palette.open} />
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                // On a narrow screen, the account menu has it alone.
                visibleFrom="xs"
                aria-label={words.shell.signOut}
                onClick={signOut}
              >
                <LogOut size={18} strokeWidth={1.75} aria-hidden />
              </ActionIcon>
              <Part part={menu} waiting={<AccountButton onClick={menu.open} />}>
                <AccountMenu signOut={signOut} showShortcuts={help.open} />
              </Part>
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar className="side" aria-label={words.shell.navigation} inert={isNarrow && !isOpen}>
          <Brand />
          <Navigation onOpen={close} />
        </AppShell.Navbar>
        {/* The open navigation covers the page on a narrow screen. */}
        <AppShell.Main className="content" inert={isOpen && isNarrow}>
          <GuideContext value={sectionAt(pathname, me)?.guide}>{children}</GuideContext>
        </AppShell.Main>
      </AppShell>
      <IdleWatch signOut={signOut} />
      <Palette palette={palette} signOut={signOut} />
      <Part part={help}>
        <ShortcutsDialog isOpen={help.isOpen} onClose={help.close} />
      </Part>
    </MeContext>
  );
}

/** Leads past the header and the navigation, for users of a keyboard (WCAG 2.2, 2.4.1). It is shown while it has the focus. */
const SkipLink = () => (
  <UnstyledButton className="skip-link" onClick={() => document.querySelector<HTMLElement>('main h1')?.focus()}>
    {words.shell.skip}
  </UnstyledButton>
);

/** The logo of the brand, or the key and the name. */
function Logo() {
  const brand = useApplication();
  const logo = useLogo(brand);
  if (logo !== null) {
    return <img src={logo} alt={brand.name} height={28} style={{ maxWidth: 140, objectFit: 'contain' }} />;
  }
  return (
    <>
      <img src={at(keyLogo)} alt="" width={28} height={28} />
      <Text fw={600} size="md" truncate>
        {brand.name}
      </Text>
    </>
  );
}

/** The brand above the navigation. On a narrow screen, the header has it. */
const Brand = () => (
  <Group h={HEADER} px="lg" gap="sm" wrap="nowrap" visibleFrom="md">
    <Logo />
  </Group>
);

/** The shell while it is not known who is signed in. */
function EmptyShell({ children }: { children: ReactNode }) {
  return (
    <AppShell {...frame} navbar={{ ...navbar, collapsed: { mobile: true } }}>
      <AppShell.Header className="bar">
        <Group h="100%" px="md" gap="sm" wrap="nowrap" hiddenFrom="md">
          <Logo />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="side" aria-label={words.shell.navigation}>
        <Brand />
      </AppShell.Navbar>
      <AppShell.Main className="content">{children}</AppShell.Main>
    </AppShell>
  );
}

function SearchButton({ onClick }: { onClick: () => void }) {
  const icon = <Search size={16} strokeWidth={1.75} aria-hidden />;
  const { open } = words.shell.search;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        visibleFrom="sm"
        leftSection={icon}
        rightSection={<Kbd size="xs">{modKey(words.shortcuts.keys.mod)} K</Kbd>}
        onClick={onClick}
        aria-keyshortcuts="Control+K"
      >
        {open}
      </Button>
      <ActionIcon variant="subtle" color="gray" size="lg" hiddenFrom="sm" aria-label={open} onClick={onClick}>
        {icon}
      </ActionIcon>
    </>
  );
}
