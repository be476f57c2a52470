// The addresses of logos: each has the hash of its content, so that browsers keep it for good.
import type { Endpoints } from '../contract/route.ts';
import type { Brands } from './brands.ts';
import { mediaTypes } from './picture.ts';
import { LOGO_PATH } from './routes.ts';

/** A logo that is opened by its own address loads and runs nothing. */
const POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

const YEAR_SECONDS = 31_536_000;

export const logoEndpoints =
  ({ readLogo }: Brands): Endpoints =>
  (app) => {
    app.get<{ Params: { fileName: string } }>(`${LOGO_PATH}/:fileName`, async ({ params: { fileName } }, reply) => {
      const kind = /^[0-9a-f]{64}\.(png|svg)$/.exec(fileName)?.[1];
      const bytes = kind === undefined ? undefined : await readLogo(fileName);
      if (!bytes) return reply.callNotFound();
      return reply
        .headers({
          'content-security-policy': POLICY,
          'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
        })
        .type(kind === 'png' ? mediaTypes.png : mediaTypes.svg)
        .send(bytes);
    });
  };
