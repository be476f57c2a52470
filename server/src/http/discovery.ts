// Discovery: what clients and verifiers read of the service (OpenID Connect Discovery 1.0, 3; RFC 8414, 2).
import { GRANT_TYPES, ID_TOKEN_ALGORITHMS, STANDARD_SCOPES } from '../applications/index.ts';
import { ASSERTION_ALGORITHMS } from '../oauth/index.ts';

/** How applications authenticate (OpenID Connect Core, 9). `none` is for public ones. */
const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'];

const CLAIMS = [
  ...['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'amr', 'azp', 'sid', 'at_hash'],
  ...['name', 'given_name', 'family_name', 'preferred_username', 'updated_at'],
  ...['email', 'email_verified', 'phone_number', 'phone_number_verified', 'roles', 'groups'],
];

/** Returns the metadata, which both documents have. They are there before the first application is registered. */
export const discoveryOf = (issuer: string) => ({
  issuer,
  jwks_uri: `${issuer}/.well-known/jwks.json`,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  userinfo_endpoint: `${issuer}/oauth/userinfo`,
  end_session_endpoint: `${issuer}/oauth/end-session`,
  pushed_authorization_request_endpoint: `${issuer}/oauth/par`,
  device_authorization_endpoint: `${issuer}/oauth/device-authorization`,
  introspection_endpoint: `${issuer}/oauth/introspect`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  response_types_supported: ['code'],
  response_modes_supported: ['query', 'form_post'],
  grant_types_supported: GRANT_TYPES,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ID_TOKEN_ALGORITHMS,
  token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
  token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  // The user name `service`, with the key as password, is that of a service key. `Bearer` is the key as a bearer token.
  introspection_endpoint_auth_methods_supported: [
    'client_secret_basic',
    'Bearer',
    'client_secret_post',
    'private_key_jwt',
  ],
  introspection_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  code_challenge_methods_supported: ['S256'],
  scopes_supported: STANDARD_SCOPES,
  claims_supported: CLAIMS,
  acr_values_supported: ['aal1', 'aal2'],
  // Those that the pages come with. A build of the pages may have more.
  ui_locales_supported: ['en', 'de', 'fr'],
  prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
  // Only addresses that `pushed_authorization_request_endpoint` has given.
  request_uri_parameter_supported: false,
  authorization_response_iss_parameter_supported: true,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
});
