// SVG files: rebuilds an upload from allowed elements and attributes. Nothing of the file itself is kept.
import { parseXml, XmlElement } from '@rgrove/parse-xml';

const MAX_ELEMENTS = 5000;
const MAX_DEPTH = 50;

/** Shapes, groups, gradients and clips. None of them loads or runs anything. */
const ELEMENTS = [
  'svg',
  'g',
  'defs',
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
  'linearGradient',
  'radialGradient',
  'stop',
  'clipPath',
  'mask',
];

/** Descriptions of editors: removed without a word. */
const DROPPED_ELEMENTS = ['title', 'desc', 'metadata'];

const number = /^[-+0-9.eE\s,%]*(px)?$/;
const numbers = /^[-+0-9.eE\s,]*$/;
const word = /^[a-zA-Z-]*$/;
const id = /^[A-Za-z_][\w.-]*$/;
const reference = /^url\(#[A-Za-z_][\w.-]*\)$/;
/** No place may match white space in two ways: the time to refuse a text would grow with the square of its length. */
const transforms = /^[\s,]*(?:(?:matrix|translate|scale|rotate|skewX|skewY)\([-+0-9.eE\s,]*\)[\s,]*)*$/;
const paint =
  /^(?:[a-zA-Z]+|#[0-9a-fA-F]{3,8}|(?:rgb|hsl)a?\([-0-9.,%\s/]*\)|url\(#[A-Za-z_][\w.-]*\)(?:\s+[a-zA-Z]+)?)$/;

/** The form of each allowed attribute. A form admits no address, no script and no style sheet. */
const ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  id,
  viewBox: numbers,
  preserveAspectRatio: /^[a-zA-Z\s]*$/,
  d: /^[-+0-9.eE\s,a-zA-Z]*$/,
  points: numbers,
  transform: transforms,
  gradientTransform: transforms,
  gradientUnits: word,
  spreadMethod: word,
  clipPathUnits: word,
  maskUnits: word,
  maskContentUnits: word,
  fill: paint,
  stroke: paint,
  color: paint,
  'stop-color': paint,
  'clip-path': reference,
  mask: reference,
  'fill-rule': word,
  'clip-rule': word,
  'stroke-linecap': word,
  'stroke-linejoin': word,
  'mask-type': word,
  display: word,
  visibility: word,
  ...Object.fromEntries(
    [
      ...['x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'fx', 'fy', 'fr', 'r', 'rx', 'ry', 'width', 'height', 'offset'],
      ...['opacity', 'fill-opacity', 'stroke-opacity', 'stop-opacity', 'stroke-width', 'stroke-miterlimit'],
      ...['stroke-dasharray', 'stroke-dashoffset'],
    ].map((name) => [name, number]),
  ),
};

/** The properties that editors write into `style` instead of attributes. */
const isProperty = (name: string) => Object.hasOwn(ATTRIBUTES, name) && !/^(id|d|x|y|r|points|transform)$/.test(name);

/** Returns a new SVG file with the same shapes. @throws Error that says what is wrong with the file. */
export function cleanSvg(bytes: Buffer): Buffer {
  const root = parse(bytes);
  if (root?.name !== 'svg') throw new Error('The file is no SVG picture.');
  const count = { elements: 0 };
  const shapes = writeChildren(root, { depth: 0, isReferenced: false }, count);
  if (!/<(path|rect|circle|ellipse|line|polyline|polygon)\b/.test(shapes)) {
    throw new Error('The SVG file holds no shapes. Convert text and linked pictures to paths, then export it again.');
  }
  const inherited = writeAttributes(root, false, ['viewBox', 'width', 'height', 'x', 'y', 'id', 'transform']);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBoxOf(root)}"${inherited}>${shapes}</svg>`;
  return Buffer.from(svg);
}

function parse(bytes: Buffer): XmlElement | null {
  try {
    // The parser knows no entities besides those of XML, and reads no document type.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // The parser would do the same, but copies the text for each line break.
    return parseXml(text.replaceAll(/\r\n?/g, '\n')).root;
  } catch (cause) {
    throw new Error('The SVG file is damaged, or is not in UTF-8. Export it again.', { cause });
  }
}

/** Returns the coordinates of the picture, from its size if it names none. */
function viewBoxOf({ attributes }: XmlElement): string {
  const { viewBox = `0 0 ${parseFloat(attributes.width ?? '')} ${parseFloat(attributes.height ?? '')}` } = attributes;
  const sides = viewBox
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , width = 0, height = 0] = sides;
  if (sides.length === 4 && sides.every(Number.isFinite) && width > 0 && height > 0) return sides.join(' ');
  throw new Error('The SVG file has no size. Export it with a viewBox.');
}

/** Where an element stands. What a clip or mask holds refers to no other one: chains of them take endless time to draw. */
type Place = { readonly depth: number; readonly isReferenced: boolean };

function writeChildren(parent: XmlElement, place: Place, count: { elements: number }): string {
  if (place.depth > MAX_DEPTH) throw new Error(`The SVG file has more than ${MAX_DEPTH} nested groups. Simplify it.`);
  let text = '';
  for (const child of parent.children) {
    if (!(child instanceof XmlElement)) continue;
    const { name } = child;
    // Data of an editor, such as `sodipodi:namedview`.
    if (name.includes(':') || DROPPED_ELEMENTS.includes(name)) continue;
    if (!ELEMENTS.includes(name)) {
      throw new Error(`The SVG file holds <${name.slice(0, 40)}>, which is not accepted. ${adviceOn(name)}`);
    }
    count.elements += 1;
    if (count.elements > MAX_ELEMENTS)
      throw new Error(`The SVG file has more than ${MAX_ELEMENTS} shapes. Simplify it.`);
    const isReferenced = place.isReferenced || name === 'clipPath' || name === 'mask';
    const inside = writeChildren(child, { depth: place.depth + 1, isReferenced }, count);
    text += `<${name}${writeAttributes(child, isReferenced)}>${inside}</${name}>`;
  }
  return text;
}

function adviceOn(name: string): string {
  if (name === 'style') return 'Export it with presentation attributes instead of CSS.';
  if (name === 'text') return 'Convert text to paths.';
  return 'Export it with shapes and gradients only.';
}

/** Returns the allowed attributes as text. Properties of `style` become attributes; others are removed. */
function writeAttributes({ attributes }: XmlElement, isReferenced: boolean, without: readonly string[] = []): string {
  const { style = '', ...given } = attributes;
  const properties = style.split(';').flatMap((declaration) => {
    const [name = '', value = ''] = declaration.split(':', 2).map((part) => part.trim());
    return isProperty(name) ? [[name, value] as const] : [];
  });
  const all = new Map([...Object.entries(given), ...properties]);
  return [...all]
    .filter(([name, value]) => Object.hasOwn(ATTRIBUTES, name) && ATTRIBUTES[name]?.test(value))
    .filter(([name]) => !without.includes(name) && !(isReferenced && (name === 'clip-path' || name === 'mask')))
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');
}
