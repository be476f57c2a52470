// Bare Fastify that answers a text: the upper limit of a document that everyone may read.
import { once } from 'node:events';
import Fastify from 'fastify';

const [body] = (await once(process, 'message')) as [string];
const app = Fastify();
app.get('/constant', (_request, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(body));
await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ port: (app.server.address() as { port: number }).port });
