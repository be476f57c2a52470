// Bare argon2id verification, as many in parallel as the driver has connections: the upper limit of sign-in.
import { once } from 'node:events';
import { verify } from '@node-rs/argon2';
import { CONNECTIONS, summarize } from '../load.ts';

export type Argon2Options = { readonly password: string; readonly hash: string };

const [{ password, hash }] = (await once(process, 'message')) as [Argon2Options];

process.on('message', async (seconds: number) => {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  const worker = async () => {
    for (let now = performance.now(); now < endAt; now = performance.now()) {
      if (!(await verify(hash, password))) throw new Error('The password does not match.');
      latencies.push(performance.now() - now);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  process.send?.(summarize(latencies, (performance.now() - startedAt) / 1000, 0));
});
process.on('disconnect', () => process.exit());
process.send?.({ port: 0 });
