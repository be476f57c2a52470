// Statements that are built once: those that every refresh and trail entry runs are not put together anew each time.
import type { CompiledQuery } from 'kysely';
import type { BuildStatement, Given, Statements } from './database.ts';

/** See `Database.statement`. A value is a symbol of its name until the statement runs: no stored value is one. */
export function createStatement<Values, Row>(build: BuildStatement<Values, Row>) {
  let built: CompiledQuery<Row> | undefined;
  const given: Given<Values> = (name) => Symbol(name) as never;
  const fill = (values: Values) => (parameter: unknown) =>
    typeof parameter === 'symbol' ? values[parameter.description as keyof Values] : parameter;
  return async (on: Statements, values: Values): Promise<Row[]> => {
    built ??= build(on, given).compile();
    const { rows } = await on.executeQuery<Row>({ ...built, parameters: built.parameters.map(fill(values)) });
    return rows;
  };
}
