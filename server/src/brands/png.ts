// PNG files: checks that an upload is one whole picture of bounded size, and keeps nothing but the picture.
import { promisify } from 'node:util';
import { crc32, inflate } from 'node:zlib';

/** In pixels, each way. A browser needs four bytes of memory for each pixel. */
const MAX_PIXELS = 1024;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * The chunks that the picture needs, and the most bytes that each may hold (PNG 3, 11.2 and 11.3). Others hold text, a
 * place, an animation or anything else, and are removed.
 */
const KEPT_CHUNKS: ReadonlyMap<string, number> = new Map([
  ['IHDR', 13],
  ['PLTE', 768],
  ['tRNS', 256],
  ['gAMA', 4],
  ['cHRM', 32],
  ['sRGB', 1],
  ['IDAT', Number.POSITIVE_INFINITY],
  ['IEND', 0],
]);

/** The order of these chunks (PNG 3, 5.6). Browsers may take another header for the picture's than the one checked here. */
const ORDER = /^IHDR( PLTE| tRNS| gAMA| cHRM| sRGB)*( IDAT)+ IEND$/;

/** The channels of each colour type (PNG 3, 11.2.1). */
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

const decompress = promisify(inflate);

type Chunk = { readonly type: string; readonly data: Buffer; readonly whole: Buffer };

export const isPng = (bytes: Buffer): boolean => bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE);

/** Returns the picture without what surrounds it. @throws Error that says what is wrong with the file. */
export async function cleanPng(bytes: Buffer): Promise<Buffer> {
  const kept = readChunks(bytes).filter(({ type }) => KEPT_CHUNKS.has(type));
  const [header] = kept;
  if (header?.data.length !== 13 || !isOrdered(kept)) throw broken();
  await checkPicture(
    header.data,
    kept.filter(({ type }) => type === 'IDAT'),
  );
  return Buffer.concat([SIGNATURE, ...kept.map(({ whole }) => whole)]);
}

/** Returns whether the chunks stand in their order, each but `IDAT` once, and none holds more than it may. */
function isOrdered(chunks: readonly Chunk[]): boolean {
  const types = chunks.map(({ type }) => type);
  const single = types.filter((type) => type !== 'IDAT');
  return (
    ORDER.test(types.join(' ')) &&
    new Set(single).size === single.length &&
    chunks.every(({ type, data }) => data.length <= (KEPT_CHUNKS.get(type) ?? 0))
  );
}

const broken = (cause?: unknown) => new Error('The PNG file is damaged. Export it again.', { cause });

/** Reads the chunks up to the end of the picture. What follows it is ignored. */
function readChunks(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  let at = SIGNATURE.length;
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) throw broken();
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) throw broken();
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) });
    if (type === 'IEND') return chunks;
    at = end;
  }
  throw broken();
}

/** Decompresses the picture, at most as much as its size allows: a small file may hold gigabytes. */
async function checkPicture(header: Buffer, parts: readonly Chunk[]): Promise<void> {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colourType] = [header.readUInt8(8), header.readUInt8(9)];
  if (width === 0 || height === 0) throw broken();
  if (width > MAX_PIXELS || height > MAX_PIXELS) {
    throw new Error(`The picture has ${width} × ${height} pixels. Use at most ${MAX_PIXELS} × ${MAX_PIXELS}.`);
  }
  const bitsPerPixel = (channels[colourType] ?? 0) * depth;
  if (bitsPerPixel === 0 || depth > 16) throw broken();
  // An interlaced picture has up to seven filter bytes more for each row.
  const size = height * (Math.ceil((width * bitsPerPixel) / 8) + 1);
  const maxOutputLength = size + 8 * (height + width) + 64;
  const picture = await decompress(Buffer.concat(parts.map(({ data }) => data)), { maxOutputLength }).catch((cause) => {
    throw broken(cause);
  });
  if (picture.length < size) throw broken();
}
