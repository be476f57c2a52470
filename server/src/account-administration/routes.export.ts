// The call that exports accounts.
import { Type } from 'typebox';
import { defineDownload, type Route } from '../contract/route.ts';
import { toManager } from '../foundation/authority.ts';
import type { Roles } from '../roles/index.ts';
import type { AccountExport } from './account-export.ts';
import { filterMembers, toFilter } from './filter.ts';

const types = { csv: 'text/csv', jsonl: 'application/jsonl' } as const;

export function exportRoutes(accountExport: AccountExport, roles: Pick<Roles, 'spell'>): Route[] {
  return [
    defineDownload({
      path: '/api/services/app/User/Export',
      summary: 'Export the accounts that match, by id, as CSV or JSON lines. The file has no passwords and no secrets.',
      access: 'Pages.Users',
      files: Object.values(types),
      query: Type.Object({
        format: Type.Enum(['csv', 'jsonl']),
        ...filterMembers,
      }),
      async handle(call) {
        const { format, ...filter } = call.input;
        const pieces = await accountExport.export(toFilter(filter, roles), format, toManager(call));
        return { type: types[format], fileName: `users.${format}`, pieces };
      },
    }),
  ];
}
