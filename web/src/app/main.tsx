// The entry of the application: my account, and the pages of administrators.
import { at } from '../api/base-path.ts';
import './styles.ts';
import '@fontsource-variable/geist';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { isLatchkeyError } from 'latchkey-sdk';
import { type ComponentType, Suspense } from 'react';
import { createBrowserRouter, matchRoutes, RouterProvider, useLocation, useRouteError, useRoutes } from 'react-router';
import { latchkey } from '../api/latchkey.ts';
import { Notifications } from '../ui/notify.tsx';
import { LoadFailure, PageLoading } from '../ui/page.tsx';
import { Boundary } from '../ui/part.ts';
import { showRoot } from '../ui/root.tsx';
import { first } from '../words/en-first.ts';
import { lazyPart, ownStyles } from './lazy-part.ts';
import { may, meKey, meQuery, useMe } from './me.ts';
import { DeniedPage, FailedPage, NotFoundPage } from './other-pages.tsx';
import { MAINTENANCE, mayOpen, sectionAt } from './sections.ts';
import { Shell } from './shell.tsx';

const queries = new QueryClient({
  queryCache: new QueryCache({
    // A refresh may have restricted the session: the shell then opens the sign-in page. Or the user has lost a permission.
    onError: (error) => {
      if (isLatchkeyError(error, 'factor.enrollmentRequired') || isLatchkeyError(error, 'permission.denied'))
        void queries.invalidateQueries({ queryKey: meKey });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Without a connection, a call fails. To wait for one would leave the former answer on the page.
      networkMode: 'always',
      refetchOnReconnect: true,
      // Retry only if the service was unreachable or too busy. A refusal stays a refusal.
      retry: (count, error) => count < 2 && isLatchkeyError(error) && (error.status === 0 || error.status === 503),
    },
  },
});

const OverviewPage = lazyPart(async () => (await import('./overview/overview-page.tsx')).OverviewPage, ownStyles);
const AccountPage = lazyPart(async () => (await import('./account/account-page.tsx')).AccountPage);
const SettingsPage = lazyPart(async () => (await import('./settings/settings-page.tsx')).SettingsPage);
const UserList = lazyPart(async () => (await import('./users/user-list.tsx')).UserList);
const UsersPage = lazyPart(async () => (await import('./users/users-page.tsx')).UsersPage);
const RolesPage = lazyPart(async () => (await import('./roles/roles-page.tsx')).RolesPage);
const FrontEndsPage = lazyPart(async () => (await import('./front-ends/front-ends-page.tsx')).FrontEndsPage);
const BrandPage = lazyPart(async () => (await import('./front-ends/brand/brand-page.tsx')).BrandPage);
const ConnectPage = lazyPart(async () => (await import('./front-ends/connect-page.tsx')).ConnectPage);
const ServiceKeysPage = lazyPart(async () => (await import('./service-keys/service-keys-page.tsx')).ServiceKeysPage);
const AuditPage = lazyPart(async () => (await import('./audit/audit-page.tsx')).AuditPage);
const ApplicationsPage = lazyPart(async () => (await import('./applications/applications-page.tsx')).ApplicationsPage);
const ApplicationPage = lazyPart(async () => (await import('./applications/application-page.tsx')).ApplicationPage);
const ProvidersPage = lazyPart(async () => (await import('./external-providers/providers-page.tsx')).ProvidersPage);
const AddProviderPage = lazyPart(async () => (await import('./external-providers/add-page.tsx')).AddProviderPage);
const ProviderPage = lazyPart(async () => (await import('./external-providers/provider-page.tsx')).ProviderPage);
const WebhooksPage = lazyPart(async () => (await import('./webhooks/webhooks-page.tsx')).WebhooksPage);
const WebhookPage = lazyPart(async () => (await import('./webhooks/webhook-page.tsx')).WebhookPage);
const GuideIndex = lazyPart(async () => (await import('../guide/guide-index.tsx')).GuideIndex);
const GuidePage = lazyPart(async () => (await import('../guide/guide-page.tsx')).GuidePage);
const ExplorerPage = lazyPart(async () => (await import('../api-explorer/explorer-page.tsx')).ExplorerPage);
const CallPage = lazyPart(async () => (await import('../api-explorer/call-page.tsx')).CallPage);
const OutboxPage = lazyPart(async () => (await import('./outbox/outbox-page.tsx')).OutboxPage);

/** The first page: the overview for administrators, and the own account for other users. */
const HomePage = () => (may(useMe(), MAINTENANCE) ? <OverviewPage /> : <AccountPage />);

/** The component of each page, by its path. One that is a part can start before it is shown. */
const pages: Readonly<Record<string, ComponentType & { readonly start?: () => void }>> = {
  '/': HomePage,
  '/settings': SettingsPage,
  '/users': UserList,
  '/users/:id': UsersPage,
  '/roles': RolesPage,
  '/front-ends': FrontEndsPage,
  '/front-ends/:appKey/brand': BrandPage,
  '/front-ends/:appKey/connect': ConnectPage,
  '/service-keys': ServiceKeysPage,
  '/audit': AuditPage,
  '/applications': ApplicationsPage,
  '/applications/:id': ApplicationPage,
  '/external-providers': ProvidersPage,
  '/external-providers/add': AddProviderPage,
  '/external-providers/:id': ProviderPage,
  '/webhooks': WebhooksPage,
  '/webhooks/:id': WebhookPage,
  '/account': AccountPage,
  '/api': ExplorerPage,
  '/api/:id': CallPage,
  '/guide': GuideIndex,
  '/guide/*': GuidePage,
  '/outbox': OutboxPage,
  '*': NotFoundPage,
};

const routes = Object.entries(pages).map(([path, Component]) => ({ path, Component }));

/** Loads the page at the address beside the session of its reader. */
function startPage(): void {
  for (const { route } of matchRoutes(routes, location.pathname, at('/app')) ?? []) route.Component.start?.();
}

/** The page at the address, within the shell. */
function Content() {
  const me = useMe();
  const { pathname } = useLocation();
  const page = useRoutes(routes);
  const section = sectionAt(pathname, me);
  if (section && !mayOpen(section, me)) return <DeniedPage />;
  return (
    <Boundary place={pathname} fallback={(error, retry) => <FailedPage error={error} retry={retry} />}>
      <Suspense fallback={<PageLoading />}>{page}</Suspense>
    </Boundary>
  );
}

/** Shown when the shell itself fails. */
function Failure() {
  return <LoadFailure error={useRouteError()} retry={() => location.reload()} />;
}

/** A data router: only this kind can block a navigation while changes are unsaved. */
const router = createBrowserRouter(
  [
    {
      path: '*',
      errorElement: <Failure />,
      element: (
        <Shell>
          <Content />
        </Shell>
      ),
    },
  ],
  { basename: at('/app') },
);

/** Asks who is signed in while the page loads. */
async function startSession(): Promise<void> {
  await latchkey.ready;
  if (latchkey.isSignedIn) await queries.prefetchQuery(meQuery);
}

void startSession();

void showRoot(
  <QueryClientProvider client={queries}>
    <Notifications>
      {/* As a transition, a page would follow its address late: a filter chosen meanwhile would undo the one before. */}
      <RouterProvider router={router} useTransitions={false} />
    </Notifications>
  </QueryClientProvider>,
  first,
  startPage,
);
