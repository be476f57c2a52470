// The status of a refused proof, which clients expect in place of 401.
import { AuthError } from '../foundation/errors.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { compatibilitySetting } from '../settings/index.ts';
import { tokenErrors } from '../tokens/index.ts';

const tokenReasons = new Set(Object.values(tokenErrors).map(({ reason }) => reason));

/** Returns the status of a refused sign-in: 401, or 400 for clients that reload their page at every 401. */
export const readSignInStatus = (settings: SettingReader) => settings.read(compatibilitySetting).refusedSignInStatus;

/**
 * Awaits a verification. Refuses a wrong or locked proof with this status, and an invalid token with 401 as always. A proof of a
 * signed-in caller is refused with 400, because clients sign off at 401.
 */
export async function refuseWith<Result>(status: 400 | 401, verification: Promise<Result>): Promise<Result> {
  try {
    return await verification;
  } catch (error) {
    const isProof = error instanceof AuthError && error.status === 401 && !tokenReasons.has(error.reason);
    throw isProof ? error.withStatus(status) : error;
  }
}
