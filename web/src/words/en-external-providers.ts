// The texts of the pages of external providers in English.
import type { Calls } from 'latchkey-sdk';

type TypeName = Calls['ExternalProvider/GetAll']['result']['items'][number]['type'];

/** What the reader calls a type, unless its maker's name is the same in all languages. */
const types: Readonly<{ [Name in TypeName]?: string }> = {
  oidc: 'Any OpenID provider',
  oauth2: 'Any OAuth 2 provider',
};

/** What to do at the provider, in order. */
const steps: Readonly<Record<TypeName, Readonly<Record<string, string>>>> = {
  google: {
    1: 'Open the Google Cloud console, and choose a project or create one.',
    2: 'Open "Google Auth Platform". At the first time, fill in "Branding", and choose under "Audience" who may sign in: "Internal" for your Workspace alone, or "External".',
    3: 'Under "Clients", choose "Create client" and the type "Web application".',
    4: 'Under "Authorized redirect URIs", add the redirect URI that stands above.',
    5: 'Choose "Create". Copy the client ID and the client secret here. Google shows the secret only then.',
  },
  microsoft: {
    1: 'Open the Microsoft Entra admin center. Under "Entra ID", open "App registrations", and choose "New registration".',
    2: 'Choose the accounts of this organizational directory only. One provider here is for one directory.',
    3: 'Under "Redirect URI", choose "Web", and paste the redirect URI that stands above. Choose "Register".',
    4: 'Copy the "Application (client) ID" and the "Directory (tenant) ID" here.',
    5: 'Under "Certificates & secrets", choose "New client secret". Copy its value here, not its id, and write its last day under "More settings".',
    6: 'Entra does not say whether an address is verified. To let new people register, add the optional claim xms_edov to the ID token under "Token configuration", or choose under "More settings" to trust all addresses.',
  },
  github: {
    1: 'Open "Developer settings" of your account at GitHub, or of your organization, and there "OAuth Apps".',
    2: 'Choose "New OAuth app". Write a name, and the address of this service as "Homepage URL".',
    3: 'Paste the redirect URI that stands above as "Authorization callback URL". Choose "Register application".',
    4: 'Copy the client ID here. Choose "Generate a new client secret", and copy it here too.',
  },
  gitlab: {
    1: 'Open "Applications" in the preferences of your account at GitLab. In an installation of your own, administrators find "Applications" in the admin area.',
    2: 'Choose "Add new application", and write a name.',
    3: 'Paste the redirect URI that stands above. Leave "Confidential" checked.',
    4: 'Check the scopes openid, profile and email. Choose "Save application".',
    5: 'Copy the application ID as client id, and the secret. For an installation of your own, write its address as issuer.',
  },
  apple: {
    1: 'Open "Certificates, Identifiers & Profiles" at Apple Developer. Create an "App ID" with "Sign in with Apple", unless you have one.',
    2: 'Create a "Services ID". Its identifier is the client id here.',
    3: 'Turn on "Sign in with Apple" for it, and choose "Configure". Write the domain of this service, and the redirect URI that stands above as return URL. Apple takes https alone.',
    4: 'Under "Keys", create a key with "Sign in with Apple". Copy its key ID here, and the whole text of the downloaded file. Apple gives the file only once.',
    5: 'Copy the team ID, which stands at the top right of the pages of Apple Developer.',
    6: 'Apple asks people whether they hide their address. To reach them, register the sender of your mails under "Services".',
  },
  facebook: {
    1: 'Open "My Apps" at Meta for Developers, and choose "Create app" with the use case "Authenticate and request data from users with Facebook Login".',
    2: 'In the use case, allow the permission email beside public_profile.',
    3: 'In the settings of "Facebook Login", paste the redirect URI that stands above under "Valid OAuth Redirect URIs".',
    4: 'Under "App settings", "Basic", copy the app ID as client id, and the app secret.',
    5: 'Publish the app. Until then only its own testers can sign in.',
    6: 'Facebook does not say whether an address is verified. To let new people register, choose under "More settings" to trust all addresses.',
  },
  linkedin: {
    1: 'Open "My apps" at LinkedIn Developers, and choose "Create app". It needs a page of your company.',
    2: 'Under "Products", request "Sign In with LinkedIn using OpenID Connect".',
    3: 'Under "Auth", add the redirect URI that stands above to the authorized redirect URLs.',
    4: 'Copy the client ID and the primary client secret from there.',
  },
  oidc: {
    1: 'At the provider, register a client for a web application, with the authorization code flow.',
    2: 'Give it the redirect URI that stands above, exactly.',
    3: 'Allow the scopes openid, profile and email. Require PKCE if you can choose.',
    4: 'Copy the client id and the client secret here. A public client has no secret.',
    5: 'Write the issuer: the address before /.well-known/openid-configuration.',
  },
  oauth2: {
    1: 'At the provider, register a client for a web application, with the authorization code flow.',
    2: 'Give it the redirect URI that stands above, exactly.',
    3: 'Copy the client id and the client secret here.',
    4: 'Find the three endpoints in the documentation of the provider: authorization, token and userinfo.',
    5: 'Under "More settings", write the scopes that userinfo needs, and which members of userinfo hold the key of the person, the names and the address.',
  },
};

