// The calls of brands: what a front end shows, and the upload of a logo.
import { Type } from 'typebox';
import { defineRoute, type Route } from '../contract/route.ts';
import { NamedObject, Nullable, Text } from '../contract/schemas.ts';
import { invalidMember } from '../foundation/errors.ts';
import type { Brands } from './brands.ts';
import { MAX_LOGO_BYTES } from './picture.ts';

/** The folder of the addresses of logos. */
export const LOGO_PATH = '/brand/logos';

const BrandText = NamedObject('BrandTextDto', {
  language: Type.String(),
  title: Type.String(),
  note: Type.String(),
});

const BrandDto = NamedObject('BrandDto', {
  frontEnd: Type.String({ description: 'The key of the front end; default-app for an unknown one.' }),
  name: Type.String(),
  colour: Type.String({ description: 'A colour of Latchkey.Application, or #rrggbb.' }),
  logo: Nullable(Type.String({ description: 'The path of the logo. It never changes its content.' })),
  logoDark: Nullable(Type.String({ description: 'The path of the logo in dark mode, if it is another one.' })),
  backgroundLight: Nullable(Type.String()),
  backgroundDark: Nullable(Type.String()),
  terms: Nullable(Type.String()),
  privacy: Nullable(Type.String()),
  support: Nullable(Type.String()),
  texts: Type.Array(BrandText),
});

const toPath = (logo: string) => (logo === '' ? null : `${LOGO_PATH}/${logo}`);

/** Base64 takes four characters for three bytes. */
const MAX_CONTENT = Math.ceil(MAX_LOGO_BYTES / 3) * 4;

/** The content, and what is around it in JSON. */
const MAX_BODY = 264 * 1024;

export function brandRoutes(deps: {
  brands: Brands;
  /** Returns the key if such a front end is registered, else `default-app`. */
  resolveFrontEnd: (appKey: string) => string;
}): Route[] {
  const { brands, resolveFrontEnd } = deps;
  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/FrontEndApp/GetBrand',
      summary: 'Return what the sign-in pages of a front end show. Without appKey, of the calling front end.',
      access: 'public',
      query: Type.Object({ appKey: Type.Optional(Nullable(Text({ maxLength: 100 }))) }),
      result: BrandDto,
      async handle({ input, origin }) {
        const frontEnd = input.appKey ? resolveFrontEnd(input.appKey) : origin.frontEnd;
        const { name, colour, logo, logoDark, texts, ...rest } = brands.find(frontEnd);
        return {
          frontEnd,
          name,
          colour,
          logo: toPath(logo),
          logoDark: toPath(logoDark),
          backgroundLight: rest.backgroundLight || null,
          backgroundDark: rest.backgroundDark || null,
          terms: rest.terms || null,
          privacy: rest.privacy || null,
          support: rest.support || null,
          texts,
        };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/FrontEndApp/UploadLogo',
      summary: 'Store a logo: a PNG or SVG picture. Name it in the setting Latchkey.Brand to show it.',
      access: 'pages:maintenance',
      maxBodyBytes: MAX_BODY,
      body: Type.Object({
        content: Type.String({
          description: 'The file in base64.',
          minLength: 1,
          maxLength: MAX_CONTENT,
        }),
      }),
      result: NamedObject('UploadedLogo', { logo: Type.String(), path: Type.String() }),
      async handle({ input, caller, origin }) {
        if (!/^[A-Za-z0-9+/]*={0,2}$/.test(input.content)) throw invalidMember('content', 'Send the file in base64.');
        const logo = await brands.uploadLogo(Buffer.from(input.content, 'base64'), { ...caller, origin });
        return { logo, path: `${LOGO_PATH}/${logo}` };
      },
    }),
  ];
}
