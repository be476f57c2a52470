// Requests to strangers: the global fetch, held to a time that is given and to answers of a bearable size.

const MAX_BYTES = 1024 * 1024;

/**
 * The global `fetch`, which `signal` ends, also while an answer is being read; an answer of more than 1 MiB is broken off,
 * counted as it is read, so that compression hides nothing. A signal of the caller's own ends it earlier. A request that
 * fails when nobody waits for it any more disturbs nobody.
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
