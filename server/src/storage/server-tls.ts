// TLS to a PostgreSQL server, as libpq understands sslmode, sslrootcert, sslcert, sslkey and sslpassword in its address.
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { errorCodeOf } from '../foundation/errors.ts';
import { readFileState } from '../foundation/file-state.ts';

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** What `pg` understands besides, in addresses of former installations, and the mode that it means. */
const FORMER: Readonly<Record<string, string>> = { 'no-verify': 'require' };

const FILES = ['sslrootcert', 'sslcert', 'sslkey'];
const PARAMETERS = ['sslmode', 'ssl', 'sslpassword', ...FILES];

/** What libpq checks with, and this service does not. To ignore it would be to trust more than the operator does. */
const UNSUPPORTED = ['sslcrl', 'sslcrldir', 'ssl_min_protocol_version', 'ssl_max_protocol_version'];

/** The public authorities that Node brings. */
const SYSTEM = 'system';

/** `false` is a connection without TLS. */
export type Tls = false | ConnectionOptions;

/** How to reach one server: its address without the parameters of TLS, and what to try, in order. */
export type Reach = { readonly address: string; readonly attempts: readonly Tls[] };

/**
 * Returns how to reach the server of a URL.
 * @throws Error of the file system, if a file that {@link findTlsProblem} has found is gone.
 */
