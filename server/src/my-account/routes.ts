// The calls about the own account: sessions and password.
import { Type } from 'typebox';
import { toIsoString } from '../foundation/clock.ts';
import { defineRoute, Items, Nullable, type Route, Secret, Uuid } from '../http/contract.ts';
import type { MyAccount } from './my-account.ts';

const SessionDto = Type.Object({
  id: Type.String(),
  current: Type.Boolean(),
  frontEnd: Type.String(),
  ipAddress: Nullable(Type.String()),
  userAgent: Nullable(Type.String()),
  signedInAt: Type.String({ format: 'date-time' }),
  lastRefreshedAt: Nullable(Type.String({ format: 'date-time' })),
  method: Type.String({ description: 'pwd, otp or ext' }),
});

export function myAccountRoutes(myAccount: MyAccount): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Session/GetAll',
      summary: 'My open sessions, newest first.',
      access: 'token',
      result: Items(SessionDto),
      async handle({ caller }) {
        const sessions = await myAccount.listSessions(caller);
        const items = sessions.map(({ signedInAt, lastRefreshedAt, ...session }) => ({
          ...session,
          signedInAt: toIsoString(signedInAt),
          lastRefreshedAt: lastRefreshedAt === null ? null : toIsoString(lastRefreshedAt),
        }));
        return { items };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Session/End',
      summary: 'End one of my sessions.',
      access: 'token',
      body: Type.Object({ id: Uuid }),
      result: Type.Boolean(),
      async handle({ input, caller, origin }) {
        await myAccount.endSession(caller, input.id.toLowerCase(), origin);
        return true;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Session/EndOthers',
      summary: 'End all of my sessions but this one.',
      access: 'token',
      result: Type.Boolean(),
      async handle({ caller, origin }) {
        await myAccount.endOtherSessions(caller, origin);
        return true;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/ChangePassword',
      summary: 'Change my password: all of my other sessions end.',
      access: 'token',
      whilePasswordChangeRequired: true,
      body: Type.Object({ currentPassword: Secret({ maxLength: 4096 }), newPassword: Secret({ maxLength: 4096 }) }),
      result: Type.Boolean(),
      async handle({ input, caller, origin }) {
        await myAccount.changePassword(caller, { current: input.currentPassword, next: input.newPassword }, origin);
        return true;
      },
    }),
  ];
}