/** What can be wrong in a test, and what administrators are warned of, by what the service says. `de-service.ts` tells how the keys are made. */
const messages: Readonly<Record<string, string>> = {
  'the answer is #': 'The provider answers with the status #.',
  'no valid answer': 'The provider gives no valid answer.',
  'the metadata lack an endpoint': 'The metadata lack the endpoint for authorization or for tokens.',
  'the metadata list no method "…"': 'The metadata list no code challenge method "…", so that PKCE is not possible.',
  'the metadata name no address of keys': 'The metadata name no address of the keys.',
  'the address of keys answers none': 'The address of the keys answers without keys.',
  'the provider refuses the client id or the client secret':
    'The provider refuses the client id or the client secret. Compare both, and replace the secret if it has expired.',
  'an endpoint does not answer (#)': 'An endpoint answers with the status #. Check its address.',
  'unexpected HTTP response status code (#)':
    'The metadata cannot be read: the provider answers with the status #. Check the issuer.',
  'discovered metadata issuer does not match the expected issuer':
    'The metadata name another issuer. Write it exactly as they do.',
  '"…" body "…" property does not match the expected value':
    'The metadata name another issuer. Write it exactly as they do.',
  ECONNREFUSED: 'Nothing listens at this address. Check it, and whether the provider runs.',
  ECONNRESET: 'The provider has closed the connection.',
  ENOTFOUND: 'There is no host of this name. Check the address.',
  EAI_AGAIN: 'The name of the host could not be resolved. Check the nameserver of this machine.',
  ETIMEDOUT: 'The provider does not answer in time.',
  'It took longer than # s.': 'The provider did not answer within # seconds.',
  CERT_HAS_EXPIRED: 'The certificate of the provider has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'The certificate of the provider is not signed by an authority that this machine trusts.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the provider is not signed by an authority that this machine trusts.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The provider does not send the whole chain of its certificate.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the provider is for another host.',
  'The clock of the provider differs by # seconds. Set the clock of this machine.':
    'The clock of the provider differs by # seconds. Set the clock of this machine.',
  'The key "…" can change and go to another person, who then signs in to the account. Choose a claim that never changes.':
    'The key "…" can change and go to another person, who then signs in to the account. Choose a claim that never changes.',
  'This is an address of "…". Its own type knows what it proves of a person: register a provider of the type "…" instead.':
    'This is an address of "…". Its own type knows what it proves of a person: register a provider of the type "…" instead.',
};

/** The steps of a test, by the service's name. */
const names: Readonly<Record<string, string | undefined>> = {
  discovery: 'Metadata of the provider',
  endpoints: 'Endpoints',
  keys: 'Keys for signatures',
  PKCE: 'Protection of codes (PKCE)',
  client: 'Client id and secret',
  clock: 'Clock',
};

