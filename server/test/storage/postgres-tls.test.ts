// TLS to PostgreSQL: each sslmode against servers and logins with and without TLS, as libpq behaves.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { AuthError } from '../../src/foundation/errors.ts';
import { findAddressProblem } from '../../src/storage/addresses.ts';
import { inspectDatabase } from '../../src/storage/inspect.ts';
import { openPostgresPool } from '../../src/storage/postgres.ts';
import { readReach } from '../../src/storage/server-tls.ts';
import { type Authority, createAuthority, type Issued } from '../support/authority.ts';
import { PATIENT } from '../support/databases.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

/** Logins that the server takes with TLS only, without TLS only, either way, and with a client's certificate only. */
const RULES = `
hostssl all secured all trust
hostnossl all plain all trust
hostssl all certified all trust clientcert=verify-ca
host all anyone,postgres all trust
`;

type Outcome = 'TLS' | 'plain' | 'refused';

/** By mode: what comes of a server without TLS, and of one with it by login: secured, plain, anyone. */
const TABLE: Readonly<Record<string, readonly [Outcome, Outcome, Outcome, Outcome]>> = {
  disable: ['plain', 'refused', 'plain', 'plain'],
  allow: ['plain', 'TLS', 'plain', 'plain'],
  prefer: ['plain', 'TLS', 'plain', 'TLS'],
  require: ['refused', 'TLS', 'refused', 'TLS'],
  'verify-ca': ['refused', 'TLS', 'refused', 'TLS'],
  'verify-full': ['refused', 'TLS', 'refused', 'TLS'],
};

