// Statements that are built once: every refresh and every audit entry runs some, and only fills in their values.
import type { CompiledQuery } from 'kysely';
import type { BuildStatement, Given, Statements } from './database.ts';

/** See `Database.statement`. The placeholder of a value is a symbol, because no stored value is a symbol. */
export function createStatement<Values, Row>(build: BuildStatement<Values, Row>) {
  let built: CompiledQuery<Row> | undefined;
  const names = new Map<symbol, keyof Values & string>();
  const given: Given<Values> = (name) => {
    const placeholder = Symbol(name);
    names.set(placeholder, name);
    // The statement is only compiled with it: `fill` replaces it before the statement runs.
    return placeholder as never;
  };
  const fill = (values: Values) => (parameter: unknown) => {
    const name = typeof parameter === 'symbol' ? names.get(parameter) : undefined;
    return name === undefined ? parameter : values[name];
  };
  return async (on: Statements, values: Values): Promise<Row[]> => {
    built ??= build(on, given).compile();
    const { rows } = await on.executeQuery<Row>({ ...built, parameters: built.parameters.map(fill(values)) });
    return rows;
  };
}
