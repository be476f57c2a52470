// The entry of the application: my account, and the pages of administrators.
import '@mantine/core/styles.css';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { isLatchkeyError } from 'latchkey-sdk';
import { lazy, Suspense } from 'react';
import { createBrowserRouter, Route, RouterProvider, Routes, useRouteError } from 'react-router';
import { Notifications } from '../ui/notify.tsx';
import { LoadFailure, PageLoading } from '../ui/page.tsx';
import { showRoot } from '../ui/root.tsx';
import { en } from '../words/en.ts';
import { may, meKey, useMe } from './me.ts';
import { MAINTENANCE } from './sections.ts';
import { Shell } from './shell.tsx';

const queries = new QueryClient({
  queryCache: new QueryCache({
    // A refresh may have restricted the session: the shell then opens the sign-in page.
    onError: (error) => {
      if (isLatchkeyError(error, 'factor.enrollmentRequired')) void queries.invalidateQueries({ queryKey: meKey });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Retry only if the service was unreachable or too busy. A refusal stays a refusal.
      retry: (count, error) => count < 2 && isLatchkeyError(error) && (error.status === 0 || error.status === 503),
    },
  },
});

const OverviewPage = lazy(async () => ({ default: (await import('./overview/overview-page.tsx')).OverviewPage }));
const AccountPage = lazy(async () => ({ default: (await import('./account/account-page.tsx')).AccountPage }));
const SettingsPage = lazy(async () => ({ default: (await import('./settings/settings-page.tsx')).SettingsPage }));
const UsersPage = lazy(async () => ({ default: (await import('./users/users-page.tsx')).UsersPage }));
const RolesPage = lazy(async () => ({ default: (await import('./roles/roles-page.tsx')).RolesPage }));
const FrontEndsPage = lazy(async () => ({ default: (await import('./front-ends/front-ends-page.tsx')).FrontEndsPage }));
const BrandPage = lazy(async () => ({ default: (await import('./front-ends/brand/brand-page.tsx')).BrandPage }));
const ServiceKeysPage = lazy(async () => ({
  default: (await import('./service-keys/service-keys-page.tsx')).ServiceKeysPage,
}));
const AuditPage = lazy(async () => ({ default: (await import('./audit/audit-page.tsx')).AuditPage }));
const GuideIndex = lazy(async () => ({ default: (await import('../guide/guide-index.tsx')).GuideIndex }));
const GuidePage = lazy(async () => ({ default: (await import('../guide/guide-page.tsx')).GuidePage }));
const ExplorerPage = lazy(async () => ({ default: (await import('../api-explorer/explorer-page.tsx')).ExplorerPage }));
const CallPage = lazy(async () => ({ default: (await import('../api-explorer/call-page.tsx')).CallPage }));
const OutboxPage = lazy(async () => ({ default: (await import('./outbox/outbox-page.tsx')).OutboxPage }));

/** The first page: the overview for administrators, and the own account for other users. */
const HomePage = () => (may(useMe(), MAINTENANCE) ? <OverviewPage /> : <AccountPage />);

/** Shown when a page fails to load, such as after an upgrade of the service has replaced its files. */
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
          <Suspense fallback={<PageLoading />}>
            <Routes>
              <Route path="/settings" element={<SettingsPage />} />
              <Route path="/users" element={<UsersPage />} />
              <Route path="/users/:id" element={<UsersPage />} />
              <Route path="/roles" element={<RolesPage />} />
              <Route path="/front-ends" element={<FrontEndsPage />} />
              <Route path="/front-ends/:appKey/brand" element={<BrandPage />} />
              <Route path="/service-keys" element={<ServiceKeysPage />} />
              <Route path="/audit" element={<AuditPage />} />
              <Route path="/account" element={<AccountPage />} />
              <Route path="/api" element={<ExplorerPage />} />
              <Route path="/api/:id" element={<CallPage />} />
              <Route path="/guide" element={<GuideIndex />} />
              <Route path="/guide/*" element={<GuidePage />} />
              <Route path="/outbox" element={<OutboxPage />} />
              <Route path="*" element={<HomePage />} />
            </Routes>
          </Suspense>
        </Shell>
      ),
    },
  ],
  { basename: '/app' },
);

void showRoot(
  <QueryClientProvider client={queries}>
    <Notifications>
      <RouterProvider router={router} />
    </Notifications>
  </QueryClientProvider>,
  en,
);
