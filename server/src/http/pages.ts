// The pages: two entries under a strict content security policy with a nonce, and their compressed files with hashed names.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import helmet from '@fastify/helmet';
import statics from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const DAY_SECONDS = 86_400;

/** The placeholder of the nonce in the built pages. Style sheets created at run time carry the nonce. */
const NONCE_PLACEHOLDER = '__NONCE__';

/** The paths of each entry. The pages themselves choose the page by the path. */
export const pageEntries: Readonly<Record<string, readonly string[]>> = {
  'sign-in.html': ['/login', '/login/pin', '/login/external/*', '/forgot-password', '/reset-password', '/register'],
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

/** Serves the pages that `npm start` has built into `folder`. Without the folder, only the API answers. */
export async function registerPages(app: FastifyInstance, folder: string, isHttps: boolean): Promise<void> {
  if (!existsSync(folder)) return;
  await app.register(async (pages) => {
    pages.addHook('onRequest', (_request, reply, done) => {
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
    pages.get('/', (_request, reply) => reply.redirect('/app'));
    for (const [entry, paths] of Object.entries(pageEntries)) {
      const html = readFileSync(join(folder, entry), 'utf8');
      for (const path of paths) {
        pages.get(path, (_request, reply) => {
          reply.header('cache-control', 'no-store').type('text/html; charset=utf-8');
          return reply.send(html.replaceAll(NONCE_PLACEHOLDER, reply.cspNonce.style));
        });
      }
    }
  });
}
