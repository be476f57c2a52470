// The pages: two entries under a strict content security policy with a nonce, and their compressed files with hashed names.
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import helmet from '@fastify/helmet';
import statics from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { basePathOf } from '../foundation/base-path.ts';

const DAY_SECONDS = 86_400;

/** The placeholder of the nonce in the built pages. Style sheets created at run time carry the nonce. */
const NONCE_PLACEHOLDER = '__NONCE__';

/** The paths of each entry. The pages themselves choose the page by the path. */
export const pageEntries: Readonly<Record<string, readonly string[]>> = {
  'sign-in.html': [
    '/login',
    '/login/pin',
    '/login/external/*',
    '/forgot-password',
    '/reset-password',
    '/register',
    '/device',
    '/sign-out',
    '/signed-out',
  ],
  'app.html': ['/app', '/app/*'],
};

/** The content security policy of the pages; each answer adds a nonce for scripts and style sheets. */
export const PAGE_POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
};

/** Any address that nothing else answers. */
const UNKNOWN = '/*';

/** Addresses for programs. Below them, an unknown one is answered as a call is, also to a browser. */
const FOR_PROGRAMS = /^\/(api|oauth|assets|health|\.well-known)\//i;

const opensPage = ({ headers }: Pick<IncomingMessage, 'headers'>, url: string) =>
  headers.accept?.includes('text/html') === true && !FOR_PROGRAMS.test(url);

/** Returns the URL for the router, which refuses malformed escapes (RFC 3986, 2.1). To a browser, such a URL is unknown. */
export function toRoutableUrl(request: Pick<IncomingMessage, 'headers'>, url: string): string {
  const [path = ''] = url.split('?', 1);
  if (!path.includes('%') || !opensPage(request, url)) return url;
  try {
    decodeURI(path);
    return url;
  } catch {
    return '/%25';
  }
}

/**
 * Serves the pages that `npm start` has built into `folder`. Without the folder, only the API answers.
 * @param publicUrl below its path are the addresses in the pages and redirects.
 */
export async function registerPages(app: FastifyInstance, folder: string, publicUrl: string): Promise<void> {
  const [isHttps, basePath] = [publicUrl.startsWith('https:'), basePathOf(publicUrl)];
  if (!existsSync(folder)) return;
  await app.register(async (pages) => {
    pages.addHook('onRequest', (request, reply, done) => {
      if (request.routeOptions.url === UNKNOWN && !opensPage(request, request.url)) return void reply.callNotFound();
      // The policy of all other answers would override the one below.
      reply.removeHeader('content-security-policy');
      done();
    });
    await pages.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: PAGE_POLICY,
      },
      enableCSPNonces: true,
      frameguard: { action: 'deny' },
      referrerPolicy: { policy: 'no-referrer' },
      hsts: isHttps && { maxAge: 365 * DAY_SECONDS, includeSubDomains: false },
    });
    await pages.register(statics, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply) => void reply.header('cache-control', 'public, max-age=31536000, immutable'),
    });
    pages.get('/', (_request, reply) => reply.redirect(`${basePath}/app`));
    const answerWith = (entry: string, status: number) => {
      const html = readFileSync(join(folder, entry), 'utf8').replaceAll('="/assets/', `="${basePath}/assets/`);
      return (_request: FastifyRequest, reply: FastifyReply) => {
        reply.code(status).header('cache-control', 'no-store').type('text/html; charset=utf-8');
        return reply.send(html.replaceAll(NONCE_PLACEHOLDER, reply.cspNonce.style));
      };
    };
    const redirectTo = (path: string) => (request: FastifyRequest, reply: FastifyReply) =>
      reply.redirect(basePath + path + request.url.replace(/^[^?]*/, ''));
    for (const [entry, paths] of Object.entries(pageEntries)) {
      for (const path of paths) {
        pages.get(path, answerWith(entry, 200));
        if (entry === 'sign-in.html' && !path.endsWith('*')) pages.get(`${path}/`, redirectTo(path));
      }
    }
    // Its page says that there is none at this address, also to a visitor who is not signed in.
    pages.get(UNKNOWN, answerWith('sign-in.html', 404));
  });
}
