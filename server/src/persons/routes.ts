// The calls that hand out and erase everything that is stored about a person.
import { Type } from 'typebox';
import type { Authorization } from '../authorization/index.ts';
import { defineLongResult, defineRoute, type Route } from '../contract/route.ts';
import { AccountId, Nullable, Secret } from '../contract/schemas.ts';
import { toManager } from '../foundation/authority.ts';
import { PersonExportDto } from './dtos.ts';
import type { Erasure } from './erasure.ts';
import type { PersonExport } from './export.ts';

export function personRoutes(deps: {
  personExport: PersonExport;
  erasure: Erasure;
  authorization: Authorization;
}): Route[] {
  const { personExport, erasure, authorization } = deps;
  return [
    defineLongResult({
      path: '/api/services/app/User/ExportPerson',
      summary:
        'Export everything that is stored about the owner of an account: your own, or with the permission Pages.Users another one.',
      access: 'own or Pages.Users',
      query: Type.Object({ userId: Type.Optional(AccountId) }),
      result: PersonExportDto,
      async handle(call) {
        const { origin } = call;
        const acting = await authorization.requireFor(call.input.userId, call);
        if ('owner' in acting) return personExport.exportOwn(acting.owner, origin);
        return personExport.exportOther(acting.id, { ...acting.manager, origin });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/Erase',
      summary:
        'Delete an account and all personal data of its owner, also in the audit trail and of an account that was deleted before. Nothing can bring them back.',
      access: 'Pages.Users',
      body: Type.Object({ id: AccountId }),
      result: Type.Boolean(),
      async handle(call) {
        await erasure.eraseOther(call.input.id, toManager(call));
        return true;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/User/EraseMyAccount',
      summary: 'Delete my account and all of my personal data, where a setting allows it. Nothing can bring them back.',
      access: 'token',
      refusals: [403],
      body: Type.Object({ currentPassword: Type.Optional(Nullable(Secret({ maxLength: 4096 }))) }),
      result: Type.Boolean(),
      async handle({ input, caller, origin }) {
        await erasure.eraseOwn(caller, input.currentPassword, origin);
        return true;
      },
    }),
  ];
}
