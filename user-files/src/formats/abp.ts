// ABP and ASP.NET Core Identity: the tables `AbpUsers` and `AspNetUsers`. The import knows their columns.
import { simplify } from '../fields.ts';
import { type Format, present, Skip } from '../format.ts';

const UUID = /^\{?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$/i;

const marks = ['NormalizedUserName', 'SecurityStamp', 'PasswordHash', 'TenantId', 'AccessFailedCount'];

/** Databases differ in the case of columns. Members of this service begin with a small letter. */
const isUserName = (name: string) => name.startsWith('U') && name.toLowerCase() === 'username';

export const abp: Format = {
  name: 'abp',
  title: 'ABP or ASP.NET Core Identity',
  tables: [
    {
      is: ({ values }, fields) => Object.keys(values).some(isUserName) && marks.some((name) => fields.has(name)),
      read(fields, _, values) {
        const [id, tenant, userName] = [fields.text('Id'), fields.text('TenantId'), fields.text('UserName')];
        for (const name of Object.keys(values)) fields.raw(name);
        if (tenant !== undefined && UUID.test(tenant)) return new Skip('of a tenant', userName);
        if (id === undefined || !UUID.test(id)) return values;
        // Since version 3 of ABP, ids are such that no account here can have them.
        const others = Object.entries(values).filter(([name]) => simplify(name) !== 'id');
        return present({ ...Object.fromEntries(others), LoginProvider: 'abp', ProviderKey: id.toLowerCase() });
      },
    },
  ],
};
