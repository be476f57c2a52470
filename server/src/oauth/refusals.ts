// Refusals of the endpoints of OAuth, as its standards spell them.
import type { FastifyReply } from 'fastify';
import { OAuthError } from './oauth-error.ts';

/** Answers a refusal as RFC 6749 (5.2) and RFC 6750 (3) spell it. */
export async function refuseByStandard(reply: FastifyReply, answer: () => Promise<unknown>): Promise<unknown> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const { code, description, status, retryAfterSeconds } = error;
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
    if (code === 'invalid_client') reply.header('www-authenticate', 'Basic realm="Latchkey", charset="UTF-8"');
    if (code === 'invalid_token' || code === 'insufficient_scope') {
      reply.header('www-authenticate', `Bearer realm="Latchkey", error="${code}", error_description="${description}"`);
    }
    return reply.code(status).send({ error: code, error_description: description });
  }
}
