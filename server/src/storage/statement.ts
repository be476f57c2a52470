// Statements that are built once: those that every sign-in, refresh and trail entry runs are not put together anew each time.
import type { Compilable, CompiledQuery } from 'kysely';
import type { Statements } from './database.ts';

/** Takes the place of a value while a statement is built: a symbol of its name, which no stored value is. */
export type Given<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name];

/**
 * A statement that is built when it first runs, from the names of its values alone.
 * @returns runs it with these values, on the database or in a transaction; gives its rows.
 */
export function statement<Values, Row>(
  build: (on: Statements, given: Given<Values>) => Compilable<Row>,
): (on: Statements, values: Values) => Promise<Row[]> {
  let built: CompiledQuery<Row> | undefined;
  const given: Given<Values> = (name) => Symbol(name) as never;
  const fill = (values: Values) => (parameter: unknown) =>
    typeof parameter === 'symbol' ? values[parameter.description as keyof Values] : parameter;
  return async (on, values) => {
    built ??= build(on, given).compile();
    const { rows } = await on.executeQuery<Row>({ ...built, parameters: built.parameters.map(fill(values)) });
    return rows;
  };
}
