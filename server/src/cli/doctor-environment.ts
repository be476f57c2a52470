// The doctor's checks of the configuration.
import { availableParallelism } from 'node:os';
import type { Environment } from '../config/environment.ts';
import { shareOf } from '../config/workers.ts';
import { OFF } from '../delivery/index.ts';
import { basePathOf } from '../foundation/base-path.ts';
import type { Finding } from './output.ts';

/** A secret of random bytes, in any alphabet, has more different characters. */
const MIN_DIFFERENT_CHARACTERS = 10;

const isLoopback = (host: string) => /^(localhost|127\.[\d.]+|\[?::1\]?)$|\.localhost$/i.test(host);

export function* checkEnvironment(environment: Environment): Generator<Finding> {
  yield checkMode(environment);
  yield checkPublicUrl(environment);
  yield checkSecret(environment);
  yield checkWorkers(environment);
  yield checkProxies(environment);
  yield checkDelivery('e-mail', 'LATCHKEY_SMTP_URL', environment.smtp);
  yield checkDelivery('SMS', 'LATCHKEY_SMS_URL', environment.sms);
}

function checkMode({ mode }: Environment): Finding {
  if (mode === 'production') return { verdict: 'ok', about: 'mode', message: 'production' };
  const message = 'development: fine for trying it out. For real accounts set LATCHKEY_MODE=production.';
  return { verdict: 'warn', about: 'mode', message };
}

function checkPublicUrl({ publicUrl, mode, host, port }: Environment): Finding {
  const about = 'public URL';
  const url = new URL(publicUrl);
  const isLocal = isLoopback(url.hostname);
  if (isLocal && mode === 'production') {
    const message = `${publicUrl} can be reached from this machine only: set LATCHKEY_PUBLIC_URL to the address that people use.`;
    return { verdict: 'fail', about, message };
  }
  if (!isLocal && url.protocol === 'http:') {
    const message = `${publicUrl} is not encrypted: attackers on the network can read passwords. Set LATCHKEY_PUBLIC_URL to an https:// address.`;
    return { verdict: 'warn', about, message };
  }
  if (isLocal && url.protocol === 'http:' && Number(url.port || 80) !== port) {
    const message = `${publicUrl} has another port than LATCHKEY_PORT (${port}): correct one of them, unless a proxy is in between.`;
    return { verdict: 'warn', about, message };
  }
  if (!isLoopback(host) && isLocal) {
    const message = `${publicUrl} is local, but LATCHKEY_HOST (${host}) is open to the network: set LATCHKEY_PUBLIC_URL to the address that people use.`;
    return { verdict: 'warn', about, message };
  }
  const basePath = basePathOf(publicUrl);
  const below =
    basePath === ''
      ? ''
      : `. All addresses are below ${basePath}, whether or not the proxy removes it: let it forward ${basePath} and ${basePath}/`;
  return { verdict: 'ok', about, message: `${publicUrl}, the issuer of tokens and the base of links${below}` };
}

function checkSecret({ secret, dataDir }: Environment): Finding {
  const about = 'secret';
  if (secret === undefined) {
    const message = `stored in ${dataDir}, with the data that it protects. This suits one machine: back it up, or set LATCHKEY_SECRET.`;
    return { verdict: 'ok', about, message };
  }
  if (new Set(secret).size < MIN_DIFFERENT_CHARACTERS) {
    const message = 'LATCHKEY_SECRET is long, but not random. Make one with: openssl rand -base64 32';
    return { verdict: 'fail', about, message };
  }
  return { verdict: 'ok', about, message: `LATCHKEY_SECRET has ${secret.length} characters` };
}

function checkWorkers({ workers, databaseUrl }: Environment): Finding {
  const about = 'workers';
  const cores = availableParallelism();
  if (workers > cores) {
    const message = `${workers} on ${cores} ${cores === 1 ? 'core' : 'cores'} take memory and gain nothing: set LATCHKEY_WORKERS to auto.`;
    return { verdict: 'warn', about, message };
  }
  if (workers > 1) {
    const { hashThreads, connections } = shareOf(workers);
    const message = `${workers} on ${cores} cores; for each, hash threads: ${hashThreads}, connections to the database: ${connections}`;
    return { verdict: 'ok', about, message };
  }
  const isShared = databaseUrl.startsWith('postgres') && cores > 1;
  const message = isShared
    ? `one process, which uses one core besides hashing; LATCHKEY_WORKERS=auto uses all ${cores}`
    : 'one process';
  return { verdict: 'ok', about, message };
}

function checkProxies({ trustedProxies, publicUrl, host }: Environment): Finding {
  const about = 'proxies';
  const openRange = trustedProxies.find((entry) => /\/0+$/.test(entry));
  if (openRange) {
    const message = `LATCHKEY_TRUSTED_PROXIES has ${openRange}: any caller can claim any address and escape the rate limits. List only your proxies.`;
    return { verdict: 'fail', about, message };
  }
  if (trustedProxies.length > 0) return { verdict: 'ok', about, message: `trusted: ${trustedProxies.join(', ')}` };
  if (publicUrl.startsWith('https:')) {
    const message = `none is trusted, but ${publicUrl} needs one for TLS. Set LATCHKEY_TRUSTED_PROXIES to its address, or all callers share one rate limit.`;
    return { verdict: 'warn', about, message };
  }
  const message = isLoopback(host) ? 'none' : 'none: correct if no proxy is in front';
  return { verdict: 'ok', about, message };
}

function checkDelivery(what: string, variable: string, target: { url: string } | typeof OFF | undefined): Finding {
  const about = 'delivery';
  if (target === undefined) {
    const message = `${what}: ${variable} is not set. Unless an extension sends them, messages go to the outbox. "${OFF}" turns off what needs them.`;
    return { verdict: 'warn', about, message };
  }
  if (target === OFF) return { verdict: 'ok', about, message: `${what}: off. What needs it is not offered.` };
  const url = new URL(target.url);
  if (!isLoopback(url.hostname) && (url.protocol === 'http:' || url.searchParams.get('ignoreTLS') === 'true')) {
    const message = `${what}: by ${url.host}, not encrypted: attackers on the network can read pins. Correct ${variable}, unless you control the network.`;
    return { verdict: 'warn', about, message };
  }
  return { verdict: 'ok', about, message: `${what}: by ${url.host}` };
}
