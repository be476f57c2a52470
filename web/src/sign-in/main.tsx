// The entry of the pages on the way in: signing in, forgotten passwords, registration.
import './fragment.ts';
import './styles.ts';
import { type ComponentType, lazy, Suspense } from 'react';
import { showRoot } from '../ui/root.tsx';

const pages: Readonly<Record<string, ComponentType>> = {
  '/login': lazy(async () => ({ default: (await import('./login-page.tsx')).LoginPage })),
  '/login/pin': lazy(async () => ({ default: (await import('./pin-page.tsx')).PinPage })),
  '/login/external': lazy(async () => ({ default: (await import('./external-page.tsx')).ExternalPage })),
  '/forgot-password': lazy(async () => ({ default: (await import('./forgot-page.tsx')).ForgotPage })),
  '/reset-password': lazy(async () => ({ default: (await import('./reset-page.tsx')).ResetPage })),
  '/register': lazy(async () => ({ default: (await import('./register-page.tsx')).RegisterPage })),
};

const path = location.pathname.replace(/^(\/login\/external)\/.*/, '$1');
const Page = pages[path] ?? (pages['/login'] as ComponentType);

void showRoot(
  <Suspense fallback={null}>
    <Page />
  </Suspense>,
);