export function readReach(url: string): Reach {
  const { mode, files, password } = readParameters(url);
  const address = removeParameters(url);
  if (mode === 'disable' || /^$|^\//.test(hostOf(url))) return { address, attempts: [false] };
  const read = (name: string) => (files[name] ? readFileSync(files[name], 'utf8') : undefined);
  const authority = files.sslrootcert === SYSTEM ? undefined : read('sslrootcert');
  const isVerified = mode.startsWith('verify') || (mode === 'require' && files.sslrootcert !== undefined);
  const tls: ConnectionOptions = {
    // A connection to an address without a name is checked against the address.
    host: hostOf(url),
    ca: authority,
    cert: read('sslcert'),
    key: read('sslkey'),
    passphrase: password,
    rejectUnauthorized: isVerified,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
  if (mode === 'allow') return { address, attempts: [false, tls] };
  return { address, attempts: mode === 'prefer' ? [tls, false] : [tls] };
}

/** Returns the problem of the TLS parameters as the end of a sentence. It quotes names of files, and nothing else. */
export function findTlsProblem(url: string): string | undefined {
  const { mode, files, others } = readParameters(url);
  const unsupported = UNSUPPORTED.find((name) => others.has(name));
  if (unsupported) return `has the parameter ${unsupported}, which Latchkey does not support.`;
  if (!MODES.includes(mode)) return `has an unknown sslmode. Use one of: ${MODES.join(', ')}.`;
  if (mode === 'verify-ca' && (!files.sslrootcert || files.sslrootcert === SYSTEM))
    return 'has sslmode=verify-ca, which needs the file of an authority in sslrootcert. For a public one, use verify-full.';
  if (files.sslrootcert === SYSTEM && mode !== 'verify-full')
    return 'has sslrootcert=system, which needs sslmode=verify-full: everyone can get a certificate of a public authority.';
  if (!files.sslcert !== !files.sslkey) return 'needs sslcert and sslkey together: a certificate and its key.';
  const faults = Object.entries(files).map(([name, path]) => path && path !== SYSTEM && findFileProblem(name, path));
  return faults.find((fault) => fault) || undefined;
}

/** The rights of a private key are those that libpq demands. */
function findFileProblem(name: string, path: string): string | undefined {
  const told = `names with ${name} the file ${path}, which`;
  const stats = readFileState(path);
  if (stats === 'hidden') return `${told} this user may not read.`;
  if (!stats) return `${told} does not exist.`;
  if (!stats.isFile() || stats.size === 0) return `${told} is empty or no file.`;
  const forbidden = stats.uid === 0 ? 0o027 : 0o077;
  if (name === 'sslkey' && (stats.mode & forbidden) !== 0)
    return `${told} other users may read: a private key needs the mode 0600.`;
  try {
    readFileSync(path);
    return undefined;
  } catch {
    return `${told} this user may not read.`;
  }
}

/** Returns the host of a server's address: a name, an address, or the folder of a socket. '' for the default. */
function hostOf(url: string): string {
  const { searchParams, hostname } = new URL(url);
  return searchParams.get('host') ?? decodeURIComponent(hostname).replace(/^\[|\]$/g, '');
}

/** Whether a server's address leads to this machine: by a socket of the file system, or by loopback. */
export const isOnThisMachine = (url: string): boolean => /^$|^\/|^localhost$|^127\.|^::1$/i.test(hostOf(url));

function readParameters(url: string) {
  // A plus sign is itself, as libpq reads it, and not a space as in forms.
  const others = new URLSearchParams(new URL(url).search.replaceAll('+', '%2B'));
  const get = (name: string) => others.get(name) || undefined;
  const isOn = /^(true|1)$/.test(get('ssl') ?? '');
  const usual = get('sslrootcert') === SYSTEM ? 'verify-full' : 'prefer';
  const given = get('sslmode') ?? (isOn ? 'verify-full' : get('ssl') ? 'disable' : usual);
  const files: Record<string, string | undefined> = Object.fromEntries(FILES.map((name) => [name, get(name)]));
  return {
    mode: FORMER[given] ?? given,
    files,
    others,
    password: get('sslpassword'),
  };
}

function removeParameters(url: string): string {
  const address = new URL(url);
  if (!PARAMETERS.some((name) => address.searchParams.has(name))) return url;
  for (const name of PARAMETERS) address.searchParams.delete(name);
  return address.href;
}

/** Says that the server, or its rules for logins, wants the connection with TLS or without it: another attempt may succeed. */
export const isTlsRefusal = (error: unknown): boolean =>
  errorCodeOf(error) === '28000' ||
  /^(ERR_SSL|ERR_TLS|EPROTO)/.test(errorCodeOf(error) ?? '') ||
  (error instanceof Error && error.message.includes('does not support SSL'));

const UNKNOWN_AUTHORITY =
  'its certificate is from an authority that is not in sslrootcert, or it sends the certificate without its chain';

/** Causes by the codes of Node and OpenSSL, and by the messages of the server. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/CERT_HAS_EXPIRED/, 'its certificate has expired'],
  [/CERT_NOT_YET_VALID/, 'its certificate is not valid yet: compare the clocks'],
  [/ERR_TLS_CERT_ALTNAME_INVALID/, 'its certificate is for another host name, which sslmode=verify-full refuses'],
  [/SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_VERIFY_LEAF|CERT_UNTRUSTED/, UNKNOWN_AUTHORITY],
  [/does not support SSL/, 'it has no TLS, which sslmode demands'],
  [
    /valid client certificate|CERTIFICATE_REQUIRED|ALERT_HANDSHAKE_FAILURE/,
    'it demands a certificate: sslcert, sslkey',
  ],
  [/ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_\w+)/, 'it refuses the certificate in sslcert'],
  [/no pg_hba.conf entry .*(no encryption|SSL off)/, 'it demands TLS, which sslmode=disable turns off'],
  [
    /PEM|ASN1|KEY_VALUES_MISMATCH|BAD_DECRYPT/i,
    'a file of sslrootcert, sslcert or sslkey is damaged, or sslpassword is wrong',
  ],
];

/** Returns the failure of a connection, with a message that names the cause in TLS if there is one. */
export function nameTlsFault(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = errorCodeOf(error) ?? '';
  const [, cause] = CAUSES.find(([pattern]) => pattern.test(`${code} ${error.message}`)) ?? [];
  return cause === undefined ? error : Object.assign(new Error(`TLS: ${cause}`, { cause: error }), { code });
}
