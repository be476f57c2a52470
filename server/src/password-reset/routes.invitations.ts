// The calls of invitations.
import { Type } from 'typebox';
import { defineRoute, type Route } from '../contract/route.ts';
import { AccountId, NamedObject } from '../contract/schemas.ts';
import type { Invitations } from './invitations.ts';

export function invitationRoutes(invitations: Invitations): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/User/GetInvitationTerms',
      summary: 'Tell whether invitations can be sent, and how long their links are valid.',
      access: 'Pages.Users',
      result: NamedObject('InvitationTerms', {
        isAllowed: Type.Boolean({ description: 'Whether the Security Settings allow links to reset a password.' }),
        reachesPeople: Type.Boolean({ description: 'False if e-mail only goes to the development outbox.' }),
        lifetimeSeconds: Type.Integer(),
      }),
      handle: async () => invitations.readTerms(),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/SendInvitation',
      summary:
        'Mail a link to the owner of an account without password, to set the first one. The link verifies the e-mail address.',
      access: 'Pages.Users',
      body: Type.Object({ userId: AccountId, language: Type.Optional(Type.Enum(['en', 'de', 'fr'])) }),
      result: Type.Boolean(),
      async handle({ input, caller, origin }) {
        await invitations.send(input.userId, input.language ?? 'en', { ...caller, origin });
        return true;
      },
    }),
  ];
}
