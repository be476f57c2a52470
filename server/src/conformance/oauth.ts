// RFC 9700, the best current practice for OAuth 2.0, and the mandatory features of OpenID Connect Core 1.0.
import type { Requirement, Standard } from './requirement.ts';

const practice: readonly Requirement[] = [
  {
    id: '2.1',
    level: 'MUST',
    text: 'Redirect URIs are compared as exact strings, apart from the port of native applications on this machine.',
    held: [
      'src/applications/application › are compared as exact strings',
      'src/applications/application › of native applications on a loopback host match with any port',
    ],
  },
  {
    id: '2.1',
    level: 'MUST',
    text: 'No address forwards the browser to where a parameter says.',
    held: [
      'attacks/sign-in-to-applications › a redirect URI that is nearly registered gets a page, and no redirect',
      'e2e/sign-in › leads to no other site, also at once where a person is signed in',
      'sdk/src/local-path › is refused if it leads to another site, or may for its next reader',
    ],
  },
  {
    id: '2.1',
    level: 'MUST',
    text: 'As a client, the service prevents forged answers.',
    held: ['attacks/openid-code-flow › works only in the browser that began, and stays usable there'],
  },
  {
    id: '2.1',
    level: 'MUST',
    text: 'As a client of several servers, the service resists mix-up.',
    held: [
      'attacks/openid-code-flow › must name its issuer, exactly, if the provider says that it does (RFC 9207)',
      'e2e/mix-up › receives no answer of the other one, …',
    ],
  },
  {
    id: '2.1.1',
    level: 'MUST',
    text: 'Public clients use PKCE.',
    held: [
      'src/applications/application › refuse what would weaken them',
      'src/applications/application › allow their defaults',
    ],
  },
  {
    id: '2.1.1',
    level: 'SHOULD',
    text: 'Confidential clients use PKCE. With a nonce instead, it is theirs to check.',
    held: ['attacks/sign-in-to-applications › a verifier without a challenge is a downgrade, and plain is none'],
    yours:
      'Choose that PKCE is required for each application that can do it. By default a `web` application may send a nonce instead.',
  },
  {
    id: '2.1.1',
    level: 'MUST',
    text: 'The server supports PKCE, enforces the verifier, refuses downgrades, and says what it supports.',
    held: [
      'attacks/sign-in-to-applications › a code is for its client, redirect URI and verifier',
      'attacks/sign-in-to-applications › a verifier without a challenge is a downgrade, and plain is none',
      'scenarios/discovery › names each endpoint, and what the service supports',
    ],
  },
  {
    id: '2.1.1',
    level: 'SHOULD',
    text: 'Constant challenges and nonces are found.',
    notHeld: 'The service does not compare them over requests.',
  },
  {
    id: '2.1.2',
    level: 'SHOULD',
    text: 'No access token is in a redirect.',
    held: ['scenarios/standards › has neither the implicit flow, nor the hybrid flow, nor the grant of a password'],
  },
  {
    id: '2.2.1',
    level: 'SHOULD',
    text: 'Access tokens are bound to their sender.',
    notHeld:
      'Access tokens are bearer tokens, valid for ten minutes by default. The service supports neither DPoP nor certificates of clients.',
  },
  {
    id: '2.2.2',
    level: 'MUST',
    text: 'Refresh tokens of public clients are bound or rotated.',
    held: [
      'scenarios/sign-in-to-applications › exchanges a refresh token once, and for 30 seconds again for the same next one',
      'attacks/sign-in-to-applications › a refresh token is for its client, and made-up ones end nothing',
    ],
  },
  {
    id: '2.3',
    level: 'SHOULD',
    text: 'An access token is for one resource server, and for the scopes that it needs.',
    held: [
      'scenarios/tokens-of-applications › passes forward-auth for the audience that the address demands, and nowhere else',
      'src/tokens/application-tokens › is known by its scope, whatever its other claims, and lacks none',
    ],
  },
  {
    id: '2.4',
    level: 'MUST',
    text: 'The grant of a password is not used.',
    held: ['scenarios/standards › has neither the implicit flow, nor the hybrid flow, nor the grant of a password'],
  },
  {
    id: '2.5',
    level: 'SHOULD',
    text: 'Clients authenticate where they can, best with keys.',
    held: [
      'attacks/sign-in-to-applications › of many uses of a client assertion one counts',
      'attacks/sign-in-to-applications › failed authentications of a client are bounded by address',
    ],
    yours: 'Choose `private_key_jwt` for applications that can do it. The default is a client secret.',
  },
  {
    id: '2.6',
    level: 'SHOULD',
    text: 'The server publishes its metadata.',
    held: ['scenarios/discovery › is the same in the document of OAuth'],
  },
  {
    id: '2.6',
    level: 'SHOULD',
    text: 'No client has an id that can be taken for that of a person.',
    held: [
      'src/applications/application › refuse what would weaken them',
      'scenarios/tokens-of-applications › refuses a client id that would be taken for a service key',
    ],
  },
  {
    id: '2.6',
    level: 'MUST',
    text: 'Redirect URIs with http are refused, apart from this machine.',
    held: [
      'src/applications/application › are https, or http on a loopback host; those of native applications may have a scheme with a dot',
    ],
    notHeld: 'The service accepts http on this machine for the kinds `web` and `browser` too, for developers.',
  },
  {
    id: '2.6',
    level: 'MUST',
    text: 'Pages of other origins cannot read the authorization endpoint.',
    held: ['attacks/application-origins › open no other call, and no stranger gets an answer'],
  },
  {
    id: '4.2.4',
    level: 'SHOULD',
    text: 'Pages of the sign-in load nothing of others, and tell no address in the referrer.',
    held: ['attacks/headers › load only their own files, and cannot be framed'],
  },
  {
    id: '4.11.2',
    level: 'MUST',
    text: 'The server redirects an error only to a registered address.',
    held: ['attacks/sign-in-to-applications › a redirect URI that is nearly registered gets a page, and no redirect'],
  },
  {
    id: '4.12',
    level: 'MUST',
    text: 'No redirect repeats a form with credentials: 303, and not 307.',
    held: [
      'attacks/sign-in-to-applications › strange parameters are refused by the standard',
      'attacks/sign-in-to-applications › of many uses of a pushed request, and of many answers to one that waits, one counts',
    ],
  },
  {
    id: '4.13',
    level: 'MUST',
    text: 'A proxy that ends TLS removes headers that it sets itself.',
    held: [
      'attacks/rate-limits › use the right-most untrusted hop of a trusted proxy',
      'attacks/rate-limits › ignore forwarding headers of an untrusted client, and log one warning',
    ],
    yours: 'Use a proxy that sets the forwarding headers itself, and name it in `LATCHKEY_TRUSTED_PROXIES`.',
  },
  {
    id: '4.14.2',
    level: 'MUST',
    text: 'Refresh tokens keep scope and resource of the consent.',
    held: ['attacks/sign-in-to-applications › a refresh token is for its client, and made-up ones end nothing'],
  },
  {
    id: '4.14.2',
    level: 'MUST',
    text: 'A replayed refresh token of a public client ends the grant.',
    held: [
      'scenarios/sign-in-to-applications › exchanges a refresh token once, and for 30 seconds again for the same next one',
    ],
    notHeld:
      'Within 30 seconds a replay gets the same next token, for answers that were lost, unless that token was used.',
  },
  {
    id: '4.14.2',
    level: 'SHOULD',
    text: 'Refresh tokens end when the password changes, at the sign-out, and when they are not used.',
    held: [
      'attacks/token-endings › … is in the feed',
      'scenarios/standards › ends a refresh token when its session has lasted for its time',
    ],
    notHeld: 'A refresh token that is not used stays valid until its session ends.',
  },
  {
    id: '4.16',
    level: 'MUST',
    text: 'The pages of the sign-in cannot be framed.',
    held: [
      'attacks/headers › load only their own files, and cannot be framed',
      'attacks/headers › let no page frame it, and … browsers at https, at …',
    ],
  },
  {
    id: '4.17',
    level: 'MUST',
    text: 'Messages between windows check sender and receiver.',
    absent: 'The service answers by redirects and forms, and not by messages between windows.',
  },
];

