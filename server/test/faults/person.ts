// A person whose calls the ledger records: signs in, uses and refreshes tokens, signs off, changes passwords.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ledger, NOT_JSON, type Outcome, outcomeOf } from './ledger.ts';

/** Long past every limit: a call that waits so long hangs. */
const HANGING_MS = 30_000;

/** A token as its bearer knows it. */
export type Held = { readonly token: string; readonly jti: string; readonly sid: string };

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape.
export type CallAnswer = { status: number; reason: string | undefined; text: string; result: any; elapsedMs: number };

export type CallInput = { token?: string | undefined; body?: unknown; caller?: string; signal?: AbortSignal };

/**
 * One call of the API: POST with a body or without, GET for calls that only read. Rejects when no answer comes. An answer whose
 * body is not JSON has the reason `NOT_JSON`, and keeps its status and text.
 */
export async function callApi(
  url: string,
  method: 'GET' | 'POST',
  path: string,
  { token, body, caller = 'nobody', signal }: CallInput = {},
): Promise<CallAnswer> {
  const startedAt = performance.now();
  const headers = {
    'user-agent': caller,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const sent = {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
  const { status, text } = await send(`${url}${path}`, sent);
  const { result, error } = readJson(text);
  return { status, reason: error?.reason, text, result, elapsedMs: performance.now() - startedAt };
}

/** One call of an endpoint for applications: a form, and an answer without the envelope. The reason is its `error` (RFC 6749, 5.2). */
export async function callForm(
  url: string,
  path: string,
  { form, authorization, caller }: { form: Record<string, string>; authorization: string; caller: string },
) {
  const headers = { 'user-agent': caller, authorization };
  const { status, text } = await send(`${url}${path}`, { method: 'POST', headers, body: new URLSearchParams(form) });
  const body = text === '' ? {} : readJson(text);
  const reason: string | undefined = body.error?.reason ?? body.error;
  return { status, reason, text, body };
}

async function send(address: string, options: RequestInit) {
  const answer = await fetch(address, { signal: AbortSignal.timeout(HANGING_MS), ...options });
  return { status: answer.status, text: await answer.text() };
}

function readJson(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return { error: { reason: NOT_JSON } };
  }
}

export const paths = {
  signIn: '/api/TokenAuth/Authenticate',
  refresh: '/api/TokenAuth/RefreshTokenAsync',
  signOff: '/api/TokenAuth/SignOff',
  sendPin: '/api/TokenAuth/OtpAuthenticateSendPin',
  givePin: '/api/TokenAuth/OtpAuthenticate',
  sessions: '/api/services/app/Session/GetAll',
  changePassword: '/api/services/app/User/ChangePassword',
  sendResetOtp: '/api/services/app/User/ResetPasswordSendOtp',
  giveResetOtp: '/api/services/app/User/ResetPasswordVerifyOtp',
  resetPassword: '/api/services/app/User/ResetPasswordUsingToken',
  sendProof: '/api/services/app/Otp/SendPin',
  giveProof: '/api/services/app/Otp/VerifyPin',
  register: '/api/services/app/UserManagement/Create',
} as const;

/** The claims of a token. */
function hold(token: string): Held {
  const { jti, sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return { token, jti, sid };
}

const shows = ({ jti, sid }: Held) => [`token:${jti}`, `session:${sid}`];

export interface Person {
  readonly userName: string;
  readonly mobileNumber: string;
  /** The right password, as far as this person knows. */
  readonly password: () => string;
  /** Each resolves to the answer, or to nothing when there was none. */
  signIn(): Promise<Held | undefined>;
  use(held: Held): Promise<CallAnswer | undefined>;
  refresh(held: Held): Promise<{ held: Held | undefined; answer: CallAnswer | undefined }>;
  signOff(held: Held): Promise<CallAnswer | undefined>;
  changePassword(held: Held, to: string): Promise<Outcome>;
  /** Requests a pin to sign in with. @returns its operation. */
  askPin(): Promise<string | undefined>;
  givePin(operationId: string, pin: string): Promise<Held | undefined>;
  /** Requests a pin to reset the password with. @returns its operation. */
  askResetPin(): Promise<string | undefined>;
  /** @returns the reset token. */
  giveResetPin(operationId: string, pin: string): Promise<string | undefined>;
  resetPassword(token: string, to: string): Promise<Outcome>;
  /** Finds out by signing in whether an attempt without an answer has set this password. */
  learnPassword(perhaps: string): Promise<void>;
}

export type PersonDeps = {
  ledger: Ledger;
  /** Where the service is now. */
  url: () => string;
  userName: string;
  mobileNumber: string;
  password: string;
};

/** @param deps `userName` is the person's canary as well: `canary-…`. */
export function createPerson({ ledger, url, userName, mobileNumber, password: first }: PersonDeps): Person {
  const caller = userName;
  let password = first;
  /** Sessions that are known to be open. */
  const opened = new Set<string>();

  const post = (path: string, call: CallInput = {}) => callApi(url(), 'POST', path, { ...call, caller });
  const passwordName = (value: string) => `password:${caller}:${value}`;

  /** Records what an answer with a token issues. */
  function judgeOpened({ status, result }: CallAnswer) {
    const outcome = outcomeOf(status);
    if (outcome !== 'done') return { outcome };
    const held = hold(result.accessToken);
    opened.add(held.sid);
    return { outcome, gives: shows(held) };
  }
  const heldIn = (answer: CallAnswer | undefined) =>
    answer?.status === 200 && answer.result ? hold(answer.result.accessToken) : undefined;
  const endsOf = (except?: Held) => [...opened].filter((sid) => sid !== except?.sid).map((sid) => `session:${sid}`);

  /** Makes a request that is answered with an operation. */
  async function ask(call: string, path: string, body: unknown) {
    const answer = await ledger.record({ call, caller }, () => post(path, { body }));
    return answer?.status === 200 ? (answer.result?.operationId as string | undefined) : undefined;
  }

  /** Sets a new password by a call that ends sessions, and remembers which password is right afterwards. */
  async function setPassword(
    deed: { call: string; shows?: string[]; uses?: string[]; except?: Held },
    to: string,
    call: () => Promise<CallAnswer>,
  ): Promise<Outcome> {
    if (to === password) return 'done';
    const { except, ...rest } = deed;
    const ends = [passwordName(password), ...endsOf(except)];
    let outcome = 'unknown' as Outcome;
    await ledger.record({ ...rest, caller, ends }, call, ({ status }) => {
      outcome = outcomeOf(status);
      return { outcome, ...(outcome === 'done' && { gives: [passwordName(to)] }) };
    });
    if (outcome === 'done') password = to;
    return outcome;
  }

  function signInWith(tried: string) {
    const body = { userNameOrEmailAddress: userName, password: tried };
    const deed = { call: 'sign in', caller, shows: [passwordName(tried)] };
    return ledger.record(deed, () => post(paths.signIn, { body }), judgeOpened);
  }

  return {
    userName,
    mobileNumber,
    password: () => password,
    signIn: async () => heldIn(await signInWith(password)),
    use: (held) =>
      ledger.record({ call: 'use', caller, shows: shows(held) }, () =>
        callApi(url(), 'GET', paths.sessions, { token: held.token, caller }),
      ),
    async refresh(held) {
      const name = `token:${held.jti}`;
      const deed = { call: 'refresh', caller, shows: shows(held), uses: [`refresh of ${name}`], ends: [name] };
      const answer = await ledger.record(deed, () => post(paths.refresh, { token: held.token }), judgeOpened);
      return { held: heldIn(answer), answer };
    },
    signOff(held) {
      const session = [`session:${held.sid}`];
      // Former tokens of a session may end it too, so this shows the session alone.
      const deed = { call: 'sign off', caller, shows: session, ends: session };
      return ledger.record(deed, () => post(paths.signOff, { token: held.token }));
    },
    changePassword(held, to) {
      const body = { currentPassword: password, newPassword: to };
      return setPassword(
        { call: 'change password', shows: [...shows(held), passwordName(password)], except: held },
        to,
        () => post(paths.changePassword, { token: held.token, body }),
      );
    },
    askPin: () => ask('ask for a pin', paths.sendPin, { userNameOrMobileNo: userName }),
    async givePin(operationId, pin) {
      const deed = { call: 'give a pin', caller, uses: [`pin:${operationId}`] };
      const body = { operationId, code: pin };
      return heldIn(await ledger.record(deed, () => post(paths.givePin, { body }), judgeOpened));
    },
    askResetPin: () => ask('ask for a reset', paths.sendResetOtp, { mobileNo: mobileNumber }),
    async giveResetPin(operationId, pin) {
      const body = { mobileNo: mobileNumber, operationId, pin };
      const deed = { call: 'give a reset pin', caller, uses: [`reset pin:${operationId}`] };
      const answer = await ledger.record(
        deed,
        () => post(paths.giveResetOtp, { body }),
        ({ status, result }) => ({ outcome: status === 200 && !result.isSuccess ? 'refused' : outcomeOf(status) }),
      );
      return answer?.result?.token ?? undefined;
    },
    resetPassword: (token, newPassword) =>
      setPassword({ call: 'reset password', uses: [`reset token:${token}`] }, newPassword, () =>
        post(paths.resetPassword, { body: { username: userName, token, newPassword } }),
      ),
    async learnPassword(perhaps) {
      if (perhaps === password) return;
      let answer = await signInWith(perhaps);
      // Reservations of attempts killed during verification last eight seconds: until then a sign-in may get 503.
      for (let tries = 0; tries < 10 && answer?.status === 503; tries += 1) {
        await sleep(1000);
        answer = await signInWith(perhaps);
      }
      if (answer?.status === 200) password = perhaps;
    },
  };
}