export const externalProviders = {
  title: 'External providers',
  one: 'External provider',
  reason: 'People sign in here with the account that they have there. Each provider has a button on the sign-in page.',
  empty:
    'There are no external providers yet. Create one, so that people sign in with Google, Microsoft, GitHub or the system of your organization, and need no password here.',
  unknown: 'There is no external provider with this id. It may have been deleted.',
  add: 'Create a provider',
  addReason:
    'It takes about five minutes: you register this service at the provider, and copy two or three values here.',
  added: (name: string) => `${name} was created. Test it now.`,
  choose: 'Choose a type',
  typeHint: 'What the provider is. It does not change later.',
  edit: 'Edit',
  editOne: (name: string) => `Edit ${name}`,
  saved: (name: string) => `${name} was saved.`,
  actions: 'Actions',
  columns: { displayName: 'Provider', type: 'Type', state: 'State', createdAt: 'Registered' },
  states: {
    enabled: 'Enabled',
    disabled: 'Disabled',
    replaced: 'Taken over by code',
    expires: (day: string) => `Secret expires on ${day}`,
    expired: (day: string) => `Secret expired on ${day}`,
  },
  replacedText: 'An extension registers a provider of this name in code. People sign in with that one.',
  types,
  redirectUri: 'Redirect URI',
  redirectUriLater: 'It stands here as soon as you have typed the name.',
  more: 'More settings',
  fields: {
    name: 'Name',
    displayName: 'Text on the button',
    clientId: 'Client id',
    clientSecret: 'Client secret',
    issuer: 'Issuer',
    tenant: 'Directory (tenant) id',
    teamId: 'Team id',
    keyId: 'Key id',
    privateKey: 'Private key',
    scopes: 'Scopes',
    authorizationParameters: 'More parameters of the request',
    allowedDomains: 'Domains of addresses that may register',
    registersNewUsers: 'New people may register',
    roleForNewUsers: 'Role of new users',
    emailTrust: 'Addresses',
    secretExpiresAt: 'Last day of the secret',
  },
  hints: {
    name: 'It is a part of the redirect URI, and never changes.',
    displayName: 'Empty: the name.',
    clientId: 'As the provider shows it.',
    clientSecret: 'It is stored sealed, and never shown again.',
    issuer: 'The address before /.well-known/openid-configuration, exactly as the provider writes it.',
    tenant: 'The GUID of your directory.',
    teamId: 'Ten capital letters and digits.',
    keyId: 'Ten capital letters and digits.',
    privateKey: 'The whole text of the file from Apple. It is stored sealed, and never shown again.',
    scopes: 'What is asked for, with blanks between. Empty: the usual ones.',
    authorizationParameters: 'As name=value, one a line.',
    allowedDomains: 'Such as example.com, with blanks between. Empty: all. People who are linked always sign in.',
    registersNewUsers: 'Otherwise only people who are linked sign in.',
    roleForNewUsers: 'It is given when a person registers through this provider.',
    emailTrust: 'Trust all addresses only if nobody can set an address of somebody else there.',
    secretExpiresAt: 'The overview warns 30 days before. Empty: it does not expire.',
    claims: 'The name of the claim. Empty: the usual one.',
  },
  trusts: {
    verified: 'Only those that the provider has verified',
    always: 'Trust all: the provider checks them',
  },
  members: { isEnabled: 'State', endpoints: 'Endpoints', claims: 'Claims' },
  neverChanged: 'This provider has never been changed.',
  replacedSecret: 'Replaced. Secrets are not kept: the former one cannot be restored.',
  noRole: 'None',
  everybody: 'Everybody',
  nobody: 'Nobody',
  endpoints: {
    authorization: 'Authorization endpoint',
    token: 'Token endpoint',
    userinfo: 'Userinfo endpoint',
    emails: 'Endpoint of addresses',
  },
  endpointHints: {
    authorization: 'Where people sign in.',
    token: 'Where the service redeems codes.',
    userinfo: 'What says who the person is.',
    emails: 'Only if addresses are listed elsewhere, as at GitHub.',
  },
  claims: {
    providerKey: 'Claim with the key of the person',
    name: 'Claim with the given name',
    surname: 'Claim with the family name',
    emailAddress: 'Claim with the address',
  },
  guide: { title: (type: string) => `What to do at the provider: ${type}`, steps },
  test: {
    open: 'Test',
    steps: 'Steps of the test',
    passed: 'The provider answers as it should. Nobody has signed in: try that on the sign-in page.',
    failed: 'Something is not right yet.',
    good: 'In order',
    bad: 'Not in order',
    names,
  },
  messages,
  secret: {
    open: 'Replace the secret',
    title: (name: string) => `Replace the secret of ${name}`,
    reason: 'A new secret replaces the stored one at once. Create it at the provider first.',
    movedReason: 'The stored secret is not sent to another address. Write the secret for it too.',
    stored: 'Stored. It is never shown.',
    none: 'None',
    isPublic: 'This is a public client',
    isPublicHint: 'It has no secret: the stored one is deleted.',
    yes: 'Replace',
    done: (name: string) => `The secret of ${name} was replaced.`,
  },
  enable: 'Enable',
  enabled: (name: string) => `${name} is enabled.`,
  disable: 'Disable',
  disabled: (name: string) => `${name} is disabled. Nobody can sign in with it.`,
  remove: 'Delete',
  removeTitle: (name: string) => `Delete ${name}`,
  removeText: (logins: number) =>
    logins === 0
      ? 'Nobody is linked to it. Its button goes from the sign-in page.'
      : `${logins === 1 ? '1 external login goes' : `${logins} external logins go`} with it, and all sessions of their users end now. To turn it off for a while, disable it instead.`,
  removed: (name: string) => `${name} was deleted.`,
};
