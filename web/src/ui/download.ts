// Downloads: files that the service streams to the signed-in user. The token travels in a header, so that no address has it.
import { at } from '../api/base-path.ts';
import { latchkey } from '../api/latchkey.ts';
import { words } from '../words/index.ts';
import { InputError } from './problem.ts';

/** Where a file is written to, piece by piece. */
export interface FileTarget {
  write(piece: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Completes the file. */
  close(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** The part of the File System Access API that is used. Not every browser has it. */
type FilePicker = (options: { suggestedName: string }) => Promise<{
  createWritable(): Promise<{
    write(piece: BufferSource): Promise<void>;
    close(): Promise<void>;
    abort(): Promise<void>;
  }>;
}>;

/** Pieces are put together in the browser's storage when they have this size, in bytes. */
const PART_BYTES = 4_194_304;

/** Time in milliseconds for which a saved file can still be read. The browser may begin after the click. */
const KEPT_MS = 60_000;

const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

/**
 * Returns a file to write to: one that the user chooses, where the browser can stream to it, else one in the browser's
 * storage that is saved when it is complete. Call it in the handler of a click.
 * @returns `undefined` if the user chose none.
 */
export async function openFile(fileName: string): Promise<FileTarget | undefined> {
  // The types of browsers lack the function, because not every browser has it.
  const { showSaveFilePicker: pick } = globalThis as { showSaveFilePicker?: FilePicker };
  if (!pick) return createStoredFile(fileName);
  try {
    const file = await (await pick({ suggestedName: fileName })).createWritable();
    return { write: (piece) => file.write(piece), close: () => file.close(), discard: () => file.abort() };
  } catch (error) {
    // Some browsers refuse the dialog, such as within a frame.
    return isAbort(error) ? undefined : createStoredFile(fileName);
  }
}

function createStoredFile(fileName: string): FileTarget {
  let parts: Blob[] = [];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  function store() {
    parts.push(new Blob(pieces));
    pieces = [];
    size = 0;
  }
  return {
    async write(piece) {
      pieces.push(piece);
      size += piece.length;
      if (size >= PART_BYTES) store();
    },
    async close() {
      store();
      saveFile(new Blob(parts), fileName);
    },
    async discard() {
      parts = [];
      pieces = [];
    },
  };
}

/** Saves the content as a file of this browser. */
export function saveFile(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

const LINE_FEED = 0x0a;

/**
 * Downloads a file of the service, and holds one piece of it at a time.
 * @param path the path below `/api/services/app/`.
 * @param options.onLines called with the number of line breaks so far.
 * @throws InputError with the reason in words, if the service refuses the file; the error of `fetch`, if the file is not
 * complete; `AbortError`, if the signal ended it.
 */
export async function download(
  path: string,
  query: Readonly<Record<string, string>>,
  { target, signal, onLines }: { target: FileTarget; signal: AbortSignal; onLines: (lines: number) => void },
): Promise<void> {
  try {
    await latchkey.ready;
    const headers = { authorization: `Bearer ${latchkey.token}` };
    const url = at(`/api/services/app/${path}?${new URLSearchParams(query)}`);
    const response = await fetch(url, { headers, signal });
    if (!response.ok || !response.body) throw await toError(response);
    let lines = 0;
    for (const reader = response.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      await target.write(value);
      for (const byte of value) if (byte === LINE_FEED) lines += 1;
      onLines(lines);
    }
    await target.close();
  } catch (error) {
    await target.discard().catch(() => {});
    throw error;
  }
}

/** Returns a refusal in the reader's language, if there is a translation, else in the service's words. */
async function toError(response: Response): Promise<InputError> {
  const answer: { error?: { reason: string; message: string; details: string } } = await response
    .json()
    .catch(() => ({}));
  const { reason = '', message, details } = answer.error ?? {};
  const reasons: Readonly<Record<string, string | undefined>> = words.service.reasons;
  return new InputError({ '': reasons[reason] ?? details ?? message ?? words.common.unforeseen });
}