export const bestPractice: Standard = {
  name: 'RFC 9700',
  short: 'RFC 9700',
  source: 'https://www.rfc-editor.org/rfc/rfc9700.html',
  chapters: [{ title: 'Best current practice for OAuth 2.0', requirements: practice }],
};

const mandatory: readonly Requirement[] = [
  {
    id: '15.1',
    level: 'MUST',
    text: 'ID tokens are signed with RS256.',
    held: [
      'src/tokens/id-tokens › in … is verified by a stock library, and by the service for its type alone',
      'scenarios/sign-in-to-applications › gives a code, and for it tokens of the scopes that were asked',
    ],
  },
  {
    id: '15.1',
    level: 'MUST',
    text: 'The parameter `prompt` works.',
    held: [
      'scenarios/standards › asks nobody who may not be asked, and asks again who must sign in again',
      'scenarios/sign-in-to-applications › asks a person who must agree',
    ],
  },
  {
    id: '15.1',
    level: 'MUST',
    text: 'The parameter `display` causes no error.',
    held: [
      'scenarios/standards › accepts display, ui_locales, claims_locales and acr_values of values that it does not know',
    ],
  },
  {
    id: '15.1',
    level: 'MUST',
    text: 'The parameters `ui_locales` and `claims_locales` cause no error.',
    held: [
      'scenarios/standards › accepts display, ui_locales, claims_locales and acr_values of values that it does not know',
      'e2e/sign-in-to-applications › speaks the first language that the application asks for and the pages have, unless the reader has chosen one',
    ],
  },
  {
    id: '15.1',
    level: 'MUST',
    text: 'ID tokens tell the time of the authentication in `auth_time`.',
    held: ['scenarios/standards › asks again after max_age, and tells the time of the authentication'],
  },
  {
    id: '15.1',
    level: 'MUST',
    text: 'The parameter `max_age` demands a new sign-in.',
    held: ['scenarios/standards › asks again after max_age, and tells the time of the authentication'],
  },
  {
    id: '15.1',
    level: 'MUST',
    text: 'The parameter `acr_values` causes no error.',
    held: [
      'scenarios/standards › accepts display, ui_locales, claims_locales and acr_values of values that it does not know',
      'e2e/sign-in-to-applications › asks for a second factor: the one of the account, or a new one',
    ],
  },
];

export const openid: Standard = {
  name: 'OpenID Connect Core 1.0',
  short: 'OpenID',
  source: 'https://openid.net/specs/openid-connect-core-1_0.html#ServerMTI',
  chapters: [{ title: 'Mandatory features of all OpenID providers', requirements: mandatory }],
};
