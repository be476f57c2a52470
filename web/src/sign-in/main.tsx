// The entry of the sign-in pages: sign-in, password reset, registration, devices, sign-out.
import './fragment.ts';
import './offered-factors.ts';
import './styles.ts';
import '@fontsource-variable/geist';
import { type ComponentType, Suspense } from 'react';
import { pagePath } from '../api/base-path.ts';
import { latchkey } from '../api/latchkey.ts';
import { Boundary, lazyComponent } from '../ui/part.ts';
import { showRoot } from '../ui/root.tsx';
import { FailedPage } from './failed-page.tsx';
import { loadApplications } from './load-applications.ts';

const LoginPage = lazyComponent(async () => (await import('./login-page.tsx')).LoginPage);
/** In the same file: a further one would split those that all pages share. */
const NotFoundPage = lazyComponent(async () => (await import('./login-page.tsx')).NotFoundPage);

const pages: Readonly<Record<string, ComponentType>> = {
  '/login': LoginPage,
  '/login/pin': lazyComponent(async () => (await import('./pin-page.tsx')).PinPage),
  '/login/external': lazyComponent(async () => (await import('./external-page.tsx')).ExternalPage),
  '/forgot-password': lazyComponent(async () => (await import('./forgot-page.tsx')).ForgotPage),
  '/reset-password': lazyComponent(async () => (await import('./reset-page.tsx')).ResetPage),
  '/register': lazyComponent(async () => (await import('./register-page.tsx')).RegisterPage),
  '/device': lazyComponent(async () => (await loadApplications()).DevicePage),
  '/sign-out': lazyComponent(async () => (await loadApplications()).SignOutPage),
  '/signed-out': lazyComponent(async () => (await loadApplications()).SignOutPage),
};

const path = pagePath().replace(/^(\/login\/external)\/.*/, '$1');
const isBlocked = path.startsWith('/login') && !latchkey.canKeepToken;
const found = pages[path] ?? NotFoundPage;
/** The sign-in page says that the browser blocks storage. */
const Page = isBlocked ? LoginPage : found;

void showRoot(
  <Boundary fallback={(error) => <FailedPage error={error} />}>
    <Suspense fallback={null}>
      <Page />
    </Suspense>
  </Boundary>,
);
