// Translation of database failures.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AuthError, UniqueViolation } from '../foundation/errors.ts';
import { breaksConnection, translateFailure } from './failures.ts';

const failure = (code: string, more: object = {}) => Object.assign(new Error(`${code}: something`), { code, ...more });

describe('a failure of the database', () => {
  it('is an outage when the server, the connection or the disk fails', () => {
    const outages = [
      ...[
        'EIO',
        'EBADF',
        'EROFS',
        'EPIPE',
        'EMFILE',
        'ENFILE',
        'EDQUOT',
        'ENOSPC',
        'ECONNREFUSED',
        'ERR_INVALID_STATE',
      ],
      ...['EPROTO', 'ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR'],
      ...['08006', '28P01', '3D000', '3F000', '42501', '42P01', '53300', '55000', '57P01', '58030', 'XX001'],
      ...['25006', '25P03', '40001', '40P01', '55P03'],
    ];
    const sqlite = [3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 26, 10 + 256].map((errcode) =>
      failure('ERR_SQLITE_ERROR', { errcode }),
    );
    for (const error of [...outages.map((code) => failure(code)), ...sqlite]) {
      const translated = translateFailure(error);
      assert.ok(translated instanceof AuthError && translated.status === 503, error.message);
      assert.equal(translated.cause, error);
    }
  });

  it('is a unique violation when a key is taken', () => {
    for (const error of [failure('23505'), failure('ERR_SQLITE_ERROR', { errcode: 2067 })]) {
      assert.ok(translateFailure(error) instanceof UniqueViolation);
    }
  });

  it('breaks the connection, unless the server has only refused a statement', () => {
    const breaks = (code: string) => breaksConnection(translateFailure(failure(code)));
    for (const code of ['40001', '40P01', '55P03', '57014', '23505', '42703']) assert.equal(breaks(code), false, code);
    for (const code of ['57P01', '25006', '53300', '55000', '08006', 'XX001', 'EPIPE']) assert.ok(breaks(code), code);
    assert.ok(breaksConnection(translateFailure(new Error('Query read timeout'))));
  });

  it('stays unchanged when the program is at fault', () => {
    for (const error of [failure('42703'), failure('ERR_SQLITE_ERROR', { errcode: 1 }), new TypeError('no function')]) {
      assert.equal(translateFailure(error), error);
    }
  });
});
