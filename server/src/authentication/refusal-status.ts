// The status of a refused proof of a signed-in caller: 400, because clients sign off at 401.
import { AuthError } from '../foundation/errors.ts';
import { tokenErrors } from '../tokens/index.ts';

const tokenReasons = new Set(Object.values(tokenErrors).map(({ reason }) => reason));

/** Awaits a verification. Refuses a wrong or locked proof with 400, and an invalid token with 401 as always. */
export async function refuseWith400<Result>(verification: Promise<Result>): Promise<Result> {
  try {
    return await verification;
  } catch (error) {
    const isProof = error instanceof AuthError && error.status === 401 && !tokenReasons.has(error.reason);
    throw isProof ? error.withStatus(400) : error;
  }
}
