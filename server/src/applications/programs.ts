// Programs that people sign in to with this service: ready entries, and the lines that each program needs.
import type { Static } from 'typebox';
import type { ApplicationTemplate } from './dtos.ts';

/**
 * A ready entry. Texts in `values` and `snippet` have `{{name}}` for the answer to each ask. The snippet also has `{{issuer}}`,
 * `{{random}}`, `{{clientId}}` and `{{clientSecret}}`.
 */
export type Program = Static<typeof ApplicationTemplate>;

const host = (program: string, example: string) => ({ name: 'host', label: `Host name of ${program}`, example });

/** Scopes of programs that read groups. */
const withRoles = ['openid', 'profile', 'email', 'roles'];

const gitForge = (
  command: string,
  scopes: string,
) => `# Run as the user of the service. The name "latchkey" is part of the redirect URI.
${command} admin auth add-oauth \\
  --name latchkey \\
  --provider openidConnect \\
  --key {{clientId}} \\
  --secret {{clientSecret}} \\
  --auto-discover-url {{issuer}}/.well-known/openid-configuration \\
  --scopes openid --scopes profile --scopes email --scopes ${scopes} \\
  --group-claim-name groups \\
  --admin-group Administrator
`;

export const programs: readonly Program[] = [
  {
    key: 'grafana',
    name: 'Grafana',
    values: {
      kind: 'web',
      redirectUris: ['https://{{host}}/login/generic_oauth'],
      postLogoutRedirectUris: ['https://{{host}}/login'],
      pkce: 'required',
      scopes: withRoles,
    },
    asks: [host('Grafana', 'grafana.example.com')],
    snippet: `# grafana.ini
[server]
root_url = https://{{host}}/

[auth.generic_oauth]
enabled = true
name = Latchkey
client_id = {{clientId}}
client_secret = {{clientSecret}}
scopes = openid profile email roles
auth_url = {{issuer}}/oauth/authorize
token_url = {{issuer}}/oauth/token
api_url = {{issuer}}/oauth/userinfo
use_pkce = true
use_refresh_token = true
allow_sign_up = true
login_attribute_path = preferred_username
name_attribute_path = name
email_attribute_path = email
groups_attribute_path = groups
role_attribute_path = contains(groups[*], 'Administrator') && 'Admin' || 'Viewer'
signout_redirect_url = {{issuer}}/oauth/end-session?client_id={{clientId}}&post_logout_redirect_uri=https%3A%2F%2F{{host}}%2Flogin
`,
  },
  {
    key: 'nextcloud',
    name: 'Nextcloud (user_oidc)',
    values: {
      kind: 'web',
      redirectUris: ['https://{{host}}/apps/user_oidc/code', 'https://{{host}}/index.php/apps/user_oidc/code'],
      postLogoutRedirectUris: ['https://{{host}}', 'https://{{host}}/'],
      scopes: withRoles,
      backchannelLogoutUri: 'https://{{host}}/index.php/apps/user_oidc/backchannel-logout/Latchkey',
    },
    asks: [host('Nextcloud', 'cloud.example.com')],
    snippet: `# Run in the folder of Nextcloud, as the user of the web server. The name "Latchkey" is part of the address for sign-outs.
# People are known by their user name here, also users that Nextcloud has already. Give no name a second time, and do not
# let strangers register at Latchkey while it is connected.
php occ app:install user_oidc
php occ user_oidc:provider Latchkey \\
  --clientid={{clientId}} \\
  --clientsecret={{clientSecret}} \\
  --discoveryuri={{issuer}}/.well-known/openid-configuration \\
  --scope="openid profile email roles" \\
  --mapping-uid=preferred_username \\
  --mapping-display-name=name \\
  --mapping-email=email \\
  --mapping-groups=groups \\
  --group-provisioning=1 \\
  --unique-uid=0
`,
  },
  {
    key: 'gitlab',
    name: 'GitLab',
    values: {
      kind: 'web',
      redirectUris: ['https://{{host}}/users/auth/openid_connect/callback'],
      postLogoutRedirectUris: ['https://{{host}}'],
      pkce: 'required',
      scopes: withRoles,
    },
    asks: [host('GitLab', 'gitlab.example.com')],
    snippet: `# /etc/gitlab/gitlab.rb. Then: gitlab-ctl reconfigure
gitlab_rails['omniauth_allow_single_sign_on'] = ['openid_connect']
gitlab_rails['omniauth_block_auto_created_users'] = false
gitlab_rails['omniauth_providers'] = [
  {
    name: 'openid_connect',
    label: 'Latchkey',
    args: {
      name: 'openid_connect',
      scope: ['openid', 'profile', 'email'],
      response_type: 'code',
      issuer: '{{issuer}}',
      discovery: true,
      client_auth_method: 'query',
      uid_field: 'sub',
      send_scope_to_token_endpoint: 'false',
      pkce: true,
      client_options: {
        identifier: '{{clientId}}',
        secret: '{{clientSecret}}',
        redirect_uri: 'https://{{host}}/users/auth/openid_connect/callback'
      }
    }
  }
]
`,
  },
  {
    key: 'gitea',
    name: 'Gitea',
    values: {
      kind: 'web',
      redirectUris: ['https://{{host}}/user/oauth2/latchkey/callback'],
      // It sends neither a code challenge nor a nonce.
      pkce: 'optional',
      scopes: withRoles,
    },
    asks: [host('Gitea', 'git.example.com')],
    snippet: gitForge('gitea', 'roles'),
  },
  {
    key: 'forgejo',
    name: 'Forgejo',
    values: {
      kind: 'web',
      redirectUris: ['https://{{host}}/user/oauth2/latchkey/callback'],
      pkce: 'required',
      scopes: withRoles,
    },
    asks: [host('Forgejo', 'git.example.com')],
    snippet: gitForge('forgejo', 'groups'),
  },
  {
    key: 'argocd',
    name: 'Argo CD',
    values: {
      kind: 'web',
      redirectUris: ['https://{{host}}/auth/callback'],
      postLogoutRedirectUris: ['https://{{host}}'],
      // Its server sends neither a code challenge nor a nonce.
      pkce: 'optional',
      scopes: withRoles,
      // Its session is the ID token, and ends with it.
      accessTokenLifetime: 3600,
    },
    asks: [host('Argo CD', 'argocd.example.com')],
    snippet: `# kubectl -n argocd edit configmap argocd-cm
data:
  url: https://{{host}}
  oidc.config: |
    name: Latchkey
    issuer: {{issuer}}
    clientID: {{clientId}}
    clientSecret: $oidc.latchkey.clientSecret
    requestedScopes: ["openid", "profile", "email", "roles"]
    logoutURL: {{issuer}}/oauth/end-session?id_token_hint={{token}}&post_logout_redirect_uri={{logoutRedirectURL}}
---
# kubectl -n argocd edit secret argocd-secret
stringData:
  oidc.latchkey.clientSecret: {{clientSecret}}
---
# kubectl -n argocd edit configmap argocd-rbac-cm
data:
  scopes: "[groups]"
  policy.csv: |
    g, Administrator, role:admin
# For "argocd login --sso" register a second application of the kind native, with the redirect URI
# http://localhost:8085/auth/callback, and name it as cliClientID in oidc.config.
`,
  },
  {
    key: 'portainer',
    name: 'Portainer',
    values: {
      kind: 'web',
      redirectUris: ['https://{{host}}', 'https://{{host}}/'],
      postLogoutRedirectUris: ['https://{{host}}', 'https://{{host}}/'],
      // It sends neither a code challenge nor a nonce.
      pkce: 'optional',
      scopes: withRoles,
    },
    asks: [host('Portainer', 'portainer.example.com')],
    snippet: `# Settings, Authentication, OAuth, provider Custom
# People are known by their user name here, also users that Portainer has already. Give no name a second time, and do not
# let strangers register at Latchkey while it is connected.
Automatic user provisioning: on
Client ID: {{clientId}}
Client secret: {{clientSecret}}
Authorization URL: {{issuer}}/oauth/authorize
Access token URL: {{issuer}}/oauth/token
Resource URL: {{issuer}}/oauth/userinfo
Redirect URL: https://{{host}}
Logout URL: {{issuer}}/oauth/end-session?client_id={{clientId}}&post_logout_redirect_uri=https%3A%2F%2F{{host}}
User identifier: preferred_username
Scopes: openid profile email roles
Auth Style: In Params
`,
  },
  {
    key: 'oauth2-proxy',
    name: 'oauth2-proxy',
    values: {
      kind: 'web',
      redirectUris: ['https://{{host}}/oauth2/callback'],
      postLogoutRedirectUris: ['https://{{host}}/'],
      pkce: 'required',
      scopes: withRoles,
    },
    asks: [host('the protected application', 'app.example.com')],
    snippet: `# oauth2-proxy.cfg. The service refuses people whose e-mail address is not verified.
provider = "oidc"
provider_display_name = "Latchkey"
oidc_issuer_url = "{{issuer}}"
client_id = "{{clientId}}"
client_secret = "{{clientSecret}}"
redirect_url = "https://{{host}}/oauth2/callback"
scope = "openid profile email roles"
code_challenge_method = "S256"
oidc_groups_claim = "groups"
backend_logout_url = "{{issuer}}/oauth/end-session?id_token_hint={id_token}"
email_domains = ["*"]
upstreams = ["http://127.0.0.1:8080/"]
# openssl rand -base64 32 | tr -- '+/' '-_'
cookie_secret = ""
`,
  },
  {
    key: 'vaultwarden',
    name: 'Vaultwarden',
    values: {
      kind: 'web',
      redirectUris: ['https://{{host}}/identity/connect/oidc-signin'],
      pkce: 'required',
      scopes: ['openid', 'profile', 'email', 'offline_access'],
      // Tokens of a few minutes trouble it.
      accessTokenLifetime: 3600,
    },
    asks: [host('Vaultwarden', 'vault.example.com')],
    snippet: `# Environment of Vaultwarden. People need a verified e-mail address.
DOMAIN=https://{{host}}
SSO_ENABLED=true
SSO_ONLY=false
SSO_AUTHORITY={{issuer}}
SSO_CLIENT_ID={{clientId}}
SSO_CLIENT_SECRET={{clientSecret}}
# Without the quotes in a file for docker run --env-file.
SSO_SCOPES="email profile offline_access"
SSO_PKCE=true
`,
  },
  {
    key: 'immich',
    name: 'Immich',
    values: {
      kind: 'web',
      redirectUris: [
        'https://{{host}}/auth/login',
        'https://{{host}}/user-settings',
        'https://{{host}}/api/oauth/mobile-redirect',
      ],
      postLogoutRedirectUris: ['https://{{host}}/auth/login', 'https://{{host}}/auth/login?autoLaunch=0'],
      pkce: 'required',
      scopes: withRoles,
      backchannelLogoutUri: 'https://{{host}}/api/oauth/backchannel-logout',
    },
    asks: [host('Immich', 'photos.example.com')],
    snippet: `{
  "oauth": {
    "enabled": true,
    "issuerUrl": "{{issuer}}",
    "clientId": "{{clientId}}",
    "clientSecret": "{{clientSecret}}",
    "tokenEndpointAuthMethod": "client_secret_post",
    "scope": "openid email profile",
    "signingAlgorithm": "RS256",
    "storageLabelClaim": "preferred_username",
    "buttonText": "Sign in with Latchkey",
    "autoRegister": true,
    "autoLaunch": false,
    "mobileOverrideEnabled": true,
    "mobileRedirectUri": "https://{{host}}/api/oauth/mobile-redirect"
  }
}
`,
  },
  {
    key: 'proxmox',
    name: 'Proxmox VE',
    values: {
      kind: 'web',
      redirectUris: ['https://{{host}}', 'https://{{host}}/'],
      pkce: 'required',
      scopes: withRoles,
    },
    asks: [host('Proxmox VE, with its port', 'pve.example.com:8006')],
    snippet: `# On a node of the cluster. A role gets rights in Proxmox by its group, such as Administrator-latchkey. Each sign-in replaces
# the groups of a person, so that a lost role takes its rights along. Users are named by the id of the account, beside which
# Proxmox shows the name of the person.
pveum realm add latchkey --type openid \\
  --issuer-url {{issuer}} \\
  --client-id {{clientId}} \\
  --client-key {{clientSecret}} \\
  --username-claim sub \\
  --scopes "email profile roles" \\
  --groups-claim groups \\
  --groups-autocreate 1 \\
  --groups-overwrite 1 \\
  --autocreate 1
pveum group add Administrator-latchkey
pveum acl modify / --groups Administrator-latchkey --roles Administrator
`,
  },
  {
    key: 'home-assistant',
    name: 'Home Assistant',
    values: {
      kind: 'web',
      redirectUris: ['https://{{host}}/auth/oidc/callback'],
      pkce: 'required',
      scopes: withRoles,
    },
    asks: [host('Home Assistant', 'home.example.com')],
    snippet: `# configuration.yaml, with the integration "OpenID Connect (SSO)" of HACS (hass-oidc-auth)
auth_oidc:
  client_id: "{{clientId}}"
  client_secret: "{{clientSecret}}"
  discovery_url: "{{issuer}}/.well-known/openid-configuration"
  display_name: "Latchkey"
  groups_scope: "roles"
  roles:
    admin: "Administrator"
`,
  },
  {
    key: 'apache',
    name: 'Apache (mod_auth_openidc)',
    values: {
      kind: 'web',
      redirectUris: ['https://{{host}}/oidc/callback'],
      postLogoutRedirectUris: ['https://{{host}}/'],
      pkce: 'required',
      scopes: withRoles,
      backchannelLogoutUri: 'https://{{host}}/oidc/callback?logout=backchannel',
    },
    asks: [host('the protected site', 'intranet.example.com')],
    snippet: `# In the VirtualHost of the site. Debian: apt install libapache2-mod-auth-openidc && a2enmod auth_openidc
OIDCProviderMetadataURL {{issuer}}/.well-known/openid-configuration
OIDCClientID {{clientId}}
OIDCClientSecret {{clientSecret}}
OIDCRedirectURI https://{{host}}/oidc/callback
OIDCScope "openid profile email roles"
OIDCPKCEMethod S256
# People are known by their user name here. Give no name a second time, and do not let strangers register at Latchkey while
# it is connected.
OIDCRemoteUserClaim preferred_username
OIDCSessionType server-cache
# Any secret text of your own. This one was made for you just now.
OIDCCryptoPassphrase {{random}}

<Location />
  AuthType openid-connect
  Require valid-user
  # Only for a role: Require claim roles:Administrator
</Location>
# Sign-out: https://{{host}}/oidc/callback?logout=https%3A%2F%2F{{host}}%2F
`,
  },
  {
    key: 'single-page-app',
    name: 'Single-page app',
    values: {
      kind: 'browser',
      redirectUris: ['https://{{host}}/callback'],
      postLogoutRedirectUris: ['https://{{host}}/'],
    },
    asks: [host('the app', 'app.example.com')],
    snippet: `// npm install oidc-client-ts
import { UserManager, WebStorageStateStore } from 'oidc-client-ts';

export const users = new UserManager({
  authority: '{{issuer}}',
  client_id: '{{clientId}}',
  redirect_uri: 'https://{{host}}/callback',
  post_logout_redirect_uri: 'https://{{host}}/',
  scope: 'openid profile email roles',
  userStore: new WebStorageStateStore({ store: sessionStorage }),
});

// Sign in:            await users.signinRedirect();
// At /callback:       const user = await users.signinRedirectCallback();
// Call your own API:  fetch(url, { headers: { Authorization: \`Bearer \${user.access_token}\` } });
// Sign out:           await users.signoutRedirect();
`,
  },
  {
    key: 'nextjs',
    name: 'Next.js with Auth.js',
    values: {
      kind: 'web',
      redirectUris: ['https://{{host}}/api/auth/callback/latchkey'],
      postLogoutRedirectUris: ['https://{{host}}/'],
      pkce: 'required',
      scopes: withRoles,
    },
    asks: [host('the app', 'app.example.com')],
    snippet: `// auth.ts, with next-auth 5. Put these lines in .env.local:
//   AUTH_LATCHKEY_ID={{clientId}}
//   AUTH_LATCHKEY_SECRET={{clientSecret}}
//   AUTH_URL=https://{{host}}
//   AUTH_SECRET=   (npx auth secret)
import NextAuth from 'next-auth';

export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      id: 'latchkey',
      name: 'Latchkey',
      type: 'oidc',
      issuer: '{{issuer}}',
      clientId: process.env.AUTH_LATCHKEY_ID,
      clientSecret: process.env.AUTH_LATCHKEY_SECRET,
      authorization: { params: { scope: 'openid profile email roles' } },
      checks: ['pkce', 'state', 'nonce'],
    },
  ],
});

// app/api/auth/[...nextauth]/route.ts:
//   import { handlers } from '@/auth';
//   export const { GET, POST } = handlers;
`,
  },
  {
    key: 'mobile-app',
    name: 'Mobile app',
    values: {
      kind: 'native',
      redirectUris: ['{{scheme}}:/callback'],
      postLogoutRedirectUris: ['{{scheme}}:/signed-out'],
    },
    asks: [{ name: 'scheme', label: 'The scheme of the app, which has a dot', example: 'com.example.app' }],
    snippet: `// With react-native-app-auth. AppAuth for Android and iOS takes the same values.
import { authorize, logout, refresh } from 'react-native-app-auth';

const configuration = {
  issuer: '{{issuer}}',
  clientId: '{{clientId}}',
  redirectUrl: '{{scheme}}:/callback',
  scopes: ['openid', 'profile', 'email', 'offline_access'],
};

// Sign in:   const tokens = await authorize(configuration);
// Refresh:   await refresh(configuration, { refreshToken: tokens.refreshToken });
// Sign out:  await logout(configuration, { idToken: tokens.idToken, postLogoutRedirectUrl: '{{scheme}}:/signed-out' });
`,
  },
  {
    key: 'machine',
    name: 'Machine',
    values: { kind: 'machine' },
    asks: [],
    snippet: `# A token for calls of a program of its own, without a person. RESOURCE is the API that it calls. Add it to the resources of
# the application first.
curl --user {{clientId}}:{{clientSecret}} \\
  --data grant_type=client_credentials \\
  --data-urlencode resource=RESOURCE \\
  {{issuer}}/oauth/token
`,
  },
];
