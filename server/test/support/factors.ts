// Second factors as a person uses them: an authenticator app, recovery codes, and the second step of a sign-in.
import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import type { TestAccount } from './accounts.ts';
import { type TestService, USER_PASSWORD } from './service.ts';
import type { SetUp } from './set-ups.ts';

const API = '/api/services/app';
const STEP_SECONDS = 30;

/** An enrolled authenticator app, and the recovery codes that came with it. */
export type App = { readonly secret: string; readonly codes: readonly string[] };

/** Enrolls an app for an account, without its owner's proof. @returns a function that moves on to the next code. */
export async function enrollApp({ service, clock }: TestService, { id, userName }: TestAccount) {
  const { database, authenticators } = service;
  const begun = await database.transaction((tx) => authenticators.begin(tx, id, { issuer: 'test', label: userName }));
  const app = new TOTP({ secret: Secret.fromBase32(begun.secret) });
  const next = () => {
    clock.advance(STEP_SECONDS);
    return app.generate({ timestamp: clock.now() });
  };
  assert.equal(
    await database.transaction((tx) => authenticators.confirm(tx, id, begun.operationId, next())),
    'enrolled',
  );
  return next;
}

/** Makes a session one that has just proven a second factor, for tests that are about something else. */
export async function markProven({ service, clock }: TestService, token: string) {
  const { sessionId: id } = await service.sessions.check(token);
  const proven = { factor_used_at: clock.now() };
  await service.database.sql.updateTable('session').set(proven).where('id', '=', id).execute();
}

/** Uses the factors of a set-up: enrolls here, and answers challenges there. */
export function useFactors({ here, there }: SetUp) {
  /** Sets the policy. An authenticator app is allowed unless `more` says otherwise. */
  async function allow(more: object = {}, secondFactor?: 'optional' | 'required', frontEnd?: string) {
    const value = { passkeys: false, authenticator: true, trustedDeviceDays: 0, requireForPermissions: false, ...more };
    await here.set('Latchkey.Factors', value);
    if (secondFactor) await here.set('Latchkey.Factors.SecondFactor', secondFactor, frontEnd);
  }

  /** The code that the app shows now. */
  const codeOf = ({ secret }: Pick<App, 'secret'>) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: here.clock.now() });

  /** Moves on to the next time step, because each step works once. */
  function nextCode(app: Pick<App, 'secret'>) {
    here.clock.advance(STEP_SECONDS);
    return codeOf(app);
  }

  /** A code of the right form that the app shows neither now nor in the steps around now. */
  function wrongCode({ secret }: Pick<App, 'secret'>): string {
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    const isWrong = (token: string) => app.validate({ token, timestamp: here.clock.now(), window: 2 }) === null;
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find(isWrong) ?? assert.fail();
  }

  async function begin(token: string, currentPassword: string | null = USER_PASSWORD) {
    const answer = await here.post(`${API}/Authenticator/Begin`, { token, body: { currentPassword } });
    assert.equal(answer.status, 200, answer.text);
    return answer.result;
  }
  const confirm = (token: string, operationId: string, code: string) =>
    there.post(`${API}/Authenticator/Confirm`, { token, body: { operationId, code } });

  async function enroll(token: string, currentPassword?: string | null): Promise<App> {
    const { operationId, secret } = await begin(token, currentPassword);
    const answer = await confirm(token, operationId, nextCode({ secret }));
    assert.equal(answer.status, 200, answer.text);
    return { secret, codes: answer.result.recoveryCodes };
  }

  const signIn = (
    userName: string,
    more: object = {},
    headers: Record<string, string> = {},
    node: TestService = here,
  ) =>
    node.post('/api/TokenAuth/Authenticate', {
      body: { userNameOrEmailAddress: userName, password: USER_PASSWORD, ...more },
      headers,
    });

  /** Signs in with the password, and returns the challenge. */
  async function challenge(userName: string, more: object = {}): Promise<string> {
    const { status, result, text } = await signIn(userName, more);
    assert.equal(status, 200, text);
    assert.equal(result.accessToken, null);
    assert.ok(result.requiresTwoFactorVerification && result.challengeToken, text);
    return result.challengeToken;
  }

  const verify = (
    challengeToken: string,
    code: string,
    more: object = {},
    node: TestService = there,
    headers: Record<string, string> = {},
  ) =>
    node.post('/api/TokenAuth/VerifySecondFactor', {
      body: { challengeToken, provider: 'Authenticator', code, ...more },
      headers,
    });

  /** Signs in with the password and the next code of the app. */
  async function signInWithBoth(userName: string, app: App, more: object = {}) {
    const answer = await verify(await challenge(userName), nextCode(app), more);
    assert.equal(answer.status, 200, answer.text);
    return answer.result;
  }

  /** Proves the second factor in a session. @returns its fresh token. */
  async function prove(token: string, app: Pick<App, 'secret'>): Promise<string> {
    const answer = await here.post('/api/TokenAuth/Reauthenticate', { token, body: { code: nextCode(app) } });
    assert.equal(answer.status, 200, answer.text);
    return answer.result.accessToken;
  }

  const factorsOf = async (token: string) => {
    const answer = await here.get(`${API}/Factor/GetAll`, { token });
    assert.equal(answer.status, 200, answer.text);
    return answer.result;
  };

  return {
    allow,
    codeOf,
    nextCode,
    wrongCode,
    begin,
    confirm,
    enroll,
    signIn,
    challenge,
    verify,
    signInWithBoth,
    prove,
    factorsOf,
  };
}
