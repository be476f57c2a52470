// The calls that tell what came of sign-outs.
import { type Static, Type } from 'typebox';
import type { Authorization } from '../authorization/index.ts';
import { defineRoute, type Route } from '../contract/route.ts';
import { AccountId, Items, NamedObject, Text } from '../contract/schemas.ts';
import { toIsoString } from '../foundation/clock.ts';
import { SIGN_OUT_STATES } from './sign-out.ts';
import type { EndedSession, SignOuts } from './sign-outs.ts';

const Time = Type.String({ format: 'date-time' });

const EndedSessionDto = NamedObject('EndedSessionDto', {
  sessionId: Type.String(),
  endedAt: Time,
  applications: Type.Array(
    NamedObject('ApplicationSignOut', {
      name: Type.String(),
      state: Type.Enum([...SIGN_OUT_STATES], {
        description:
          'unreachable: the application has no address for sign-outs or was deleted, and its tokens end by themselves.',
      }),
      at: Time,
      tokensEndAt: Type.String({ format: 'date-time', description: 'When its last access token expires.' }),
    }),
  ),
});

const toDto = ({ sessionId, endedAt, applications }: EndedSession): Static<typeof EndedSessionDto> => ({
  sessionId,
  endedAt: toIsoString(endedAt),
  applications: applications.map(({ name, state, at, tokensEndAt }) => ({
    name,
    state,
    at: toIsoString(at),
    tokensEndAt: toIsoString(tokensEndAt),
  })),
});

export function signOutRoutes(deps: { signOuts: SignOuts; authorization: Authorization }): Route[] {
  const { signOuts, authorization } = deps;
  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Session/GetSignOuts',
      summary:
        "What applications were told when the caller's sessions ended, newest first. Another account needs the permission Pages.Users.",
      access: 'own or Pages.Users',
      query: Type.Object({ userId: Type.Optional(AccountId) }),
      result: Items(EndedSessionDto),
      async handle(call) {
        const { id } = await authorization.requireFor(call.input.userId, call);
        return { items: (await signOuts.list(id)).map(toDto) };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Session/GetSignOutReceipt',
      summary: 'What lets the caller look at the sign-out of this session afterwards, for an hour.',
      access: 'token',
      result: NamedObject('SignOutReceipt', { receipt: Type.String() }),
      handle: async ({ caller }) => ({ receipt: signOuts.makeReceipt(caller) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Session/GetSignOut',
      summary: 'What applications were told in the sign-out of a receipt.',
      access: 'public',
      query: Type.Object({ receipt: Text({ minLength: 1, maxLength: 1000 }) }),
      result: Items(EndedSessionDto),
      handle: async ({ input: { receipt } }) => ({ items: (await signOuts.read(receipt)).map(toDto) }),
    }),
  ];
}
