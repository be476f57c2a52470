// Tracing: names the pieces of work that appear in the trace of a request.

/**
 * Returns a copy of the service whose named methods are traced: how long they take and whether they fail, but no
 * argument and no result. The copy is a plain object. `outgoing` work is traced even if it belongs to no request.
 * @param names the span name of each method.
 */
export type Trace = <Service extends object>(
  service: Service,
  names: { readonly [Method in keyof Service]?: string },
  direction?: 'inside' | 'outgoing',
) => Service;

/** Traces nothing. */
export const untraced: Trace = (service) => service;
