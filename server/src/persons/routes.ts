// The calls that hand out and erase everything that is stored about a person.
import { Type } from 'typebox';
import type { Authorization } from '../authorization/index.ts';
import { defineLongResult, type Route } from '../contract/route.ts';
import { AccountId } from '../contract/schemas.ts';
import { permissionErrors } from '../foundation/errors.ts';
import { PersonExportDto } from './dtos.ts';
import type { PersonExport } from './export.ts';

export function personRoutes(deps: { personExport: PersonExport; authorization: Authorization }): Route[] {
  const { personExport, authorization } = deps;
  return [
    defineLongResult({
      path: '/api/services/app/User/ExportPerson',
      summary:
        'Export everything that is stored about the owner of an account: your own, or with the permission Pages.Users another one.',
      access: 'token',
      refusals: [403],
      query: Type.Object({ userId: Type.Optional(AccountId) }),
      result: PersonExportDto,
      async handle({ input, caller, token = '', origin }) {
        const { userId = caller.accountId } = input;
        if (userId === caller.accountId) return personExport.exportOwn(caller, origin);
        const by = await authorization.authorize(token, { permission: 'Pages.Users' });
        if (!('actor' in by)) throw permissionErrors.denied();
        return personExport.exportOther(userId, { ...by, origin });
      },
    }),
  ];
}
