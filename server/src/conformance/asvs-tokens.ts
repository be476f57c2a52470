// OWASP ASVS 5.0, V9 and V10: self-contained tokens, OAuth and OpenID Connect.
import type { Requirement } from './requirement.ts';

const integrity: readonly Requirement[] = [
  {
    id: 'V9.1.1',
    level: 'L1',
    text: 'The signature of a token is verified before its content counts.',
    held: ['attacks/tokens › are refused without a signature or with an invalid one'],
  },
  {
    id: 'V9.1.2',
    level: 'L1',
    text: 'Only listed algorithms make and verify tokens, and `none` is not among them.',
    held: [
      'attacks/tokens › are refused when another key or algorithm signed them',
      'attacks/tokens › are refused with any other header, also when our own key signed them',
    ],
  },
  {
    id: 'V9.1.3',
    level: 'L1',
    text: 'Keys come from trusted places, and never from where a token says.',
    held: [
      'attacks/tokens › make the service open no connection',
      'attacks/keys › sign nothing that is accepted here, with the same secret or another',
    ],
  },
];

const content: readonly Requirement[] = [
  {
    id: 'V9.2.1',
    level: 'L1',
    text: 'A token counts within its time only.',
    held: ['attacks/tokens › are refused from the second of `exp`, and before the second of `nbf`'],
  },
  {
    id: 'V9.2.2',
    level: 'L2',
    text: 'A token of another type or purpose does not count.',
    held: [
      'src/tokens/application-tokens › opens no session, and no token of a session, no ID token and no logout token passes for it',
      'attacks/id-token-keys › make no token that the API accepts, in either algorithm',
    ],
  },
  {
    id: 'V9.2.3',
    level: 'L2',
    text: 'A service accepts tokens for itself only.',
    held: [
      'attacks/application-tokens › opens no call of the API, and ends nothing',
      'scenarios/verifier › accepts tokens of applications for its audience alone, until their grant ends, and no ID token',
    ],
  },
  {
    id: 'V9.2.4',
    level: 'L2',
    text: 'Tokens of one key for several audiences name theirs, and no audience can pass for another.',
    held: [
      'attacks/sign-in-to-applications › the audience of the own tokens is no name of an application',
      'src/tokens/application-tokens › has the claims of its grant, and is verified by a stock library',
    ],
  },
];

const generic: readonly Requirement[] = [
  {
    id: 'V10.1.1',
    level: 'L2',
    text: 'Tokens reach only the parts that need them.',
    held: [
      'scenarios/sessions-of-applications › keep the token in a cookie that scripts cannot read, and say who is signed in',
    ],
    notHeld: 'The pages of the service are an application in the browser, which holds its token there.',
  },
  {
    id: 'V10.1.2',
    level: 'L2',
    text: 'A client accepts an answer only if the same browser began the request, tied by secrets that cannot be guessed.',
    held: [
      'attacks/openid-code-flow › works only in the browser that began, and stays usable there',
      'attacks/openid-code-flow › cannot carry a stolen code into another request: the provider and the nonce refuse',
    ],
  },
];

const clients: readonly Requirement[] = [
  {
    id: 'V10.2.1',
    level: 'L2',
    text: 'The code flow of a client resists forged requests, by PKCE or state.',
    held: [
      'scenarios/openid-code-flow › requests a code with state, nonce and an S256 challenge, and tells the browser no verifier',
    ],
  },
  {
    id: 'V10.2.2',
    level: 'L2',
    text: 'A client of several providers resists mix-up.',
    held: [
      'attacks/openid-code-flow › goes to the provider of the request alone: mix-up',
      'attacks/openid-code-flow › must name its issuer, exactly, if the provider says that it does (RFC 9207)',
      'e2e/mix-up › cannot have the answer returned to its own address',
    ],
  },
  {
    id: 'V10.2.3',
    level: 'L3',
    text: 'A client asks for the scopes that it needs, and no more.',
    held: ['scenarios/external-providers › have the least that their type needs, and the usual for all else'],
  },
];

const resources: readonly Requirement[] = [
  {
    id: 'V10.3.1',
    level: 'L2',
    text: 'A resource server accepts access tokens that are meant for it.',
    held: [
      'scenarios/verifier › accepts tokens of applications for its audience alone, until their grant ends, and no ID token',
      'scenarios/tokens-of-applications › passes forward-auth for the audience that the address demands, and nowhere else',
    ],
  },
  {
    id: 'V10.3.2',
    level: 'L2',
    text: 'A resource server decides by the claims that delegate, such as scope.',
    held: [
      'attacks/application-tokens › opens no call of the API, and ends nothing',
      'scenarios/tokens-of-applications › tells no more than the scopes, and nothing to who has not proven who it is',
    ],
    yours: 'Your APIs decide by `scope`: introspection and the verifier tell it.',
  },
  {
    id: 'V10.3.3',
    level: 'L2',
    text: 'People are known by claims that never pass to another person, such as iss with sub.',
    held: [
      'attacks/import-races › give the id of a deleted account to nobody, also while it is deleted or erased',
      'attacks/roles › a deleted role is taken from its holders, who do not get a later role of its name',
    ],
  },
  {
    id: 'V10.3.4',
    level: 'L2',
    text: 'Where a strength or age of the sign-in is demanded, the token is checked for it.',
    held: [
      'scenarios/forward-auth › steps up: 401 until the caller has given a second factor',
      'scenarios/verifier-server › demands a role and a level',
    ],
  },
  {
    id: 'V10.3.5',
    level: 'L3',
    text: 'Stolen access tokens are useless: they are bound to their sender.',
    notHeld: 'Access tokens are bearer tokens. The service supports neither DPoP nor certificates of clients.',
  },
];

