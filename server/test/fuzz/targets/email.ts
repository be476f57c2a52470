// E-mail addresses: what is stored is one plain address, reading it again changes nothing, and all spellings have one key.
import assert from 'node:assert/strict';
import { emailKey, readEmailAddress } from '../../../src/foundation/email-address.ts';
import { maskAddress, maskWithoutEnding } from '../../../src/foundation/mask.ts';
import type { Target } from '../target.ts';

export const target: Target = {
  name: 'email',
  words: ['@', 'ann@example.com', 'xn--', '.com', 'ＡＮＮ', 'bücher.example', '。'],
  check(input) {
    const text = input.toString();
    const key = emailKey(text);
    assert.equal(emailKey(key), key, 'the key of a key is itself');
    assert.equal(emailKey(text.normalize('NFD')), key, 'canonically equal texts have one key');
    const address = readEmailAddress(text);
    if (address === undefined) return { key };
    assert.equal(readEmailAddress(address), address, 'a stored address stays as it is');
    assert.equal(emailKey(address), key, 'the stored address has the key of the text');
    assert.match(address, /^[^\s@<>,;:"()[\]\\\p{C}]+@[!-~]+$/u);
    assert.ok(address.length <= 254 && !address.includes('..'));
    const [first = ''] = address;
    assert.equal(maskWithoutEnding(address), `${first}***@***`);
    assert.ok(maskAddress(address).startsWith(`${first}***@***`) && /\*{3}(\.[^.@]+)?$/.test(maskAddress(address)));
    return { key, address };
  },
};
