// A certificate authority for tests: makes certificates of servers and clients with `openssl`.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

export type Issued = { readonly certificate: string; readonly key: string };

export type Authority = {
  /** The path of its own certificate. */
  readonly certificate: string;
  /** Makes a certificate. @param days its lifetime; below 0 it has expired. @returns the paths of both files. */
  issue(name: string, options?: { subject?: string; days?: number; isAuthority?: boolean }): Issued;
  /** Makes an authority below this one. */
  delegate(name: string): Authority;
};

/** Makes a root in this folder. */
export function createAuthority(folder: string, name: string): Authority {
  const root = { certificate: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
  const files = ['-keyout', root.key, '-out', root.certificate];
  run('req', '-x509', ...KEY, ...files, '-subj', `/CN=${name}`, '-days', '2');
  return authorityOf(folder, root);
}

function authorityOf(folder: string, { certificate, key }: Issued): Authority {
  const issue: Authority['issue'] = (name, { subject = 'localhost', days = 1, isAuthority = false } = {}) => {
    const path = (ending: string) => join(folder, `${name}.${ending}`);
    run('req', ...KEY, '-keyout', path('key'), '-out', path('csr'), '-subj', `/CN=${subject}`);
    const extension = isAuthority ? 'basicConstraints=critical,CA:TRUE' : `subjectAltName=DNS:${subject}`;
    writeFileSync(path('ext'), extension);
    const signing = ['-CA', certificate, '-CAkey', key, '-CAcreateserial', '-days', String(days)];
    run('x509', '-req', '-in', path('csr'), '-out', path('crt'), ...signing, '-extfile', path('ext'));
    return { certificate: path('crt'), key: path('key') };
  };
  return {
    certificate,
    issue,
    delegate: (name) => authorityOf(folder, issue(name, { subject: name, isAuthority: true })),
  };
}

const run = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
