// The page of an application on an origin of its own, with scripts of packages and a bundled client.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'vite';

const { resolve } = createRequire(import.meta.url);

export interface Application {
  readonly origin: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Bundles a client of `e2e/clients` for the browser. */
export async function bundleClient(name: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      rollupOptions: { input: join(import.meta.dirname, '../clients', `${name}.ts`) },
    },
  });
  const [bundle] = [built].flat();
  assert.ok(bundle && 'output' in bundle);
  return bundle.output[0].code;
}

/** An answer of the application's own API. Absent: the path is a page. */
type Api = (request: IncomingMessage, response: ServerResponse) => object | undefined;

/**
 * Serves one page at every path that its API does not answer.
 * @param scripts files of packages, such as `jquery/dist/jquery.js`: plain scripts that run first.
 * @param client the text of a module that runs last.
 */
export async function startApplication(scripts: readonly string[], client = '', api?: Api): Promise<Application> {
  const files = new Map(scripts.map((file, index) => [`/scripts/${index}.js`, readFileSync(resolve(file), 'utf8')]));
  files.set('/client.js', client);
  const tags = [...files.keys()].map((path) =>
    path === '/client.js' ? `<script type="module" src="${path}"></script>` : `<script src="${path}"></script>`,
  );
  const html = `<!doctype html><html lang="en"><head><base href="/"><title>Application</title>${tags.join('')}</head></html>`;
  const server = createServer((request, response) => {
    const answer = api?.(request, response);
    if (answer) return void response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    const script = files.get(request.url ?? '/');
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript');
    response.end(script ?? html);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    // Another name than the service's: another site, not only another port.
    origin: `http://localhost:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
