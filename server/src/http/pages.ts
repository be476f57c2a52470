// The pages: static files with hashed names, under a strict content security policy.
import { existsSync } from 'node:fs';
import helmet from '@fastify/helmet';
import statics from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const DAY_SECONDS = 86_400;

/** Serves what `npm start` has built into `folder`; without it the API still answers. */
export async function registerPages(app: FastifyInstance, folder: string, isHttps: boolean): Promise<void> {
  if (!existsSync(folder)) return;
  await app.register(async (pages) => {
    await pages.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'"],
          imgSrc: ["'self'", 'data:'],
          fontSrc: ["'self'"],
          connectSrc: ["'self'"],
          formAction: ["'self'"],
          baseUri: ["'none'"],
          frameAncestors: ["'none'"],
        },
      },
      frameguard: { action: 'deny' },
      referrerPolicy: { policy: 'no-referrer' },
      hsts: isHttps && { maxAge: 365 * DAY_SECONDS, includeSubDomains: false },
    });
    await pages.register(statics, {
      root: folder,
      wildcard: false,
      cacheControl: false,
      setHeaders(reply, path) {
        const isHashed = path.includes('/assets/');
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  });
}
