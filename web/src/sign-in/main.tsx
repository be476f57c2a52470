// The entry of the sign-in pages: sign-in, password reset, registration.
import './fragment.ts';
import './offered-factors.ts';
import './styles.ts';
import { type ComponentType, lazy, Suspense } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { showRoot } from '../ui/root.tsx';

const LoginPage = lazy(async () => ({ default: (await import('./login-page.tsx')).LoginPage }));

const pages: Readonly<Record<string, ComponentType>> = {
  '/login/pin': lazy(async () => ({ default: (await import('./pin-page.tsx')).PinPage })),
  '/login/external': lazy(async () => ({ default: (await import('./external-page.tsx')).ExternalPage })),
  '/forgot-password': lazy(async () => ({ default: (await import('./forgot-page.tsx')).ForgotPage })),
  '/reset-password': lazy(async () => ({ default: (await import('./reset-page.tsx')).ResetPage })),
  '/register': lazy(async () => ({ default: (await import('./register-page.tsx')).RegisterPage })),
};

const path = location.pathname.replace(/^(\/login\/external)\/.*/, '$1');
const isBlocked = path.startsWith('/login') && !latchkey.canKeepToken;
/** The sign-in page says that the browser blocks storage. */
const Page = (isBlocked ? undefined : pages[path]) ?? LoginPage;

void showRoot(
  <Suspense fallback={null}>
    <Page />
  </Suspense>,
);
