// The entry of the sign-in pages: sign-in, password reset, registration.
import './fragment.ts';
import './offered-factors.ts';
import './styles.ts';
import { type ComponentType, lazy, Suspense } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { Boundary, loadPart } from '../ui/part.ts';
import { showRoot } from '../ui/root.tsx';
import { FailedPage } from './failed-page.tsx';

/** The file of the sign-in page. It also has the page of unknown addresses: a further file would split those that all pages share. */
const loadLogin = () => import('./login-page.tsx');

const page = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await loadPart(load) }));

const LoginPage = page(async () => (await loadLogin()).LoginPage);
const NotFoundPage = page(async () => (await loadLogin()).NotFoundPage);

const pages: Readonly<Record<string, ComponentType>> = {
  '/login': LoginPage,
  '/login/pin': page(async () => (await import('./pin-page.tsx')).PinPage),
  '/login/external': page(async () => (await import('./external-page.tsx')).ExternalPage),
  '/forgot-password': page(async () => (await import('./forgot-page.tsx')).ForgotPage),
  '/reset-password': page(async () => (await import('./reset-page.tsx')).ResetPage),
  '/register': page(async () => (await import('./register-page.tsx')).RegisterPage),
};

const path = location.pathname.replace(/^(\/login\/external)\/.*/, '$1');
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
