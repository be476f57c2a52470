// npm run dev: the service on its sources and the pages with hot reload, behind one origin and with example users.
// Node restarts the service when a file that the service has loaded changes.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { EnvironmentError } from '../../server/src/config/environment-error.ts';
import { findFreePort } from '../../server/test/support/ports.ts';
import { type End, endLike, runAttached } from '../child.mjs';
import { Refusal, root, say } from '../layout.mjs';
import { createExampleData, describeExampleUsers } from './example-users.ts';
import { servePages } from './pages.ts';

const HOST = '127.0.0.1';
const DEFAULT_PORT = '5173';
const DEFAULT_DATA_DIR = 'data/dev';

const USAGE = 'Usage: npm run dev [-- --port PORT --data-dir FOLDER]';

/** Reads the options of the command. @throws Refusal */
function readOptions(words: string[]): { port: number; dataDir: string } {
  const options = { port: { type: 'string' }, 'data-dir': { type: 'string' } } as const;
  try {
    const { values } = parseArgs({ args: words, options });
    const { port = DEFAULT_PORT, 'data-dir': dataDir = DEFAULT_DATA_DIR } = values;
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535 || Number(port) === 0) {
      throw new Error(`"${port}" is not a port.`);
    }
    return { port: Number(port), dataDir: resolve(root, dataDir) };
  } catch (error) {
    throw new Refusal(`${(error as Error).message}\n${USAGE}`);
  }
}

/**
 * The environment of the service. It replaces every variable that names data, a secret or an address: the command opens no
 * database but the one in its data directory.
 */
function environmentOf(url: string, servicePort: number, dataDir: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    LATCHKEY_MODE: 'development',
    LATCHKEY_HOST: HOST,
    LATCHKEY_PORT: String(servicePort),
    LATCHKEY_PUBLIC_URL: url,
    LATCHKEY_DATA_DIR: dataDir,
    LATCHKEY_DATABASE_URL: '',
    LATCHKEY_WORKERS: '',
    LATCHKEY_SECRET: '',
    LATCHKEY_TRUSTED_PROXIES: HOST,
  };
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    await once(server.listen(port, HOST), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Refusal(`Port ${port} is in use. Stop what listens there, or choose a port: npm run dev -- --port PORT`);
  }
}

/** Runs until the service is told to stop. */
async function run(words: string[]): Promise<End> {
  const { port, dataDir } = readOptions(words);
  const url = `http://localhost:${port}`;
  const servicePort = await findFreePort();
  const env = environmentOf(url, servicePort, dataDir);
  const server = createServer();
  const closePages = await servePages(server, `http://${HOST}:${servicePort}`);
  try {
    await listen(server, port);
    const isNew = await createExampleData(dataDir, env);
    say(`\n  Latchkey in development: ${url}   (data: ${dataDir})\n`);
    if (isNew) say(describeExampleUsers());
    const command = ['--watch', '--watch-preserve-output', 'server/src/cli/main.ts', 'serve'];
    return await runAttached(process.execPath, command, { cwd: root, env });
  } finally {
    await closePages();
  }
}

try {
  endLike(await run(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof Refusal || error instanceof EnvironmentError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
