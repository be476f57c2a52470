// Disabled methods: switching a method off revokes its links, pins and tokens, and switching it on does not restore them.
import type { OneTimeSecrets, Pins } from '../proofs/index.ts';
import type { Tx } from '../storage/database.ts';
import { ResetMethod, resetMethods, switches } from './method.ts';
import { subjectEnding } from './recipient-resolver.ts';

/** Revokes links, pins and tokens of the methods that are off, in the transaction that changes the Security Settings. */
export async function revokeDisabledMethods(
  tx: Tx,
  value: Readonly<Record<(typeof switches)[ResetMethod], boolean>>,
  { pins, oneTimeSecrets }: { pins: Pins; oneTimeSecrets: OneTimeSecrets },
): Promise<void> {
  const disabled = resetMethods.filter((method) => !value[switches[method]]);
  // Pins before tokens, as in every other transaction, so that no two wait for each other.
  for (const method of disabled) {
    if (method !== ResetMethod.questions) await pins.revoke(tx, 'reset-password', { ending: subjectEnding[method] });
  }
  for (const method of disabled) await oneTimeSecrets.revokeOfMethod(tx, method);
}
