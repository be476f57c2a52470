// The relying party of passkeys: the domain that they are bound to, and the origins of the pages and apps that may use them.
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { RelyingParty } from '../factors/index.ts';
import { EnvironmentError } from './environment-error.ts';
import { isAndroidApp } from './origins.ts';

/**
 * Returns the relying party: the public URL, the origins of front ends on the same domain (WebAuthn, 5.1.2), and Android apps, which
 * Android compares with the `assetlinks.json` of the domain.
 * @param domain the host of the public URL, or a parent domain of it. Default: the host.
 * @throws EnvironmentError
 */
export function readRelyingParty(
  publicUrl: string,
  listed: readonly string[],
  domain: string | undefined,
): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  const id = domain === undefined ? hostname : domainToASCII(domain);
  const isParent = id.includes('.') && isIP(hostname) === 0;
  if (id !== hostname && !(isParent && isUnder(hostname, id))) {
    const problem = `is "${domain}", but must be the host of LATCHKEY_PUBLIC_URL (${hostname}) or a parent domain of it.`;
    throw new EnvironmentError('LATCHKEY_PASSKEY_RP_ID', problem);
  }
  const own = listed.filter((one) => isAndroidApp(one) || isUnder(new URL(one).hostname, id));
  return { id, origins: [...new Set([origin, ...own])] };
}

function isUnder(hostname: string, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
