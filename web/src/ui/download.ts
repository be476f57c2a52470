// Downloads: saves text that this page has made, and files that the service streams to a signed-in user.
import { latchkey } from '../api/latchkey.ts';

/** Saves the content as a file of this browser. */
export function saveFile(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser may begin to read after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The service refused the file, for a reason of its catalogue. */
export class DownloadError extends Error {
  readonly reason: string;
  constructor(reason: string, details: string) {
    super(details);
    this.reason = reason;
  }
}

/**
 * Downloads a file of the service. The token travels in a header, so that no address has it.
 * @param path the path below `/api/services/app/`.
 * @param options.onLines called with the number of line breaks so far.
 * @throws DownloadError, or the `AbortError` of the signal.
 */
export async function download(
  path: string,
  query: Readonly<Record<string, string>>,
  { signal, onLines }: { signal: AbortSignal; onLines: (lines: number) => void },
): Promise<Blob> {
  const url = `/api/services/app/${path}?${new URLSearchParams(query)}`;
  await latchkey.ready;
  const response = await fetch(url, { headers: { authorization: `Bearer ${latchkey.token}` }, signal });
  if (!response.ok || !response.body) {
    const answer = await response.json().catch(() => undefined);
    throw new DownloadError(answer?.error?.reason ?? '', answer?.error?.details ?? '');
  }
  const LINE_FEED = 0x0a;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let lines = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    for (const byte of value) if (byte === LINE_FEED) lines += 1;
    onLines(lines);
  }
  return new Blob(parts, { type: response.headers.get('content-type') ?? '' });
}
