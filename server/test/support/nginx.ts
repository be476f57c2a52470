// Debian's nginx with a configuration of the guides.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Where the packages of Debian and other distributions install it. */
const PLACES = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx'];
const LOOK_MS = 20;

export interface Nginx {
  stop(): Promise<void>;
}

/** Starts nginx with a file of `conf.d`, and waits until it listens on `port`. Fails with its output if it ends. */
export async function startNginx(configuration: string, port: number): Promise<Nginx> {
  const program = PLACES.find((place) => existsSync(place));
  assert.ok(program, 'There is no nginx on this machine: install the package nginx.');
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-nginx-'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    [
      'daemon off; master_process off;',
      `pid ${folder}/pid; error_log stderr;`,
      'events {}',
      `http { access_log off; ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}`,
      configuration,
      '}',
    ].join('\n'),
  );
  const child = spawn(program, ['-p', folder, '-c', file, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    output += chunk;
  });
  while (!(await isListening(port))) {
    assert.equal(child.exitCode, null, output);
    await pause(LOOK_MS);
  }
  return {
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'close').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return isOpen;
}
