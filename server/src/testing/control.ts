// The control of a test server: what tests do that no client of a service may, over HTTP on loopback and with a key.
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, type TObject, Type } from 'typebox';
import type { Service } from '../app/compose.ts';
import { checkInput } from '../contract/input.ts';
import { Name } from '../contract/schemas.ts';
import { toIsoString } from '../foundation/clock.ts';
import { permissionErrors } from '../foundation/errors.ts';
import { isObject } from '../foundation/object.ts';
import { readBearerToken } from '../http/guard.ts';
import type { TestClock } from './clock.ts';
import type { Mailbox } from './messages.ts';
import { createSignIn } from './sign-in.ts';

/** The most that one call moves the clock: a hundred years. */
const MOST_SECONDS = 100 * 366 * 86_400;

/** What is there at the start. */
export type TestServerState = {
  readonly url: string;
  readonly admin: { readonly userName: string; readonly password: string };
  /** The secrets that the service has made for the configuration, by the path of their member. */
  readonly secrets: Readonly<Record<string, string>>;
};

/** Adds the control to the server. */
export function registerControl(
  app: FastifyInstance,
  deps: { service: Service; clock: TestClock; mailbox: Mailbox; key: string; state: TestServerState },
): void {
  const { service, clock, mailbox, key, state } = deps;
  const signIn = createSignIn(service, state.admin.userName);

  /** Adds one call. It is a POST, so that no address alone does anything. */
  function add<Schema extends TObject>(name: string, body: Schema, run: (input: Static<Schema>) => Promise<object>) {
    app.post(`/test-server/${name}`, async (request, reply) => {
      requireKey(request, key);
      reply.header('cache-control', 'no-store');
      return run(checkInput(body, isObject(request.body) ? request.body : {}));
    });
  }

  add('state', Type.Object({}), async () => state);
  add('sign-in', Type.Object({ userName: Name({ minLength: 1, maxLength: 256 }) }), async ({ userName }) => ({
    token: await signIn(userName),
  }));
  add('last-message', Type.Object({ address: Name({ minLength: 1, maxLength: 256 }) }), async ({ address }) => {
    for (const means of ['email', 'sms'] as const) await service.messageDispatcher.deliverDue(means);
    return mailbox.last(service.phoneNumbers.parse(address) ?? address);
  });
  add('advance', Type.Object({ seconds: Type.Number({ minimum: 0, maximum: MOST_SECONDS }) }), async ({ seconds }) => {
    await clock.advance(seconds);
    return { now: toIsoString(clock.now()) };
  });
}

function requireKey({ headers }: FastifyRequest, key: string) {
  const given = Buffer.from(readBearerToken(headers.authorization) ?? '');
  const wanted = Buffer.from(key);
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return;
  throw permissionErrors.denied({ details: 'Send the key of the test server as a bearer token.' });
}
