// Requests to strangers: the global fetch, held to a time that is given and to answers of a bearable size.

const MAX_BYTES = 1024 * 1024;

/**
 * The global `fetch`, which `signal` ends, also while an answer is being read; an answer of more than 1 MiB is broken off.
 * A signal of the caller's own ends it earlier.
 */
export function createBoundedFetch(signal: AbortSignal): typeof fetch {
  return async (input, init) => {
    const own = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const response = await fetch(input, { ...init, signal: own ? AbortSignal.any([own, signal]) : signal });
    return response.body ? bounded(response, response.body) : response;
  };
}

function bounded(response: Response, body: ReadableStream<Uint8Array>): Response {
  let bytes = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BYTES) throw new Error(`The answer has more than ${MAX_BYTES} bytes.`);
      controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers, url } = response;
  const same = new Response(body.pipeThrough(count), { status, statusText, headers });
  return Object.defineProperty(same, 'url', { value: url });
}
