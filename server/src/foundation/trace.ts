// Tracing: how work is named for whoever follows a request through the service.

/**
 * Gives the same service, whose methods of these names are followed while they run: how long they take and whether they
 * fail, nothing of what they are given or answer. Only work that is `outgoing` is followed also when it belongs to no
 * request. What it gives is a new object of plain members.
 */
export type Trace = <Service extends object>(
  service: Service,
  names: { readonly [Method in keyof Service]?: string },
  direction?: 'inside' | 'outgoing',
) => Service;

/** Follows nothing. */
export const untraced: Trace = (service) => service;
