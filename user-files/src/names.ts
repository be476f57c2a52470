// The names of the systems whose files can be imported.

export const formatNames = [
  'auth0',
  'firebase',
  'keycloak',
  'django',
  'laravel',
  'wordpress',
  'supabase',
  'better-auth',
  'okta',
  'entra',
  'cognito',
  'abp',
  'latchkey',
] as const;

export type FormatName = (typeof formatNames)[number];
