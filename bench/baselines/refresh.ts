// The minimum cost of a durable refresh: Fastify, one ES256 verification, one signature, one durable commit of one row.
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';

export type RefreshOptions = {
  /** A new file. */
  readonly databaseFile: string;
  /** A token of the usual size. */
  readonly token: string;
};

const [options] = (await once(process, 'message')) as [RefreshOptions];
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const content = Buffer.from(options.token.slice(0, options.token.lastIndexOf('.')));
const dsaEncoding = 'ieee-p1363';
const signature = sign('sha256', content, { key: privateKey, dsaEncoding });

const database = new DatabaseSync(options.databaseFile);
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE session (id INTEGER PRIMARY KEY, current TEXT);
  WITH RECURSIVE n(id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM n WHERE id < 9999)
  INSERT INTO session SELECT id, 'none' FROM n`);
const update = database.prepare('UPDATE session SET current = ? WHERE id = ?');
let count = 0;

const app = Fastify();
app.post('/refresh', async (_request, reply) => {
  if (!verify('sha256', content, { key: publicKey, dsaEncoding }, signature)) reply.code(401);
  update.run(`token ${++count}`, count % 10_000);
  const fresh = sign('sha256', content, { key: privateKey, dsaEncoding });
  return {
    result: { accessToken: `${content}.${fresh.toString('base64url')}`, expireInSeconds: 86_400 },
    success: true,
  };
});
await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ port: (app.server.address() as { port: number }).port });
