// Switching a method off ends what it has out, so that nothing of it comes back when it is switched on again.
import type { Pins } from '../pins/index.ts';
import type { Tx } from '../storage/database.ts';
import { ResetMethod, resetMethods, switches } from './method.ts';
import { subjectEnding } from './recipient-resolver.ts';
import type { ResetTokens } from './reset-tokens.ts';

/** In the transaction that changes the Security Settings: ends links, pins and tokens of the methods that are off. */
export async function endSwitchedOff(
  tx: Tx,
  value: Readonly<Record<(typeof switches)[ResetMethod], boolean>>,
  { pins, tokens }: { pins: Pins; tokens: ResetTokens },
): Promise<void> {
  const closed = resetMethods.filter((method) => !value[switches[method]]);
  // Pins before tokens, as in every other transaction, so that no two wait for each other.
  for (const method of closed) {
    if (method !== ResetMethod.questions) await pins.revoke(tx, 'reset-password', { ending: subjectEnding[method] });
  }
  for (const method of closed) await tokens.revokeOfMethod(tx, method);
}
