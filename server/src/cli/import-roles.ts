// latchkey import roles: adds roles with the permissions that they grant, and reports what it refused.
import { isDeepStrictEqual } from 'node:util';
import type { ColumnNotes } from '../account-import/index.ts';
import type { Service } from '../app/compose.ts';
import { defineCommand } from './command.ts';
import { type ImportFile, openImportFile } from './import-file.ts';
import { describeNotes, openReport, type Result, reportOption } from './import-report.ts';
import type { ReadRole } from './import-role-line.ts';
import { withService } from './service.ts';

const TAKEN = 'Taken, by a role or by an earlier line: the name. Add --update to change a role.';

export const importRoles = defineCommand({
  name: 'import roles',
  about: 'Import roles with the permissions that they grant, from JSON Lines or one JSON array.',
  takes: ['FILE'],
  options: {
    'dry-run': { type: 'boolean', about: 'Check every line, change nothing, and show in a table what would happen.' },
    ...reportOption,
    update: { type: 'boolean', about: 'Change roles that exist. Without it they are refused as taken.' },
  },
  async run({ 'dry-run': isDry = false, report: reportPath, update = false }, [given = '']) {
    const file = openImportFile(given);
    const report = openReport(reportPath, { sources: [file.path], things: 'roles', nameMember: 'name', isDry });
    const notes: ColumnNotes = { unused: new Set(), unknown: new Set() };
    let hasBegun = false;
    try {
      await withService(async (service) => {
        hasBegun = true;
        for await (const result of importFile(service, file, { isDry, update, notes })) report.write(result);
      });
    } finally {
      report.close();
      if (hasBegun) report.finish(describeNotes(notes));
    }
    return report.hasRefusals() ? 1 : 0;
  },
});

type Options = { isDry: boolean; update: boolean; notes: ColumnNotes };

/** Yields what becomes of each line, in order. */
async function* importFile({ roles }: Service, file: ImportFile, options: Options): AsyncGenerator<Result> {
  const [{ operator }, { readRoleLine }, { reasonsOf }, { toNewRole, toRoleChanges }] = await Promise.all([
    import('../app/first-start.ts'),
    import('./import-role-line.ts'),
    import('../account-import/index.ts'),
    import('../roles/index.ts'),
  ]);
  const by = operator('import');
  /** The names of this file: a second line for one of them is refused. */
  const seen: string[] = [];

  async function importRole(given: Extract<ReadRole, { role: unknown }>['role']): Promise<Result['done']> {
    const { name } = given;
    const stored = roles.list().find((role) => roles.isIn(role.name, [name]));
    if (roles.isIn(name, seen) || (stored && !options.update)) return 'refused';
    seen.push(name);
    if (!stored) {
      if (!options.isDry) await roles.create(toNewRole(given), by);
      return 'added';
    }
    const changes = toRoleChanges(given);
    const wanted = { ...stored, ...changes };
    if (isDeepStrictEqual({ ...wanted, displayName: wanted.displayName || stored.name }, stored)) return 'unchanged';
    if (!options.isDry) await roles.update(stored.id, changes, by);
    return 'updated';
  }

  for await (const { kind, number, ...rest } of file.entriesWithProgress()) {
    const entry = { kind, number };
    const read = readRoleLine({ ...entry, ...rest }, options.notes);
    if (!read) continue;
    if ('skipped' in read) yield { entry, done: 'skipped', reasons: [read.skipped] };
    else if ('reasons' in read) yield { entry, done: 'refused', reasons: read.reasons };
    else {
      const name = read.role.name;
      const done = await importRole(read.role).catch(reasonsOf);
      if (done === 'refused') yield { entry, name, done, reasons: [TAKEN] };
      else if (typeof done === 'string') yield { entry, name, done };
      else yield { entry, name, done: 'refused', reasons: done };
    }
  }
}
