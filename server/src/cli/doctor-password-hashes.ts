// The doctor's check of password hashes: imported ones of weak kinds stay until their owners sign in.
import { loadForeignHashes } from '../passwords/index.ts';
import type { Inspection } from '../storage/inspect.ts';
import type { Finding } from './output.ts';

export async function* checkPasswordHashes({ sql }: Pick<Inspection, 'sql'>): AsyncGenerator<Finding> {
  const { weakKinds } = await loadForeignHashes();
  const found: string[] = [];
  for (const { format, beginnings } of weakKinds) {
    const { count } = await sql
      .selectFrom('account')
      .select(({ fn }) => fn.countAll().as('count'))
      .where(({ or, eb }) => or(beginnings.map((beginning) => eb('password_hash', 'like', `${beginning}%`))))
      .executeTakeFirstOrThrow();
    if (Number(count) > 0) found.push(`${count} of the kind ${format}`);
  }
  if (found.length === 0) return;
  const message = `imported hashes that are quick to guess if the database leaks: ${found.join(', ')}. Each is replaced when its owner signs in: ask those owners to sign in, or to reset their passwords.`;
  yield { verdict: 'warn', about: 'passwords', message };
}