describe('TLS to PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-tls-'));
  let bare: TestPostgres;
  let secured: TestPostgres;
  let data: string;
  let authority: Authority;
  let foreign: Authority;
  let client: Issued;

  before(async () => {
    authority = createAuthority(folder, 'authority');
    foreign = createAuthority(folder, 'foreign');
    client = authority.issue('client', { subject: 'certified' });
    [bare, secured] = await Promise.all([startPostgres(), startPostgres()]);
    for (const { url } of [bare, secured]) {
      await command(
        url,
        'create role secured login; create role plain login; create role anyone login; create role certified login',
      );
    }
    data = await read(secured.url, "select current_setting('data_directory')");
    write('pg_hba.conf', RULES);
    appendFileSync(join(data, 'postgresql.conf'), "\nssl = on\nssl_ca_file = 'clients.crt'\n");
    write('clients.crt', readFileSync(authority.certificate, 'utf8'));
    await show(authority.issue('server'));
  });
  after(async () => {
    await Promise.all([bare.stop(), secured.stop()]);
    rmSync(folder, { recursive: true });
  });

  function write(name: string, content: string) {
    const path = join(data, name);
    writeFileSync(path, content, { mode: 0o600 });
    const { uid, gid } = statSync(data);
    chownSync(path, uid, gid);
  }
  /** Starts the server again with this certificate. */
  async function show({ certificate, key }: Issued) {
    await secured.crash();
    write('server.crt', readFileSync(certificate, 'utf8'));
    write('server.key', readFileSync(key, 'utf8'));
    await secured.start();
  }
  const addressOf = (
    { port }: TestPostgres,
    user: string,
    parameters: Readonly<Record<string, string>>,
    host = 'localhost',
  ) => `postgres://${user}@${host}:${port}/postgres?${new URLSearchParams(parameters)}`;
  const parametersOf = (mode: string) => ({
    sslmode: mode,
    ...(/verify/.test(mode) && { sslrootcert: authority.certificate }),
  });

  for (const [mode, [withoutTls, ...byLogin]] of Object.entries(TABLE)) {
    it(`with sslmode=${mode} connects as libpq does`, async () => {
      const parameters = parametersOf(mode);
      assert.equal(await connect(addressOf(bare, 'anyone', parameters)), withoutTls);
      for (const [index, user] of ['secured', 'plain', 'anyone'].entries()) {
        assert.equal(await connect(addressOf(secured, user, parameters)), byLogin[index], user);
      }
    });
  }

  it('without sslmode prefers TLS, and does not forget which way succeeded', async () => {
    assert.equal(await connect(addressOf(secured, 'anyone', {})), 'TLS');
    const pool = openPostgresPool(addressOf(secured, 'plain', {}), () => {}, PATIENT);
    for (let round = 0; round < 3; round += 1) {
      const found = await Promise.all([1, 2, 3].map(() => pool.queryAlone(IS_ENCRYPTED, [])));
      assert.deepEqual(
        found.map(({ rows }) => rows[0].ssl),
        [false, false, false],
      );
    }
    await pool.end();
  });

  it('among several servers connects to the primary in either way', async () => {
    const url = (user: string) => `postgres://${user}@localhost:${secured.port},localhost:${bare.port}/postgres`;
    assert.equal(await connect(url('secured')), 'TLS');
    assert.equal(await connect(url('plain')), 'plain');
  });

  it('says which certificate is wrong, and which parameter it concerns', async () => {
    const full = { sslmode: 'verify-full', sslrootcert: authority.certificate };
    const told = async (parameters: Readonly<Record<string, string>>, host?: string, user = 'anyone') =>
      failureOf(addressOf(secured, user, parameters, host));
    assert.match(
      await told(full, '127.0.0.1'),
      /^TLS: its certificate is for another host name, which sslmode=verify-full/,
    );
    assert.equal(await connect(addressOf(secured, 'anyone', { ...full, sslmode: 'verify-ca' }, '127.0.0.1')), 'TLS');
    assert.match(
      await told({ sslmode: 'verify-full' }),
      /^TLS: its certificate is from an authority that is not in sslrootcert/,
    );
    const other = { sslrootcert: foreign.certificate };
    for (const sslmode of ['require', 'verify-ca', 'verify-full'])
      assert.match(
        await told({ sslmode, ...other }),
        /^TLS: its certificate is from an authority that is not in sslrootcert/,
      );
    assert.match(await failureOf(addressOf(bare, 'anyone', full)), /^TLS: it has no TLS, which sslmode demands/);
    assert.match(
      await told({ sslmode: 'disable' }, undefined, 'secured'),
      /^TLS: it demands TLS, which sslmode=disable/,
    );
  });

  it('refuses a certificate that has expired or whose chain is missing, and takes one with its chain', async () => {
    const parameters = { sslmode: 'verify-full', sslrootcert: authority.certificate };
    const address = addressOf(secured, 'anyone', parameters);
    await show(authority.issue('expired', { days: -1 }));
    assert.match(await failureOf(address), /^TLS: its certificate has expired/);
    assert.equal(await connect(addressOf(secured, 'anyone', { sslmode: 'require' })), 'TLS');
    const between = authority.delegate('between');
    const issued = between.issue('chained');
    await show(issued);
    assert.match(await failureOf(address), /^TLS: .*or it sends the certificate without its chain/);
    const chain = join(folder, 'chain.crt');
    writeFileSync(chain, readFileSync(issued.certificate, 'utf8') + readFileSync(between.certificate, 'utf8'));
    await show({ certificate: chain, key: issued.key });
    assert.equal(await connect(address), 'TLS');
  });

  it('shows the certificate of a client', async () => {
    const own = { sslmode: 'require', sslcert: client.certificate, sslkey: client.key };
    assert.equal(await connect(addressOf(secured, 'certified', own)), 'TLS');
    assert.match(
      await failureOf(addressOf(secured, 'certified', { sslmode: 'require' })),
      /^TLS: it demands a certificate: sslcert/,
    );
    const { certificate, key } = foreign.issue('stranger', { subject: 'certified' });
    const wrong = addressOf(secured, 'certified', { sslmode: 'require', sslcert: certificate, sslkey: key });
    assert.match(await failureOf(wrong), /^TLS: it (refuses the certificate in sslcert|demands a certificate)/);
  });

  it('refuses parameters that it cannot follow before it connects, and quotes no password', () => {
    const problem = (parameters: Readonly<Record<string, string>>) => {
      const found = findAddressProblem(`postgres://u:topsecret@h/d?${new URLSearchParams(parameters)}`);
      assert.doesNotMatch(found ?? '', /topsecret/);
      return found;
    };
    const open = join(folder, 'open.key');
    copyFileSync(client.key, open);
    chmodSync(open, 0o644);
    const empty = join(folder, 'empty.crt');
    writeFileSync(empty, '');
    assert.match(problem({ sslmode: 'on' }) ?? '', /^has an unknown sslmode. Use one of: disable, allow, prefer/);
    assert.match(problem({ sslmode: 'verify-ca' }) ?? '', /^has sslmode=verify-ca, which needs .* sslrootcert/);
    assert.match(problem({ sslmode: 'require', sslrootcert: 'system' }) ?? '', /^has sslrootcert=system, which needs/);
    assert.match(problem({ sslcert: client.certificate }) ?? '', /^needs sslcert and sslkey together/);
    assert.match(
      problem({ sslrootcert: join(folder, 'none') }) ?? '',
      /^names with sslrootcert the file .*none, which does not/,
    );
    assert.match(problem({ sslrootcert: empty }) ?? '', /which is empty or no file.$/);
    assert.match(problem({ sslcert: client.certificate, sslkey: open }) ?? '', /a private key needs the mode 0600.$/);
    assert.match(problem({ sslcrl: empty }) ?? '', /^has the parameter sslcrl, which Latchkey does not support.$/);
    assert.equal(problem({ sslmode: 'verify-full', sslrootcert: 'system' }), undefined);
    assert.equal(problem({ sslrootcert: 'system' }), undefined);
    assert.match(problem({ ssl: 'false', sslrootcert: 'system' }) ?? '', /^has sslrootcert=system, which needs/);
    assert.equal(problem({ sslmode: 'verify-full', sslrootcert: authority.certificate }), undefined);
  });

  it('reads plus signs as they stand, and verifies with sslrootcert=system without a mode, as libpq does', () => {
    const plus = join(folder, 'plus+sign.crt');
    copyFileSync(authority.certificate, plus);
    assert.equal(findAddressProblem(`postgres://u@h/d?sslmode=verify-ca&sslrootcert=${plus}`), undefined);
    const { attempts } = readReach('postgres://u@h/d?sslrootcert=system&sslpassword=a+b%2Bc');
    const [tls, ...others] = attempts;
    assert.ok(tls && others.length === 0);
    assert.deepEqual(
      [tls.rejectUnauthorized, tls.ca, tls.checkServerIdentity, tls.passphrase],
      [true, undefined, undefined, 'a+b+c'],
    );
  });

  it('is missed by the doctor where the server is another machine', async () => {
    const risksAt = async (url: string) => {
      const inspection = await inspectDatabase(url);
      const risks = await inspection?.findRisks();
      await inspection?.close();
      return risks;
    };
    // This name leads to this machine, and does not look like it.
    const remote = '0.0.0.0';
    assert.deepEqual(await risksAt(addressOf(bare, 'anyone', {}, remote)), [
      'is reached without TLS, so that others on the network can read along: add sslmode=verify-full to its address',
    ]);
    assert.deepEqual(await risksAt(addressOf(bare, 'anyone', {})), []);
    assert.deepEqual(await risksAt(addressOf(secured, 'anyone', {}, remote)), []);
  });
});

