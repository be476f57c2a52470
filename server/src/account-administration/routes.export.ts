// The call that exports accounts.
import { Type } from 'typebox';
import { defineDownload, type Route } from '../contract/route.ts';
import { Text } from '../contract/schemas.ts';
import { toManager } from '../foundation/authority.ts';
import type { AccountExport } from './account-export.ts';

const types = { csv: 'text/csv', jsonl: 'application/jsonl' } as const;

export function exportRoutes(accountExport: AccountExport): Route[] {
  return [
    defineDownload({
      path: '/api/services/app/User/Export',
      summary: 'Export the accounts that match, by id, as CSV or JSON lines. The file has no passwords and no secrets.',
      access: 'Pages.Users',
      files: Object.values(types),
      query: Type.Object({
        format: Type.Enum(['csv', 'jsonl']),
        keyword: Type.Optional(Text({ maxLength: 100 })),
        isActive: Type.Optional(Type.Boolean()),
      }),
      async handle(call) {
        const { format, keyword, isActive } = call.input;
        const filter = { ...(keyword && { keyword }), ...(isActive !== undefined && { isActive }) };
        const pieces = await accountExport.export(filter, format, toManager(call));
        return { type: types[format], fileName: `users.${format}`, pieces };
      },
    }),
  ];
}
