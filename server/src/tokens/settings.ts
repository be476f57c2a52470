// The settings of tokens and sessions: their lifetimes and the audience.
import { Type } from 'typebox';
import { defineSetting, Seconds, type Warning } from '../foundation/setting.ts';

/** The longest lifetime of a token, in seconds. A key that no longer signs must verify tokens for this long. */
export const MAX_TOKEN_LIFETIME_SECONDS = 2_073_600;

const longSession: Warning = {
  above: 30 * 86_400,
  text: 'A stolen token can be refreshed for more than 30 days, without a new sign-in.',
  source: 'OWASP ASVS 7.3.2, NIST SP 800-63B-4 2.1.3',
};

export const tokenSettings = defineSetting({
  name: 'Latchkey.Tokens',
  scope: 'general',
  category: 'Security',
  label: 'Tokens and sessions',
  description: 'How long tokens and sessions last. A change applies to new tokens.',
  kind: 'compound',
  order: 30,
  public: false,
  schema: Type.Object({
    accessTokenLifetime: Seconds({
      title: 'Access token lifetime',
      description: 'How long a token is valid. Clients refresh it before it expires, while the session is in use.',
      minimum: 60,
      maximum: MAX_TOKEN_LIFETIME_SECONDS,
    }),
    sessionLifetime: Seconds({
      title: 'Session lifetime',
      description: 'How long after a sign-in clients can refresh its tokens.',
      minimum: 300,
      maximum: 31_536_000,
      'x-warning': longSession,
    }),
    audience: Type.String({
      title: 'Audience',
      description: 'The aud claim of new tokens. Services that verify tokens check it.',
      minLength: 1,
      maxLength: 200,
      pattern: '^[!-~]+$',
    }),
    headerType: Type.Enum(['at+jwt', 'JWT'], {
      title: 'Header type',
      description:
        'The typ header of tokens. Choose JWT only if your verifiers refuse at+jwt. A change applies after the next ' +
        'start of the service, because each signing key has one type. Older tokens stay valid.',
    }),
  }),
  default: { accessTokenLifetime: 86_400, sessionLifetime: 2_592_000, audience: 'latchkey', headerType: 'at+jwt' },
});
