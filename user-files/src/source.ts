// Files as bytes and as text: what is compressed is unpacked, and the encoding is told by what the file holds.

/** A file that can be read any number of times. `size` in bytes. */
export type Source = {
  readonly name: string;
  readonly size: number;
  open(): AsyncIterable<Uint8Array>;
};

/** The names of `TextDecoder`. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** A compressed file ends too early. */
export class CutOff extends Error {}

const GZIP = [0x1f, 0x8b];

/** Bytes by which a file is told to be compressed, or in another encoding. */
const BEGINNING = 4;

/** Yields the bytes of a file, unpacked if it is compressed by gzip. @throws CutOff */
async function* readBytes({ open }: Pick<Source, 'open'>): AsyncGenerator<Uint8Array> {
  const chunks = open()[Symbol.asyncIterator]();
  const first = await readBeginning(chunks);
  const whole = prepend(first, chunks);
  if (!GZIP.every((byte, index) => first[index] === byte)) return yield* whole;
  try {
    yield* withBeginning(chunksOf(toStream(whole).pipeThrough(new DecompressionStream('gzip'))));
  } catch (error) {
    throw new CutOff('The compressed file is cut off or damaged.', { cause: error });
  }
}

/** Makes the first chunk long enough to tell what the file is. */
async function* withBeginning(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* prepend(await readBeginning(chunks), chunks);
}

async function readBeginning(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let beginning: Uint8Array = new Uint8Array();
  while (beginning.length < BEGINNING) {
    const { done, value } = await chunks.next();
    if (done) break;
    beginning = beginning.length === 0 ? value : new Uint8Array([...beginning, ...value]);
  }
  return beginning;
}

async function* prepend(first: Uint8Array, others: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let one = await others.next(); !one.done; one = await others.next()) yield one.value;
  } finally {
    await others.return?.();
  }
}

function toStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

/** Yields the chunks of a stream. Not all browsers iterate over streams. */
export async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let one = await reader.read(); !one.done; one = await reader.read()) yield one.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** What stands for bytes that are no UTF-8. */
export const REPLACEMENT = '\ufffd';

const marks: readonly (readonly [mark: readonly number[], encoding: Encoding])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/**
 * Returns the encoding of a file: what its byte order mark says, UTF-16 if every other byte is 0, else UTF-8. Text that is no
 * UTF-8 is Windows-1252, unless most of its other characters are well-formed UTF-8: then some of it is damaged.
 */
export async function detectEncoding(source: Pick<Source, 'open'>): Promise<Encoding> {
  const strict = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  try {
    for await (const chunk of readBytes(source)) {
      const told = isFirst ? readMark(chunk) : undefined;
      if (told) return told;
      isFirst = false;
      strict.decode(chunk, { stream: true });
    }
    return 'utf-8';
  } catch (error) {
    if (!(error instanceof CutOff || error instanceof TypeError)) throw error;
  }
  return (await isMostlyUtf8(source)) ? 'utf-8' : 'windows-1252';
}

async function isMostlyUtf8(source: Pick<Source, 'open'>): Promise<boolean> {
  let [broken, whole] = [0, 0];
  try {
    for await (const text of readText(source, 'utf-8')) {
      for (const [character] of text.matchAll(/[^\p{ASCII}]/gu)) {
        if (character === REPLACEMENT) broken += 1;
        else whole += 1;
      }
    }
  } catch (error) {
    if (!(error instanceof CutOff)) throw error;
  }
  return broken <= whole;
}

function readMark(beginning: Uint8Array): Encoding | undefined {
  const marked = marks.find(([mark]) => mark.every((byte, index) => beginning[index] === byte));
  if (marked) return marked[1];
  const [first, second] = beginning;
  if (first === 0 && second !== 0) return 'utf-16be';
  return first !== 0 && second === 0 ? 'utf-16le' : undefined;
}

/** Yields the text of a file with LF at the end of each line, without its byte order mark. @throws CutOff */
export async function* readText(source: Pick<Source, 'open'>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  let isAfterReturn = false;
  const toLines = (text: string) => {
    const own = isAfterReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') isAfterReturn = text.endsWith('\r');
    return own.replaceAll(/\r\n?/g, '\n');
  };
  for await (const chunk of readBytes(source)) {
    const text = toLines(decoder.decode(chunk, { stream: true }));
    if (text !== '') yield text;
  }
  const rest = toLines(decoder.decode());
  if (rest !== '') yield rest;
}
