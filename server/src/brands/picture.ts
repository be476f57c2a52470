// Pictures: the logos that people upload. Only what is rebuilt here is ever served.
import { cleanPng, isPng } from './png.ts';
import { cleanSvg } from './svg.ts';

/** A picture that is safe to serve. */
export type Picture = { readonly kind: 'png' | 'svg'; readonly bytes: Buffer };

/** The largest logo, in bytes. */
export const MAX_LOGO_BYTES = 200_000;

/** The media type of each kind. */
export const mediaTypes = { png: 'image/png', svg: 'image/svg+xml' } as const;

/**
 * Returns the picture without scripts, style sheets, references and other data.
 * @param maxBytes the largest file.
 * @throws Error that says what is wrong with the file, for a person.
 */
export async function cleanPicture(bytes: Buffer, maxBytes: number): Promise<Picture> {
  if (bytes.length > maxBytes) {
    throw new Error(`The file has ${Math.ceil(bytes.length / 1000)} kB. Use at most ${maxBytes / 1000} kB.`);
  }
  if (isPng(bytes)) return { kind: 'png', bytes: await cleanPng(bytes) };
  if (/^\s*</.test(bytes.toString('utf8', 0, 100))) {
    return { kind: 'svg', bytes: cleanSvg(bytes) };
  }
  throw new Error('Use a PNG or SVG file.');
}
