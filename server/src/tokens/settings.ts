// How long tokens and sessions last, and for whom tokens are meant.
import { Type } from 'typebox';
import { defineSetting } from '../foundation/setting.ts';

/** Longest time that a token can live, in seconds: so long a key that no longer signs must still verify. */
export const MAX_TOKEN_LIFETIME_SECONDS = 2_073_600;

export const tokenSettings = defineSetting({
  name: 'Latchkey.Tokens',
  scope: 'general',
  category: 'Security',
  label: 'Tokens and sessions',
  description: 'How long a sign-in lasts. A change applies to tokens that are issued from then on.',
  kind: 'compound',
  order: 30,
  public: false,
  schema: Type.Object({
    accessTokenLifetime: Type.Integer({
      title: 'Access token lifetime',
      description: 'How long a token is valid before it must be refreshed.',
      minimum: 60,
      maximum: MAX_TOKEN_LIFETIME_SECONDS,
      'x-unit': 's',
    }),
    sessionLifetime: Type.Integer({
      title: 'Session lifetime',
      description: 'How long after the sign-in tokens can be refreshed.',
      minimum: 300,
      maximum: 31_536_000,
      'x-unit': 's',
    }),
    audience: Type.String({
      title: 'Audience',
      description: 'The aud claim of new tokens: services that verify tokens expect it.',
      minLength: 1,
      maxLength: 200,
      pattern: '^[!-~]+$',
    }),
  }),
  default: { accessTokenLifetime: 86_400, sessionLifetime: 2_592_000, audience: 'latchkey' },
});
