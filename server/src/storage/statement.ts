// Statements that are built once: every refresh and every audit entry runs some, and only fills in their values.
import type { CompiledQuery } from 'kysely';
import type { BuildStatement, Given, Statements } from './database.ts';

/**
 * See `Database.statement`. The placeholder of a value is a symbol, because no stored value is a symbol.
 * @param onBuilt takes the text of the statement, and the place of each value among its parameters.
 */
export function createStatement<Values, Row>(
  build: BuildStatement<Values, Row>,
  onBuilt: (sql: string, places: ReadonlyMap<string, number>) => void = () => {},
) {
  let built: CompiledQuery<Row> | undefined;
  const names = new Map<symbol, keyof Values & string>();
  const given: Given<Values> = (name) => {
    const placeholder = Symbol(name);
    names.set(placeholder, name);
    // The statement is only compiled with it: `fill` replaces it before the statement runs.
    return placeholder as never;
  };
  const nameOf = (parameter: unknown) => (typeof parameter === 'symbol' ? names.get(parameter) : undefined);
  const fill = (values: Values) => (parameter: unknown) => {
    const name = nameOf(parameter);
    return name === undefined ? parameter : values[name];
  };
  function compile(on: Statements) {
    const compiled = build(on, given).compile();
    const places = compiled.parameters.flatMap((parameter, place) => {
      const name = nameOf(parameter);
      return name === undefined ? [] : [[name, place] as const];
    });
    onBuilt(compiled.sql, new Map(places));
    return compiled;
  }
  return async (on: Statements, values: Values): Promise<Row[]> => {
    built ??= compile(on);
    const { rows } = await on.executeQuery<Row>({ ...built, parameters: built.parameters.map(fill(values)) });
    return rows;
  };
}
