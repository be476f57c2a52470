// Debian's Caddy with a configuration of deploy or of the guides.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where packages install it. */
const PLACES = ['/usr/bin/caddy', '/usr/local/bin/caddy'];
const LOOK_MS = 50;

export interface Caddy {
  /** The certificate of its own authority, which signs those of local names. */
  readonly authority: string;
  stop(): Promise<void>;
}

function findProgram(): string {
  const program = PLACES.find((place) => existsSync(place));
  assert.ok(program, 'There is no Caddy on this machine: install the package caddy.');
  return program;
}

/** The options of Caddy that concern this configuration, in a folder of their own. */
function prepare(configuration: string, variables: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-caddy-'));
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, configuration);
  const env = { ...variables, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return { folder, options: ['--config', file, '--adapter', 'caddyfile'], env };
}

/** Fails with Caddy's own words if it does not accept the configuration. */
export function assertValid(configuration: string, variables: Record<string, string>): void {
  const { folder, options, env } = prepare(configuration, variables);
  const { status, stderr } = spawnSync(findProgram(), ['validate', ...options], { env, encoding: 'utf8' });
  rmSync(folder, { recursive: true, force: true });
  assert.equal(status, 0, stderr);
}

/** Starts Caddy, and waits until it has a certificate for `localhost`. Fails with its output if it ends. */
export async function startCaddy(configuration: string, variables: Record<string, string>): Promise<Caddy> {
  const { folder, stop } = await run(configuration, variables, (home) =>
    existsSync(join(home, 'caddy/certificates/local/localhost/localhost.crt')),
  );
  return { authority: readFileSync(join(folder, 'caddy/pki/authorities/local/root.crt'), 'utf8'), stop };
}

/** Starts Caddy with sites that have no certificate. Fails with its output if it ends. */
export const startPlainCaddy = (configuration: string): Promise<Pick<Caddy, 'stop'>> =>
  run(configuration, {}, () => true);

/** Runs Caddy, and waits until it serves and its folder is as `isReady` wants it. */
async function run(
  configuration: string,
  variables: Record<string, string>,
  isReady: (folder: string) => boolean,
): Promise<{ folder: string; stop: () => Promise<void> }> {
  const { folder, options, env } = prepare(configuration, variables);
  const child = spawn(findProgram(), ['run', ...options], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    output += chunk;
  });
  while (!isReady(folder) || !/serving initial configuration/.test(output)) {
    assert.equal(child.exitCode, null, output);
    await sleep(LOOK_MS);
  }
  return {
    folder,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
