// The pages in development: Vite serves their sources, and passes the paths of the service on to it.
import type { Server } from 'node:http';
import { join } from 'node:path';
import { createLogger, createServer, type Plugin, type ProxyOptions } from 'vite';
import { PAGE_POLICY, pageEntries } from '../../server/src/http/pages.ts';
import { root } from '../layout.mjs';

/** What the service answers; all other paths are pages and their sources. */
const SERVICE_PATHS = String.raw`^/(api|oauth|\.well-known|health)/|^/(metrics|openapi\.json)(\?|$)`;

/** The nonce that `web/vite.config.ts` puts into the pages. The service replaces it in each answer; here it stays. */
const NONCE = "'nonce-__NONCE__'";

/** The policy of the service's pages. Vite also needs a socket to the browser. */
const policy = Object.entries({
  ...PAGE_POLICY,
  scriptSrc: [...PAGE_POLICY.scriptSrc, NONCE],
  styleSrc: [...PAGE_POLICY.styleSrc, NONCE],
  connectSrc: [...PAGE_POLICY.connectSrc, 'ws:'],
})
  .map(([name, sources]) => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${sources.join(' ')}`)
  .join('; ');

/** The entry that answers at a path, as the service would choose it. */
function findEntry(path: string): string | undefined {
  const matches = (pattern: string) =>
    pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
  return Object.keys(pageEntries).find((entry) => pageEntries[entry]?.some(matches));
}

/** Answers at the paths of the pages. */
const entries: Plugin = {
  name: 'latchkey-entries',
  configureServer({ middlewares }) {
    middlewares.use((request, response, next) => {
      const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
      if (pathname === '/') return void response.writeHead(302, { location: '/app' }).end();
      const entry = findEntry(pathname);
      if (entry) {
        request.url = `/${entry}${search}`;
        response.setHeader('content-security-policy', policy);
      }
      next();
    });
  },
};

/** Passes requests on as a reverse proxy in production does. While the service restarts, the pages try again. */
const proxyTo = (service: string): ProxyOptions => ({
  target: service,
  xfwd: true,
  configure(proxy) {
    proxy.on('error', (_error, _request, response) => {
      if ('writeHead' in response && !response.headersSent) response.writeHead(503, { 'retry-after': '1' }).end();
    });
  },
});

/** Vite's logger without the errors of requests that arrive while the service restarts. */
function createQuietLogger() {
  const logger = createLogger();
  const { error } = logger;
  logger.error = (text, options) => {
    const { code } = (options?.error ?? {}) as NodeJS.ErrnoException;
    if (code !== 'ECONNREFUSED') error(text, options);
  };
  return logger;
}

/** Answers the requests of `server`. @param service the address of the service. @returns a function that closes both. */
export async function servePages(server: Server, service: string): Promise<() => Promise<void>> {
  const folder = join(root, 'web');
  const vite = await createServer({
    root: folder,
    configFile: join(folder, 'vite.config.ts'),
    appType: 'mpa',
    clearScreen: false,
    customLogger: createQuietLogger(),
    plugins: [entries],
    server: {
      middlewareMode: true,
      ws: { server },
      // The service decides which other origins may call the API.
      cors: false,
      proxy: { [SERVICE_PATHS]: proxyTo(service) },
    },
  });
  server.on('request', vite.middlewares);
  return async () => {
    await vite.close();
    server.close();
    server.closeAllConnections();
  };
}
