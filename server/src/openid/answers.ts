// Answers to authorization requests: redirects to the application, or a form that the browser posts to it.
import { addSeconds, type Clock, toInstant } from '../foundation/clock.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { OAuthErrorCode } from '../oauth/index.ts';
import type { ReturnAddress } from './request.ts';

/** How long the page that posts an answer may take to load, in seconds. */
const POST_SECONDS = 60;
const LABEL = 'form-post';

/** The members of an answer: a code, or an error (RFC 6749, 4.1.2). The service adds `state` and `iss` (RFC 9207). */
export type AnswerMembers =
  | { readonly code: string }
  | { readonly error: OAuthErrorCode; readonly error_description?: string };

/** A form that the browser posts to the application (OAuth 2.0 Form Post Response Mode). */
export type PostedAnswer = Pick<ReturnAddress, 'redirectUri' | 'uiLocales'> & {
  readonly members: Readonly<Record<string, string>>;
};

export interface Answers {
  /** Returns the address at which the browser gives the answer: the application's, or of a page that posts the form. */
  toAddress(address: ReturnAddress, members: AnswerMembers): string;
  /** Returns what the page posts, or `undefined` for what this service has not made, or has made too long ago. */
  readPosted(sealed: string): PostedAnswer | undefined;
}

export function createAnswers({ issuer, secrets, clock }: { issuer: string; secrets: Secrets; clock: Clock }): Answers {
  return {
    toAddress({ redirectUri, mode, state, uiLocales }, members) {
      const all = { ...members, ...(state !== null && { state }), iss: issuer };
      if (mode === 'query') return addQuery(redirectUri, all);
      const expiresAt = addSeconds(clock.now(), POST_SECONDS);
      const sealed = secrets.seal(LABEL, JSON.stringify({ redirectUri, members: all, uiLocales, expiresAt }));
      return addQuery(`${issuer}/oauth/answer`, { answer: sealed });
    },
    readPosted(sealed) {
      try {
        const { expiresAt, ...answer } = JSON.parse(secrets.unseal(LABEL, sealed));
        return toInstant(expiresAt) > clock.now() ? answer : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

/** Adds members to the query of a URI, and changes nothing else of it: applications compare it as a text. */
export function addQuery(uri: string, members: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(members).toString();
  return query === '' ? uri : `${uri}${uri.includes('?') ? '&' : '?'}${query}`;
}
