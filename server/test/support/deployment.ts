// The files in `deploy`, and the environment that they start the service with.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VARIABLES } from '../../src/config/variables.ts';
import { root } from './guide.ts';

/** Returns the text of a file in `deploy`. */
export const readDeployFile = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8');

/** Returns the variables of the template `latchkey.env`. An empty one is for the administrator to fill in. */
export function readTemplate(): Record<string, string> {
  const lines = readDeployFile('latchkey.env').split('\n');
  const set = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(set.map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

/** Values of an administrator for all variables that the template leaves empty. */
export const filledIn = {
  LATCHKEY_PUBLIC_URL: 'https://id.example.com',
  LATCHKEY_SECRET: 'bW1jaMAv8sXHRtPDM94WHSwOOVyKvCoOeYURWSQTCfg=',
  LATCHKEY_SMTP_URL: 'smtps://latchkey:p%24ss@mail.example.com',
  LATCHKEY_MAIL_FROM: 'Example <no-reply@example.com>',
  LATCHKEY_SMS_URL: 'https://sms.example.com/send',
  LATCHKEY_SMS_SECRET: 'QnYz3rJ5J8m0rD4Wm1hYdF6bS2xTtV9a',
};

/** Fails if the service does not know one of these variables. It would ignore them. */
export function assertKnown(names: readonly string[]): void {
  assert.ok(names.length > 0);
  assert.deepEqual(
    names.filter((name) => name.startsWith('LATCHKEY_') && !VARIABLES.includes(name)),
    [],
  );
}
