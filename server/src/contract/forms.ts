// Forms: the bodies of calls by the standards of OAuth (RFC 6749, appendix B).
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requestErrors } from '../foundation/errors.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Makes the bodies of requests to this part of the server forms, and refuses all others. */
export function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(FORM, { parseAs: 'string' }, async (_request: FastifyRequest, body: string) => {
    return new URLSearchParams(body);
  });
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => {
    if (body.length > 0) throw requestErrors.invalid({ details: `Send a form, as ${FORM}.` });
    return undefined;
  });
}

/** Returns the form of a request; without a body an empty one. */
export const readForm = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();
