// What a test server calls: this machine alone, so that the configuration of an installation reaches none of its webhooks.
import { createEgress, type Egress, type EgressAllowance, EgressRefusal } from '../foundation/egress.ts';
import { isLoopbackHost } from '../foundation/secure-url.ts';

/** @param allowance `LATCHKEY_EGRESS_ALLOW`, whose host names are called besides. */
export function createTestEgress(
  allowance: EgressAllowance,
  egress: Egress = createEgress({ allowance, isDevelopment: true }),
): Egress {
  return {
    ...egress,
    async fetch(address, request) {
      const hostname = URL.parse(address)?.hostname ?? '';
      if (isLoopbackHost(hostname) || allowance.hosts.has(hostname)) return egress.fetch(address, request);
      throw new EgressRefusal('A test server calls only this machine, and the host names in LATCHKEY_EGRESS_ALLOW.');
    },
  };
}
