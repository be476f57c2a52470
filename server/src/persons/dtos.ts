// The shape of an export, which follows from the list of personal data.
import { type TSchema, Type } from 'typebox';
import { NamedObject, Nullable } from '../contract/schemas.ts';
import { type Member, type PersonalTable, personalTables } from './personal-data.ts';

const DateTime = Type.String({ format: 'date-time' });

const schemas: Readonly<Record<Member['kind'], TSchema>> = {
  text: Nullable(Type.String()),
  number: Nullable(Type.Integer()),
  time: Nullable(DateTime),
  flag: Type.Boolean(),
  json: Type.Unknown(),
  words: Type.Array(Type.String()),
  secret: Type.Union([Type.Literal('present'), Type.Null()], { description: 'Tells whether the service stores one.' }),
};

function toSchema({ columns, exported }: PersonalTable) {
  const members = Object.values(columns).flatMap((member) => (member ? [[member.name, schemas[member.kind]]] : []));
  return NamedObject(`Person${exported[0]?.toUpperCase()}${exported.slice(1)}`, Object.fromEntries(members));
}

/** An export of a person. */
export const PersonExportDto = NamedObject('PersonExport', {
  exportedAt: DateTime,
  ...Object.fromEntries(
    personalTables.map((table) => [
      table.exported,
      table.name === 'account' ? toSchema(table) : Type.Array(toSchema(table)),
    ]),
  ),
});