const IS_ENCRYPTED = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()';

/** Connects as the service does, and as libpq's own client does, if it is there. Both must come to the same. */
async function connect(url: string): Promise<Outcome> {
  const pool = openPostgresPool(url, () => {}, PATIENT);
  const outcome = await pool.queryAlone(IS_ENCRYPTED, []).then(
    ({ rows }): Outcome => (rows[0].ssl ? 'TLS' : 'plain'),
    (error): Outcome => {
      assert.ok(error instanceof AuthError);
      return 'refused';
    },
  );
  await pool.end();
  const { status, stdout } = spawnSync('psql', ['-At', '-c', IS_ENCRYPTED, url], { encoding: 'utf8' });
  if (status !== null) assert.equal(status === 0 ? (stdout.trim() === 't' ? 'TLS' : 'plain') : 'refused', outcome, url);
  return outcome;
}

async function failureOf(url: string): Promise<string> {
  const pool = openPostgresPool(url, () => {}, PATIENT);
  const error: unknown = await pool.queryAlone('select 1', []).catch((thrown) => thrown);
  await pool.end();
  assert.ok(error instanceof AuthError && error.cause instanceof Error);
  return error.cause.message;
}

async function command(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await client.query({ text, rowMode: 'array' });
  } finally {
    await client.end();
  }
}

const read = async (url: string, text: string): Promise<string> => (await command(url, text)).rows[0][0];
