// The calls by name, with their inputs and results as the OpenAPI document of the service types them.
import type { paths } from './openapi.gen.ts';

type NameOf<Path> = Path extends `/api/services/app/${infer Name}`
  ? Name
  : Path extends `/api/${infer Name}`
    ? Name
    : never;

/** The operation of a path. Each path has one. */
type OperationOf<Path extends keyof paths> = NonNullable<paths[Path]['get' | 'post' | 'put' | 'delete']>;

/** Front ends may fill in an input step by step. */
type Writable<Members> = { -readonly [Member in keyof Members]: Members[Member] };

type InputOf<Operation> = Operation extends { requestBody?: never }
  ? Operation extends { parameters: { query?: never } }
    ? undefined
    : Operation extends { parameters: { query?: infer Query } }
      ? Writable<NonNullable<Query>>
      : never
  : Operation extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? Writable<Body>
    : never;

type ResultOf<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': { result: infer Result } } } };
}
  ? Result
  : never;

/** Every call by its name, the path without `/api/` or `/api/services/app/`. Calls that answer a file are left out. */
export type Calls = {
  [Path in keyof paths as [ResultOf<OperationOf<Path>>] extends [never] ? never : NameOf<Path>]: {
    input: InputOf<OperationOf<Path>>;
    result: ResultOf<OperationOf<Path>>;
  };
};

type Input<Name extends keyof Calls> = Calls[Name]['input'];

/** Makes a call by its name. @throws LatchkeyError */
export type Call = <Name extends keyof Calls>(
  name: Name,
  ...input: Input<Name> extends undefined
    ? []
    : Record<never, never> extends Input<Name>
      ? [Input<Name>?]
      : [Input<Name>]
) => Promise<Calls[Name]['result']>;
