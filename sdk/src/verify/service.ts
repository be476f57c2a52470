// The service as the verifier calls it: with a time limit for each call, and without redirects.
import { type System, sleep } from './system.ts';

/** Bodies that the verifier reads whole must arrive within this time. */
const CALL_MS = 4000;

/** The service answered with a status other than 200. */
export class ServiceFailure extends Error {
  readonly status: number;
  constructor(path: string, status: number) {
    super(describe(path, status));
    this.status = status;
  }

  /** Whether the service knows the verifier's key not at all, or not for this call. */
  get isRefusal(): boolean {
    return this.status === 401 || this.status === 403;
  }
}

function describe(path: string, status: number): string {
  if (status === 401) return `The service refuses the service key at ${path}. Make one: latchkey service-keys create`;
  if (status === 403)
    return `The service key lacks the permission for ${path}. Make another: latchkey service-keys create`;
  return `The service answers ${status} at ${path}.`;
}

export interface Service {
  /** Sends a request. @throws ServiceFailure unless the status is 200. */
  request(path: string, init: RequestInit & { signal: AbortSignal }): Promise<Response>;
  /** Sends a request and reads its JSON within a time limit. @throws ServiceFailure, Error */
  readJson(path: string, init?: RequestInit, milliseconds?: number): Promise<unknown>;
  /** Aborts when the verifier is closed. */
  readonly closing: AbortSignal;
  close(): void;
}

export function createService(system: System, url: string, serviceKey: string): Service {
  const base = url.replace(/\/+$/, '');
  const closing = new AbortController();

  const request: Service['request'] = async (path, init) => {
    const headers = { ...init.headers, authorization: `Bearer ${serviceKey}` };
    const response = await system.fetch(`${base}${path}`, { ...init, headers, redirect: 'error' });
    if (response.status === 200) return response;
    await response.body?.cancel();
    throw new ServiceFailure(path.replace(/\?.*/, ''), response.status);
  };

  return {
    request,
    async readJson(path, init = {}, milliseconds = CALL_MS) {
      const done = new AbortController();
      const late = new AbortController();
      const limit = AbortSignal.any([done.signal, closing.signal]);
      const timeout = sleep(system, milliseconds, limit).then(() => {
        late.abort(new Error(`The service did not answer within ${milliseconds / 1000} s.`));
      });
      try {
        const signal = AbortSignal.any([late.signal, closing.signal]);
        return await (await request(path, { ...init, signal })).json();
      } finally {
        done.abort();
        await timeout;
      }
    },
    closing: closing.signal,
    close: () => closing.abort(new Error('The verifier is closed.')),
  };
}
