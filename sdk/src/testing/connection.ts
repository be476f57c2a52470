// A test server as tests use it: calls of its control, and typed calls as its administrator.
import { createError, type Envelope, send } from '../call.ts';
import type { Calls } from '../calls.ts';
import { isTokenRefusal } from '../results.ts';
import type { TestLatchkey, TestMessage, TestServerAddress } from './interface.ts';

/** What a test server tells of itself. Its public URL may be another one than it was reached at. */
type State = Pick<TestLatchkey, 'url' | 'secrets'> & { readonly admin: { userName: string; password: string } };

/** Makes a call of the control. @throws LatchkeyError */
async function control<Result>({ url, key }: TestServerAddress, name: string, input: object): Promise<Result> {
  const response = await fetch(`${url}/test-server/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  }).catch((cause: unknown) => {
    throw createError(`The test server at ${url} cannot be reached.`, { cause });
  });
  const { status, ok } = response;
  // A test server answers a success with the result of the call, and an error as all calls do.
  const answer: (Result & Partial<Pick<Envelope<unknown>, 'error'>>) | null = await response.json().catch(() => null);
  if (ok && answer) return answer;
  const error = answer?.error;
  if (!error) throw createError(`There is no test server at ${url}.`, { status });
  const { reason, details, message, validationErrors, traceId } = error;
  throw createError(details || message, { status, reason, details, validationErrors: validationErrors ?? [], traceId });
}

/**
 * Connects to a test server that runs, such as one that `latchkey test-server` has started.
 * @throws LatchkeyError if there is none, or the key is not its own.
 */
export async function connectLatchkey({ url, key }: TestServerAddress): Promise<TestLatchkey> {
  const at = { url: url.replace(/\/+$/, ''), key };
  const { url: publicUrl, admin, secrets } = await control<State>(at, 'state', {});
  const signIn = async (userName: string) => (await control<{ token: string }>(at, 'sign-in', { userName })).token;
  const call = createCall(at.url, () => signIn(admin.userName));
  return {
    url: publicUrl,
    key,
    admin: { ...admin, call: (name, ...[input]) => call(name, { ...input }) },
    secrets,
    settings: {
      get: (name, frontEnd) => call('Settings/GetValue', { name, ...(frontEnd !== undefined && { appKey: frontEnd }) }),
      async set(name, value, frontEnd) {
        await call('Settings/UpdateValue', { name, value, ...(frontEnd !== undefined && { appKey: frontEnd }) });
      },
    },
    signIn,
    lastMessageTo: (address) => control<TestMessage>(at, 'last-message', { address }),
    async advance(seconds) {
      await control(at, 'advance', { seconds });
    },
    stop: async () => {},
  };
}

/** Returns a function that makes calls with a token, and with a new one when the service refuses it: the clock may have moved. */
function createCall(baseUrl: string, signIn: () => Promise<string>) {
  let token: Promise<string> | undefined;
  return async function call<Name extends keyof Calls>(
    name: Name,
    input: Readonly<Record<string, unknown>>,
  ): Promise<Calls[Name]['result']> {
    const transport = { baseUrl, frontEnd: undefined, fetch };
    const held = token;
    token ??= signIn();
    try {
      return await send(transport, name, input, await token);
    } catch (error) {
      token = undefined;
      if (held === undefined || !isTokenRefusal(error)) throw error;
      token = signIn();
      return send(transport, name, input, await token);
    }
  };
}
