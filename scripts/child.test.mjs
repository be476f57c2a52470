// Child processes: how their end is told after a signal.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';

const child = `process.on('SIGTERM', () => process.exit(7)); process.stdout.write('ready'); setInterval(() => {}, 1000);`;
const parent = `
  import { runAttached } from '${import.meta.resolve('./child.mjs')}';
  const end = await runAttached(process.execPath, ['-e', ${JSON.stringify(child)}], { cwd: '.' });
  process.stdout.write(JSON.stringify(end));`;

/** @param {string} script */
const start = (script) => {
  // As outside npm: the end of a shell between them says nothing here.
  const { npm_lifecycle_event, ...env } = process.env;
  return spawn(process.execPath, ['--input-type=module', '-e', script], { env });
};

it('a program that ends by itself after a signal was stopped', async () => {
  const running = start(parent);
  const output = text(running.stdout);
  await once(running.stdout, 'data');
  running.kill('SIGTERM');
  assert.equal(await output, `ready${JSON.stringify({ code: 7, signal: null, isStopped: true })}`);
});

it('a program that ends by itself without a signal was not', async () => {
  const running = start(parent.replace(JSON.stringify(child), JSON.stringify('process.exit(7)')));
  assert.equal(await text(running.stdout), JSON.stringify({ code: 7, signal: null, isStopped: false }));
});
