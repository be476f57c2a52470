// Schema compilers for Fastify. A route's serializer is compiled when the route first answers: to compile all of them took a
// quarter of the start.
import { type Serializer, type SerializerFactory, SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
type ValidatorFactory = NonNullable<Compilers['buildValidator']>;

const selectSerializers = SerializerSelector();

const buildSerializer: SerializerFactory = (schemas, options) => {
  const compile = selectSerializers(schemas, options);
  return (route) => {
    let serialize: Serializer | undefined;
    return (answer) => {
      serialize ??= compile(route);
      return serialize(answer);
    };
  };
};

// `createInputReader` checks the input. Fastify calls any function here, though its type names one of Ajv.
const buildValidator = (() => () => () => true) as unknown as ValidatorFactory;

/** Fastify's option `schemaController`. Without it, Fastify also loads Ajv with its formats. */
export const schemaCompilers = { compilersFactory: { buildSerializer, buildValidator } };