const server: readonly Requirement[] = [
  {
    id: 'V10.4.1',
    level: 'L1',
    text: 'Redirect URIs are compared with those of the client, as exact strings.',
    held: [
      'src/applications/application › are compared as exact strings',
      'attacks/sign-in-to-applications › a redirect URI that is nearly registered gets a page, and no redirect',
    ],
  },
  {
    id: 'V10.4.2',
    level: 'L1',
    text: 'A code works once, and a second use ends what the first one gave.',
    held: [
      'scenarios/sign-in-to-applications › ends what a code has given when it comes again',
      'attacks/sign-in-to-applications › of many redemptions of one code at most one gets tokens, and they end',
    ],
  },
  {
    id: 'V10.4.3',
    level: 'L1',
    text: 'A code lasts ten minutes at most, and one minute at L3.',
    held: ['attacks/sign-in-to-applications › of many redemptions of a code with offline access no session is left'],
  },
  {
    id: 'V10.4.4',
    level: 'L1',
    text: 'A client uses only the grants that it needs. Implicit and password grants are gone.',
    held: [
      'src/applications/application › refuse what would weaken them',
      'scenarios/standards › has neither the implicit flow, nor the hybrid flow, nor the grant of a password',
    ],
  },
  {
    id: 'V10.4.5',
    level: 'L1',
    text: 'Replayed refresh tokens of public clients are found, and end all tokens of the grant.',
    held: [
      'scenarios/sign-in-to-applications › exchanges a refresh token once, and for 30 seconds again for the same next one',
      'attacks/sign-in-to-applications › of many refreshes with one token all get the same next one, which works once',
    ],
    notHeld:
      'Within 30 seconds a replay gets the same next token, for answers that were lost, unless that token was used.',
  },
  {
    id: 'V10.4.6',
    level: 'L2',
    text: 'PKCE is required, with S256, and its verifier is checked.',
    held: [
      'attacks/sign-in-to-applications › a code is for its client, redirect URI and verifier',
      'attacks/sign-in-to-applications › a verifier without a challenge is a downgrade, and plain is none',
    ],
    notHeld:
      'Applications of the kinds `web` and `machine` may send a nonce instead, until you choose that PKCE is required.',
  },
  {
    id: 'V10.4.7',
    level: 'L2',
    text: 'Clients that register themselves are contained.',
    absent: 'Only administrators register applications.',
  },
  {
    id: 'V10.4.8',
    level: 'L2',
    text: 'Refresh tokens end at a fixed time.',
    held: [
      'scenarios/sign-in-to-applications › lets a person through who is signed in, until the session ends',
      'scenarios/standards › ends a refresh token when its session has lasted for its time',
    ],
  },
  {
    id: 'V10.4.9',
    level: 'L2',
    text: 'A person can revoke refresh tokens on the pages of the service.',
    held: [
      'scenarios/sign-in-to-applications › ends with the session in which it was given, and survives a sign-off with offline_access',
      'e2e/sign-in-to-applications › asks once what is shared, refuses, and asks again after it was withdrawn',
    ],
  },
  {
    id: 'V10.4.10',
    level: 'L2',
    text: 'A confidential client authenticates at each endpoint that it calls.',
    held: [
      'attacks/sign-in-to-applications › a code is for its client, redirect URI and verifier',
      'attacks/sign-in-to-applications › failed authentications of a client are bounded by address',
    ],
    notHeld: 'Revocation takes a token from every caller who has it.',
  },
  {
    id: 'V10.4.11',
    level: 'L2',
    text: 'A client may ask only the scopes that it needs.',
    held: [
      'scenarios/tokens-of-applications › tells no more than the scopes, and nothing to who has not proven who it is',
    ],
    yours: 'An application may ask all standard scopes until you choose fewer.',
  },
  {
    id: 'V10.4.12',
    level: 'L3',
    text: 'A client uses only the response mode that it needs.',
    notHeld: 'Each application may ask for `query` or `form_post`.',
  },
  {
    id: 'V10.4.13',
    level: 'L3',
    text: 'The code flow always begins with a pushed request.',
    held: [
      'attacks/sign-in-to-applications › of many uses of a pushed request, and of many answers to one that waits, one counts',
    ],
    notHeld: 'Pushed requests are supported, and cannot be required.',
  },
  {
    id: 'V10.4.14',
    level: 'L3',
    text: 'Access tokens are bound to their sender.',
    notHeld: 'Access tokens are bearer tokens. The service supports neither DPoP nor certificates of clients.',
  },
  {
    id: 'V10.4.15',
    level: 'L3',
    text: 'The details of an authorization come from the server of the client.',
    absent: 'The service reads no `authorization_details`.',
  },
  {
    id: 'V10.4.16',
    level: 'L3',
    text: 'Clients are confidential and authenticate with keys.',
    held: [
      'attacks/sign-in-to-applications › of many uses of a client assertion one counts',
      'src/applications/application › are strong, and public',
    ],
    notHeld:
      'It is a choice for each application: `private_key_jwt`. Public applications and client secrets are allowed.',
  },
];

