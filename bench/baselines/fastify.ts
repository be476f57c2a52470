// Bare Fastify: the upper limit of an answer, alone, after one signature check, or beside password hashing.
import { createPublicKey, verify, type webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { verify as verifyPassword } from '@node-rs/argon2';
import Fastify, { type FastifyReply } from 'fastify';

export type FastifyOptions = {
  /** The constant answer, JSON. */
  readonly body: string;
  /** The keys that sign the tokens for `/verified`. */
  readonly jwks: { readonly keys: readonly webcrypto.JsonWebKey[] };
  /** The stored hash that `/hash` verifies. */
  readonly password: string;
  readonly hash: string;
};

const [options] = (await once(process, 'message')) as [FastifyOptions];
const { body, jwks, password, hash } = options;
const key = createPublicKey({ key: jwks.keys[0] as webcrypto.JsonWebKey, format: 'jwk' });
const app = Fastify();

const answer = (reply: FastifyReply) => reply.header('content-type', 'application/json; charset=utf-8').send(body);

app.get('/constant', (_request, reply) => answer(reply));

app.get('/verified', (request, reply) => {
  const token = (request.headers.authorization ?? '').slice('Bearer '.length);
  const end = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  const isGood = verify('sha256', Buffer.from(token.slice(0, end)), { key, dsaEncoding: 'ieee-p1363' }, signature);
  return isGood ? answer(reply) : reply.code(401).send();
});

app.post('/hash', async (_request, reply) => {
  if (!(await verifyPassword(hash, password))) reply.code(401);
  return '';
});

await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ port: (app.server.address() as { port: number }).port });
