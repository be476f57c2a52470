// Logos: what is served of an upload is only what is known to be harmless, and cleaning it again changes nothing.
import assert from 'node:assert/strict';
import { crc32 } from 'node:zlib';
import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { cleanPicture, MAX_LOGO_BYTES, type Picture } from '../../../src/brands/picture.ts';
import { isPng } from '../../../src/brands/png.ts';
import type { Target } from '../target.ts';

const harmless =
  /^(svg|g|defs|path|rect|circle|ellipse|line|polyline|polygon|linearGradient|radialGradient|stop|clipPath|mask)$/;

/** Reads the answer with a parser, as a browser does: names of elements and attributes, and what the values refer to. */
function assertHarmless(element: XmlElement) {
  assert.match(element.name, harmless);
  for (const [name, value] of Object.entries(element.attributes)) {
    assert.doesNotMatch(name, /^(on.*|style|href|src|class|xlink:href|xml:base)$/i);
    assert.doesNotMatch(value, /[<>"&\\;]|script|expression|import|data:|\/\//i, `${name}="${value}"`);
    for (const reference of value.match(/url\([^)]*\)?/gi) ?? []) assert.match(reference, /^url\(#[\w.-]+\)$/);
  }
  for (const child of element.children) {
    assert.ok(child instanceof XmlElement, 'no text, comment or instruction is left');
    assertHarmless(child);
  }
}

/** Returns a PNG file with the right check sums: otherwise no change of a picture would pass them. */
function repair(input: Buffer): Buffer {
  if (!isPng(input)) return input;
  const file = Buffer.from(input);
  for (let at = 8; at + 12 <= file.length; ) {
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) break;
    file.writeUInt32BE(crc32(file.subarray(at + 4, end - 4)), end - 4);
    at = end;
  }
  return file;
}

async function clean(input: Buffer): Promise<Picture | undefined> {
  try {
    return await cleanPicture(input, MAX_LOGO_BYTES);
  } catch (error) {
    // The route answers the sentence: it is for a person.
    assert.ok(error instanceof Error && error.constructor === Error, `${error}`);
    assert.match(error.message, /^[A-Z][^\n]*\.$/);
    return undefined;
  }
}

export const target: Target = {
  name: 'logo',
  words: [
    '<svg viewBox="0 0 9 9">',
    '</svg>',
    '<path d="M0 0"/>',
    'url(#a)',
    '<g>',
    '</g>',
    ' style="',
    'fill:',
    '<mask id="',
    '<!DOCTYPE',
    '<?',
    '<!--',
    '-->',
    '<![CDATA[',
    '&#x6a;',
    'javascript:',
    '\u0089PNG',
    'IHDR',
    'IDAT',
    'IEND',
    'PLTE',
  ],
  async check(input) {
    const picture = await clean(repair(input));
    if (!picture) return undefined;
    const again = await clean(picture.bytes);
    assert.deepEqual(again, picture, 'a clean picture stays as it is');
    if (picture.kind === 'png') {
      assert.ok(picture.bytes.length <= input.length, 'nothing is added to a PNG file');
      return picture;
    }
    const { root } = parseXml(picture.bytes.toString());
    assert.ok(root && root.name === 'svg');
    const { xmlns, ...attributes } = root.attributes;
    assert.equal(xmlns, 'http://www.w3.org/2000/svg');
    assertHarmless(new XmlElement(root.name, attributes, root.children));
    return picture;
  },
};
