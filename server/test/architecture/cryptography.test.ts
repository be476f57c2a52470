// Cryptography: only approved algorithms, and sealed texts that nobody can change.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { systemRandom } from '../../src/foundation/random.ts';
import { createSecrets } from '../../src/foundation/secrets.ts';

const root = join(import.meta.dirname, '../../..');
const SECRET = 'a secret of this test, long enough for a key';
const approved = /^('sha256'|'sha384'|'sha512'|'aes-256-gcm'|'ec'|'rsa'|'ed25519')$/;
/** What other systems have hashed is verified once, then replaced. These files make nothing. */
const verifyOthers = /^server\/src\/(passwords|account-import)\/|^server\/src\/accounts\/imported-password\.ts$/;

const withoutTypes = (text: string) => text.replaceAll(/^import type .*$/gm, '');

describe('cryptography', () => {
  it('is of approved algorithms alone', () => {
    const calls = globSync('server/src/**/*.ts', { cwd: root })
      .filter((path) => !path.endsWith('.test.ts') && !verifyOthers.test(path))
      .flatMap((path) => {
        const text = readFileSync(join(root, path), 'utf8');
        const found = text.matchAll(/\b(?:createHash|createHmac|createCipheriv|hkdfSync|pbkdf2\w*)\(\s*([^,)]+)/g);
        return [...found].map(([, algorithm = '']) => `${path}: ${algorithm}`);
      });
    assert.ok(calls.length >= 10, `only ${calls.length} calls were found`);
    assert.deepEqual(
      calls.filter((call) => !approved.test(call.split(': ')[1] ?? '')),
      [],
    );
  });

  it('stands where the inventory in the guide says, and nowhere else', () => {
    const uses =
      /(?:from|import\(|getBuiltinModule\()\s*'(?:node:crypto|jose|otpauth|@node-rs\/\w+|@simplewebauthn\/server)'|crypto\.subtle\./;
    const used = globSync(['server/src/**/*.ts', 'sdk/src/**/*.ts', 'web/src/**/*.{ts,tsx}'], { cwd: root })
      .filter((path) => !path.endsWith('.test.ts'))
      .filter((path) => uses.test(withoutTypes(readFileSync(join(root, path), 'utf8'))))
      .map((path) =>
        /^server\/src\/([^/]+)|^(sdk)\/src\/([^/]+)|^(web)\//.exec(path)?.slice(1).filter(Boolean).join('/'),
      );
    const guide = readFileSync(join(root, 'docs/guide/security.md'), 'utf8');
    const [, inventory = ''] = guide.split('\n## Keys and algorithms\n');
    const listed = [...inventory.matchAll(/\| ([^|]+) \|$/gm)].flatMap(
      ([, folders = '']) => folders.match(/(?<=`)[\w/-]+(?=`)/g) ?? [],
    );
    assert.deepEqual([...new Set(used)].toSorted(), [...new Set(listed)].toSorted());
  });

  it('refuses a sealed text that was changed, or is of another label or secret', () => {
    const secrets = createSecrets(SECRET, systemRandom);
    const sealed = secrets.seal('one', 'plain');
    assert.equal(secrets.unseal('one', sealed), 'plain');
    const bytes = Buffer.from(sealed, 'base64url');
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.throws(() => secrets.unseal('one', changed.toString('base64url')), `byte ${at}`);
    }
    assert.throws(() => secrets.unseal('two', sealed));
    assert.throws(() => createSecrets(`${SECRET}!`, systemRandom).unseal('one', sealed));
  });

  it('seals the same text in another way each time', () => {
    const secrets = createSecrets(SECRET, systemRandom);
    const nonces = Array.from({ length: 10_000 }, () => secrets.seal('one', '').slice(0, 16));
    assert.equal(new Set(nonces).size, nonces.length);
  });
});