const relyingParty: readonly Requirement[] = [
  {
    id: 'V10.5.1',
    level: 'L2',
    text: 'A replayed ID token is refused, by its nonce.',
    held: ['attacks/openid › a missing or different nonce: 401'],
  },
  {
    id: 'V10.5.2',
    level: 'L2',
    text: 'A person is known by a claim that never passes to another one, such as sub.',
    held: [
      'attacks/openid › userinfo with another, an empty or no subject: 502',
      'scenarios/external-providers › warn of a key that changes, and of a maker that has a type of its own',
    ],
  },
  {
    id: 'V10.5.3',
    level: 'L2',
    text: 'Metadata that name another issuer are refused.',
    held: ['attacks/sign-in-pages › of another issuer: 502'],
  },
  {
    id: 'V10.5.4',
    level: 'L2',
    text: 'An ID token for another client is refused.',
    held: [
      'attacks/openid › ID token: …: 502',
      'attacks/openid-code-flow › cannot carry a code of another client or redirect URI',
    ],
  },
  {
    id: 'V10.5.5',
    level: 'L2',
    text: 'A client that is told of sign-outs checks type, event and absence of a nonce.',
    absent: 'The service takes no sign-outs of external providers. It sends some to applications.',
  },
];

const provider: readonly Requirement[] = [
  {
    id: 'V10.6.1',
    level: 'L2',
    text: 'A provider answers by code, and never with a token in the redirect.',
    held: [
      'scenarios/discovery › names each endpoint, and what the service supports',
      'scenarios/standards › has neither the implicit flow, nor the hybrid flow, nor the grant of a password',
    ],
  },
  {
    id: 'V10.6.2',
    level: 'L2',
    text: 'Nobody is signed out by the request of another site.',
    held: [
      'attacks/sign-in-to-applications › a sign-out that another site posts loses no cookie, and asks',
      'e2e/sign-in-to-applications › signs out: with the hint at once, else after a question, and drops the token of this service',
    ],
  },
];

const consent: readonly Requirement[] = [
  {
    id: 'V10.7.1',
    level: 'L2',
    text: 'A person consents to each authorization, always if the client may be another one.',
    held: [
      'e2e/sign-in-to-applications › asks once what is shared, refuses, and asks again after it was withdrawn',
      'e2e/sign-in-to-applications › connects a device after an explicit question, and never by a link alone',
    ],
    notHeld:
      'Applications ask nobody by default, because an administrator registers them. *Ask each person once* asks the first time. Devices always ask. On a device, another program can take the loopback address or the scheme of a native application, and gets a code of a person who is signed in and opens its link.',
  },
  {
    id: 'V10.7.2',
    level: 'L2',
    text: 'The question names the application, what it gets, and for how long.',
    held: [
      'scenarios/sign-in-to-applications › asks a person who must agree',
      'e2e/sign-in-to-applications › asks once what is shared, refuses, and asks again after it was withdrawn',
    ],
  },
  {
    id: 'V10.7.3',
    level: 'L2',
    text: 'A person can see, change and revoke consents.',
    held: ['e2e/sign-in-to-applications › asks once what is shared, refuses, and asks again after it was withdrawn'],
    notHeld: 'A consent can be seen and withdrawn as a whole, not changed.',
  },
];

export const tokens = [
  { title: 'V9.1 Source and integrity of tokens', requirements: integrity },
  { title: 'V9.2 Content of tokens', requirements: content },
  { title: 'V10.1 OAuth and OpenID Connect in general', requirements: generic },
  { title: 'V10.2 OAuth clients: sign-in with external providers', requirements: clients },
  { title: 'V10.3 Resource servers', requirements: resources },
  { title: 'V10.4 Authorization server', requirements: server },
  { title: 'V10.5 OpenID clients: sign-in with external providers', requirements: relyingParty },
  { title: 'V10.6 OpenID provider', requirements: provider },
  { title: 'V10.7 Consent', requirements: consent },
] as const;
