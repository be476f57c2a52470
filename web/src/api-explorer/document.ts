// The OpenAPI document of the service, as the explorer reads it.
import { useQuery } from '@tanstack/react-query';
import { at } from '../api/base-path.ts';
import { Refusal } from '../ui/problem.ts';
import { words } from '../words/more.ts';

/** The part of JSON Schema that the document uses. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly 'x-secret'?: boolean;
};

type Content = { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> };

type Described = {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Content;
  readonly security?: readonly object[];
  readonly 'x-permission'?: string;
  readonly responses: Readonly<Record<string, Content>>;
};

type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** A member of the input or of a result. */
export type Member = {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly description: string | undefined;
};

export type Operation = {
  readonly id: string;
  /** The last two parts of the path, such as `User/GetAll`. */
  readonly name: string;
  readonly group: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly isPublic: boolean;
  /** What the caller must be allowed to do. */
  readonly permission: string | undefined;
  readonly query: readonly Member[];
  readonly body: readonly Member[] | undefined;
  readonly result: Schema | undefined;
};

export type Api = { readonly operations: readonly Operation[]; readonly schemas: Readonly<Record<string, Schema>> };

const JSON_TYPE = 'application/json';

/** Follows references. */
export function resolve(schema: Schema, schemas: Api['schemas']): Schema {
  const { $ref } = schema;
  if ($ref === undefined) return schema;
  const found = schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
  return found ? resolve(found, schemas) : {};
}

/** Returns the members of an object. */
export function membersOf(schema: Schema, schemas: Api['schemas']): Member[] {
  const { properties = {}, required = [] } = resolve(schema, schemas);
  return Object.entries(properties).map(([name, member]) => ({
    name,
    schema: member,
    isRequired: required.includes(name),
    description: member.description,
  }));
}

function toOperation(path: string, method: string, described: Described, schemas: Api['schemas']): Operation {
  const { operationId, summary, tags, parameters = [], requestBody, security, responses } = described;
  const input = requestBody?.content?.[JSON_TYPE]?.schema;
  const body = input && membersOf(input, schemas);
  // Scalar members of a body may also come in the query. The explorer sends them in the body.
  const query = parameters.filter(({ name }) => !body?.some((member) => member.name === name));
  const envelope = responses[200]?.content?.[JSON_TYPE]?.schema.allOf ?? [];
  return {
    id: operationId,
    name: path.split('/').slice(-2).join('/'),
    group: tags[0] ?? '',
    method: method.toUpperCase(),
    path,
    summary,
    permission: described['x-permission'],
    isPublic: !security || security.some((scheme) => Object.keys(scheme).length === 0),
    query: query.map(({ required, description, ...rest }) => ({ ...rest, isRequired: required, description })),
    body,
    result: envelope.map(({ properties }) => properties?.result).find((result) => result !== undefined),
  };
}

async function readApi(): Promise<Api> {
  const response = await fetch(at('/openapi.json')).catch(() => {
    throw new Refusal(words.common.unreachable);
  });
  if (!response.ok) throw new Refusal(words.common.unforeseen);
  const { paths, components }: OpenApi = await response.json();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => toOperation(path, method, described, components.schemas)),
  );
  return { operations, schemas: components.schemas };
}

export const apiKey = ['openapi'];

export const useApi = () => useQuery({ queryKey: apiKey, queryFn: readApi, staleTime: Number.POSITIVE_INFINITY });
