// Requests to other services: the global fetch with a time limit and a maximum size of the answer.

const MAX_BYTES = 1024 * 1024;

/**
 * Returns the global `fetch` with limits. `signal` aborts a request, also while its answer is being read. The caller's
 * own signal may abort it earlier. Reading fails after 1 MiB; bytes are counted after decompression.
 * A request that fails after its caller has stopped waiting causes no unhandled rejection.
 */
export function createBoundedFetch(signal: AbortSignal): typeof fetch {
  return (input, init) => {
    const own = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const answer = fetch(input, { ...init, signal: own ? AbortSignal.any([own, signal]) : signal }).then(bound);
    answer.catch(() => {});
    return answer;
  };
}

function bound(response: Response): Response {
  if (!response.body) return response;
  let bytes = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BYTES) throw new Error(`The answer has more than ${MAX_BYTES} bytes.`);
      controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers, url, redirected } = response;
  const same = new Response(response.body.pipeThrough(count), { status, statusText, headers });
  return Object.defineProperties(same, { url: { value: url }, redirected: { value: redirected } });
}
