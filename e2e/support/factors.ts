// What a person signs in with besides the password: an authenticator app, and an authenticator of passkeys.
import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { findFreePort } from '../../server/test/support/ports.ts';
import { USER_PASSWORD } from '../../server/test/support/service.ts';
import { type Pages, startPages } from './browser.ts';
import { liftLimits } from './messages.ts';

const STEP_SECONDS = 30;

export type FactorSettings = {
  passkeys?: boolean;
  authenticator?: boolean;
  trustedDeviceDays?: number;
  requireForPermissions?: boolean;
};

/** Switches on what is given, and everything else off. */
export const setFactors = ({ test }: Pick<Pages, 'test'>, given: FactorSettings): Promise<void> =>
  test.set('Latchkey.Factors', {
    passkeys: false,
    authenticator: false,
    trustedDeviceDays: 0,
    requireForPermissions: false,
    ...given,
  });

/**
 * Returns a function that sets whether a second factor is required. The administrator of the test has none, so that a new
 * session of it could not change the setting back: this one was opened before.
 */
export async function openRequirement({ test }: Pick<Pages, 'test'>) {
  const token = await test.admin();
  return async (value: 'optional' | 'required'): Promise<void> => {
    const body = { name: 'Latchkey.Factors.SecondFactor', value };
    const { status, text } = await test.post('/api/services/app/Settings/UpdateValue', { token, body });
    assert.equal(status, 200, text);
  };
}

/** Starts the pages at the address that the service knows as its own, as passkeys need it. */
export async function startPagesAtPublicUrl(): Promise<Pages> {
  const pages = await startPages('sqlite', { publicUrl: `http://localhost:${await findFreePort()}` });
  await liftLimits(pages);
  return pages;
}

/** An authenticator app that shows codes by the clock of the test. */
export interface AuthenticatorApp {
  /** Returns a code that was not used before: the clock moves on by one time step. */
  next(): string;
}

export function createApp({ test }: Pick<Pages, 'test'>, secret: string): AuthenticatorApp {
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  return {
    next() {
      test.clock.advance(STEP_SECONDS);
      return app.generate({ timestamp: test.clock.now() });
    },
  };
}

/** Enrolls an app by calls. @returns the app, and the recovery codes. */
export async function enrollApp(
  pages: Pick<Pages, 'test'>,
  userName: string,
  password = USER_PASSWORD,
): Promise<{ app: AuthenticatorApp; recoveryCodes: readonly string[] }> {
  const { test } = pages;
  const token = await test.signIn(userName, password);
  const begun = await test.post('/api/services/app/Authenticator/Begin', {
    token,
    body: { currentPassword: password },
  });
  assert.equal(begun.status, 200, begun.text);
  const { operationId, secret } = begun.result;
  const app = createApp(pages, secret);
  const body = { operationId, code: app.next() };
  const confirmed = await test.post('/api/services/app/Authenticator/Confirm', { token, body });
  assert.equal(confirmed.status, 200, confirmed.text);
  return { app, recoveryCodes: confirmed.result.recoveryCodes };
}

/** The secret that the page shows. */
export const readSecret = async (page: Page) =>
  ((await page.getByTestId('secret').textContent()) ?? '').replaceAll(' ', '');

/** An authenticator of the browser that keeps passkeys. It confirms at once that the user is present, and verifies the user. */
export interface VirtualAuthenticator {
  count(): Promise<number>;
  /** Loses all passkeys, as an authenticator that was reset. */
  clear(): Promise<void>;
  /** From the next page on, the browser offers passkeys in the autofill, and the user chooses one there at once. */
  startAutofill(): Promise<void>;
}

export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.addInitScript(
    'if (!localStorage.autofill) PublicKeyCredential.isConditionalMediationAvailable = async () => false',
  );
  return {
    count: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    clear: async () => void (await cdp.send('WebAuthn.clearCredentials', { authenticatorId })),
    startAutofill: async () => void (await page.evaluate("localStorage.autofill = 'on'")),
  };
}

/** Types name and password on the sign-in page, and submits them. */
export async function giveFirstFactor(page: Page, name: string, password = USER_PASSWORD): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('User name or e-mail address').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Moves the clock of the page on by the lifetime of an enrollment that has begun. */
export const letEnrollmentExpire = (page: Page): Promise<unknown> =>
  page.evaluate('Date.now = ((now) => () => now() + 300000)(Date.now)');

/** Confirms that the recovery codes are stored, and leaves them. */
export async function storeRecoveryCodes(page: Page): Promise<string[]> {
  const list = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await list.nth(9).waitFor();
  const codes = await list.allTextContents();
  await page.getByLabel('I have stored them').check();
  await page.getByRole('button', { name: 'Done' }).click();
  return codes;
}
