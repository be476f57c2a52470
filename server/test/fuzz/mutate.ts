// Mutation: a new input from a known one, by small changes that parsers trip over.
import type { Comparison } from './coverage.ts';

export type Material = {
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  readonly words: readonly string[];
  /** Other inputs, to take parts from. */
  readonly others: readonly Buffer[];
  /** What the input was compared with when it ran. */
  readonly comparisons: readonly Comparison[];
  readonly maxBytes: number;
};

const bytes = [0, 1, 9, 10, 13, 32, 34, 37, 39, 44, 58, 59, 61, 64, 92, 127, 128, 255];
const numbers = ['0', '-1', '1e400', '1.5', '9007199254740993', '2147483648', '18446744073709551616', '00', '٣'];
/** Texts whose folding, direction, width or length surprises (Unicode TR36), and pieces of grammars. */
const surprises = [
  ...['\u0000', '\ufeff', '\u200b', '\u200d', '\u202e', '\u2028', '\u00a0', '\u00ad', '\u2800', '\u3002', '\uff0e'],
  ...[
    'ß',
    'ẞ',
    'İ',
    'ı',
    'K',
    'Å',
    'ſ',
    'ﬀ',
    'ﷺ',
    'ａ',
    '０',
    '①',
    'e\u0301',
    'é',
    'Σς',
    '\u0345',
    '\u0344',
    '𝟘',
    '😀',
  ],
  ...[
    '%00',
    '%2f',
    '%zz',
    '\\u0000',
    '\\ud800',
    '\\',
    '"',
    "'",
    '{}',
    '[]',
    '[[[[',
    '{"',
    '":',
    ',',
    '\r\n',
    '\r\n\r\n',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'null',
    'true',
    '../',
    '//',
    '::',
    '&amp;',
    '<!--',
    '<![CDATA[',
    '=',
    '==',
  ],
];

type Change = (input: Buffer, material: Material) => Buffer;

const below = (end: number, { random }: Material) => Math.floor(random() * end);
const oneOf = <Item>(items: readonly Item[], material: Material) => items[below(items.length, material)];

function replace(input: Buffer, start: number, end: number, piece: Buffer | string): Buffer {
  return Buffer.concat([input.subarray(0, start), Buffer.from(piece), input.subarray(end)]);
}

/** A range of the input; short ones are more likely. */
function rangeOf(input: Buffer, material: Material): [start: number, end: number] {
  const start = below(input.length + 1, material);
  const length = Math.ceil((input.length - start) * material.random() ** 3);
  return [start, start + length];
}

/** Inserts a piece, or puts it in the place of a range. */
function place(input: Buffer, piece: Buffer | string, material: Material): Buffer {
  const [start, end] = rangeOf(input, material);
  return replace(input, start, material.random() < 0.5 ? start : end, piece);
}

const changes: readonly Change[] = [
  (input, material) => {
    const changed = Buffer.from(input);
    const at = below(input.length, material);
    changed[at] = (changed[at] ?? 0) ^ (1 << below(8, material));
    return changed;
  },
  (input, material) => place(input, Buffer.from([oneOf(bytes, material) ?? 0]), material),
  (input, material) => place(input, Buffer.from([below(256, material)]), material),
  (input, material) => replace(input, ...rangeOf(input, material), ''),
  (input, material) => place(input, oneOf(surprises, material) ?? '', material),
  (input, material) => place(input, oneOf(material.words, material) ?? '', material),
  (input, material) => place(input, input.subarray(...rangeOf(input, material)), material),
  // A part of another input, or its end.
  (input, material) => {
    const other = oneOf(material.others, material) ?? input;
    return place(input, other.subarray(...rangeOf(other, material)), material);
  },
  // A number in digits.
  (input, material) => {
    const found = [...input.toString('latin1').matchAll(/\d+/g)];
    const match = oneOf(found, material);
    if (!match) return input;
    const near = String(Math.abs(Number(match[0]) + (material.random() < 0.5 ? 1 : -1)));
    const other = material.random() < 0.5 ? near : (oneOf(numbers, material) ?? '');
    return replace(input, match.index, match.index + match[0].length, other);
  },
  // A length or number in bytes.
  (input, material) => {
    const size = oneOf([1, 2, 4], material) ?? 1;
    if (input.length < size) return input;
    const changed = Buffer.from(input);
    const at = below(input.length - size + 1, material);
    const value = oneOf([0, 1, input.length, input.length - at, 2 ** (8 * size) - 1], material) ?? 0;
    changed.writeUIntBE(Math.min(value, 2 ** (8 * size) - 1), at, size);
    return changed;
  },
  // What a comparison would have liked to see.
  (input, material) => {
    const [one, other] = oneOf(material.comparisons, material) ?? ['', ''];
    const [from, to] = material.random() < 0.5 ? [one, other] : [other, one];
    const at = input.indexOf(from);
    return from === '' || at < 0 ? place(input, to, material) : replace(input, at, at + Buffer.byteLength(from), to);
  },
  // Many times the same: time must not grow with the square of the length.
  (input, material) => {
    const [start, end] = rangeOf(input, material);
    const piece = input.subarray(start, Math.min(end, start + 16));
    const room = material.maxBytes - input.length;
    if (piece.length === 0 || room <= 0) return input;
    const times = Math.floor((room / piece.length) * material.random() ** 2);
    return replace(input, start, start, Buffer.alloc(times * piece.length, piece));
  },
];

/** Returns a changed input, at most as long as the material allows. */
export function mutate(input: Buffer, material: Material): Buffer {
  let changed = input;
  const times = 1 + Math.floor(4 * material.random() ** 2);
  for (let time = 0; time < times; time += 1) changed = oneOf(changes, material)?.(changed, material) ?? changed;
  return changed.subarray(0, material.maxBytes);
}
