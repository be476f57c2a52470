// The texts of the pages of external providers in French.
import type { externalProviders as english } from './en-external-providers.ts';

const types: (typeof english)['types'] = {
  oidc: 'Autre fournisseur OpenID',
  oauth2: 'Autre fournisseur OAuth 2',
};

const steps: (typeof english)['guide']['steps'] = {
  google: {
    1: 'Ouvrez la console Google Cloud, et choisissez un projet ou créez-en un.',
    2: 'Ouvrez « Google Auth Platform ». La première fois, remplissez « Branding », et choisissez sous « Audience » qui peut se connecter : « Interne » pour votre seul Workspace, ou « Externe ».',
    3: 'Sous « Clients », choisissez « Créer un client » et le type « Application Web ».',
    4: 'Sous « URI de redirection autorisés », ajoutez l’URI de redirection indiquée plus haut.',
    5: 'Choisissez « Créer ». Copiez ici l’identifiant client et le secret client (« code secret du client »). Google ne montre le secret qu’à ce moment-là.',
  },
  microsoft: {
    1: 'Ouvrez le centre d’administration Microsoft Entra. Sous « Entra ID », ouvrez « Inscriptions d’applications », et choisissez « Nouvelle inscription ».',
    2: 'Choisissez uniquement les comptes de cet annuaire d’organisation. Un fournisseur d’ici correspond à un annuaire.',
    3: 'Sous « URI de redirection », choisissez « Web », et collez l’URI de redirection indiquée plus haut. Choisissez « S’inscrire ».',
    4: 'Copiez ici l’« ID d’application (client) » et l’« ID de l’annuaire (locataire) ».',
    5: 'Sous « Certificats et secrets », choisissez « Nouveau secret client ». Copiez ici sa valeur, pas son identifiant, et indiquez son dernier jour sous « Autres paramètres ».',
    6: 'Entra ne dit pas si une adresse est vérifiée. Pour que de nouvelles personnes puissent s’inscrire, ajoutez la revendication facultative xms_edov au jeton d’ID sous « Configuration du jeton », ou choisissez sous « Autres paramètres » de faire confiance à toutes les adresses.',
  },
  github: {
    1: 'Ouvrez « Developer settings » de votre compte GitHub, ou de votre organisation, puis « OAuth Apps ».',
    2: 'Choisissez « New OAuth app ». Indiquez un nom, et l’adresse de ce service comme « Homepage URL ».',
    3: 'Collez l’URI de redirection indiquée plus haut comme « Authorization callback URL ». Choisissez « Register application ».',
    4: 'Copiez ici l’identifiant client. Choisissez « Generate a new client secret », et copiez aussi le secret.',
  },
  gitlab: {
    1: 'Ouvrez « Applications » dans les préférences de votre compte GitLab. Dans votre propre installation, les administrateurs trouvent « Applications » dans l’espace d’administration.',
    2: 'Choisissez « Ajouter une nouvelle application », et indiquez un nom.',
    3: 'Collez l’URI de redirection indiquée plus haut. Laissez « Confidentiel » coché.',
    4: 'Cochez les scopes openid, profile et email. Choisissez « Enregistrer l’application ».',
    5: 'Copiez l’ID de l’application comme identifiant client, et le secret. Pour votre propre installation, indiquez son adresse comme émetteur.',
  },
  apple: {
    1: 'Ouvrez « Certificates, Identifiers & Profiles » chez Apple Developer. Créez un « App ID » avec « Sign in with Apple », si vous n’en avez pas.',
    2: 'Créez un « Services ID ». Son identifiant est ici l’identifiant client.',
    3: 'Activez-y « Sign in with Apple », et choisissez « Configure ». Indiquez le domaine de ce service, et l’URI de redirection indiquée plus haut comme « Return URL ». Apple n’accepte que https.',
    4: 'Sous « Keys », créez une clé avec « Sign in with Apple ». Copiez ici son ID de clé, et tout le texte du fichier téléchargé. Apple ne donne le fichier qu’une fois.',
    5: 'Copiez l’ID d’équipe, qui figure en haut à droite des pages d’Apple Developer.',
    6: 'Apple demande aux personnes si elles cachent leur adresse. Pour les joindre, enregistrez l’expéditeur de vos e-mails sous « Services ».',
  },
  facebook: {
    1: 'Ouvrez « Mes apps » chez Meta for Developers, et choisissez « Créer une app » avec le cas d’utilisation « S’authentifier et demander des données aux utilisateurs avec Facebook Login ».',
    2: 'Dans le cas d’utilisation, autorisez la permission email en plus de public_profile.',
    3: 'Dans les paramètres de « Facebook Login », collez l’URI de redirection indiquée plus haut sous « URI de redirection OAuth valides ».',
    4: 'Sous « Paramètres de l’app », « Général », copiez l’ID d’app comme identifiant client, et la clé secrète.',
    5: 'Publiez l’app. Jusque-là, seuls ses propres testeurs peuvent se connecter.',
    6: 'Facebook ne dit pas si une adresse est vérifiée. Pour que de nouvelles personnes puissent s’inscrire, choisissez sous « Autres paramètres » de faire confiance à toutes les adresses.',
  },
  linkedin: {
    1: 'Ouvrez « My apps » chez LinkedIn Developers, et choisissez « Create app ». Il faut une page de votre entreprise.',
    2: 'Sous « Products », demandez « Sign In with LinkedIn using OpenID Connect ».',
    3: 'Sous « Auth », ajoutez l’URI de redirection indiquée plus haut aux « Authorized redirect URLs ».',
    4: 'Copiez-y l’identifiant client et le « Primary Client Secret ».',
  },
  oidc: {
    1: 'Chez le fournisseur, enregistrez un client pour une application web, avec le flux par code d’autorisation.',
    2: 'Donnez-lui l’URI de redirection indiquée plus haut, au caractère près.',
    3: 'Autorisez les scopes openid, profile et email. Exigez PKCE si vous avez le choix.',
    4: 'Copiez ici l’identifiant client et le secret client. Un client public n’a pas de secret.',
    5: 'Indiquez l’émetteur : l’adresse avant /.well-known/openid-configuration.',
  },
  oauth2: {
    1: 'Chez le fournisseur, enregistrez un client pour une application web, avec le flux par code d’autorisation.',
    2: 'Donnez-lui l’URI de redirection indiquée plus haut, au caractère près.',
    3: 'Copiez ici l’identifiant client et le secret client.',
    4: 'Cherchez dans la documentation du fournisseur les trois points d’accès : autorisation, jetons et userinfo.',
    5: 'Sous « Autres paramètres », indiquez les scopes dont userinfo a besoin, et quels membres de userinfo contiennent la clé de la personne, les noms et l’adresse.',
  },
};

const messages: (typeof english)['messages'] = {
  'the answer is #': 'Le fournisseur répond avec le statut #.',
  'no valid answer': 'Le fournisseur ne donne pas de réponse valide.',
  'the metadata lack an endpoint': 'Il manque aux métadonnées le point d’accès d’autorisation ou de jetons.',
  'the metadata list no method "…"':
    'Les métadonnées ne mentionnent aucune méthode de code challenge "…", PKCE n’est donc pas possible.',
  'the metadata name no address of keys': 'Les métadonnées ne donnent pas l’adresse des clés.',
  'the address of keys answers none': 'L’adresse des clés répond sans clés.',
  'the provider refuses the client id or the client secret':
    'Le fournisseur refuse l’identifiant client ou le secret client. Comparez les deux, et remplacez le secret s’il a expiré.',
  'an endpoint does not answer (#)': 'Un point d’accès répond avec le statut #. Vérifiez son adresse.',
  'unexpected HTTP response status code (#)':
    'Les métadonnées ne sont pas lisibles : le fournisseur répond avec le statut #. Vérifiez l’émetteur.',
  'discovered metadata issuer does not match the expected issuer':
    'Les métadonnées nomment un autre émetteur. Écrivez-le exactement comme elles.',
  '"…" body "…" property does not match the expected value':
    'Les métadonnées nomment un autre émetteur. Écrivez-le exactement comme elles.',
  ECONNREFUSED: 'Rien ne répond à cette adresse. Vérifiez-la, et si le fournisseur fonctionne.',
  ECONNRESET: 'Le fournisseur a fermé la connexion.',
  ENOTFOUND: 'Il n’y a pas d’hôte de ce nom. Vérifiez l’adresse.',
  EAI_AGAIN: 'Le nom de l’hôte n’a pas pu être résolu. Vérifiez le serveur de noms de cette machine.',
  ETIMEDOUT: 'Le fournisseur ne répond pas à temps.',
  'It took longer than # s.': 'Le fournisseur n’a pas répondu en # secondes.',
  CERT_HAS_EXPIRED: 'Le certificat du fournisseur a expiré.',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'Le certificat du fournisseur n’est signé par aucune autorité à laquelle cette machine fait confiance.',
  SELF_SIGNED_CERT_IN_CHAIN:
    'Le certificat du fournisseur n’est signé par aucune autorité à laquelle cette machine fait confiance.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Le fournisseur n’envoie pas toute la chaîne de son certificat.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Le certificat du fournisseur est pour un autre hôte.',
  'The clock of the provider differs by # seconds. Set the clock of this machine.':
    'L’horloge du fournisseur diffère de # secondes. Réglez l’horloge de cette machine.',
  'The key "…" can change and go to another person, who then signs in to the account. Choose a claim that never changes.':
    'La clé "…" peut changer et passer à une autre personne, qui se connecte alors au compte. Choisissez un claim qui ne change jamais.',
  'This is an address of "…". Its own type knows what it proves of a person: register a provider of the type "…" instead.':
    'C’est une adresse de "…". Enregistrez plutôt un fournisseur du type "…" : le service sait alors ce qui y est prouvé d’une personne.',
};

const names: (typeof english)['test']['names'] = {
  discovery: 'Métadonnées du fournisseur',
  endpoints: 'Points d’accès',
  keys: 'Clés de signature',
  PKCE: 'Protection des codes (PKCE)',
  client: 'Identifiant client et secret',
  clock: 'Horloge',
};

export const externalProviders: typeof english = {
  title: 'Fournisseurs externes',
  one: 'Fournisseur externe',
  reason:
    'Les personnes se connectent ici avec le compte qu’elles ont là-bas. Chaque fournisseur a un bouton sur la page de connexion.',
  empty:
    'Il n’y a pas encore de fournisseur externe. Créez-en un, afin que les personnes se connectent avec Google, Microsoft, GitHub ou le système de votre organisation, sans mot de passe ici.',
  unknown: 'Il n’y a pas de fournisseur externe avec cet identifiant. Il a peut-être été supprimé.',
  add: 'Créer un fournisseur',
  addReason:
    'Il faut environ cinq minutes : vous enregistrez ce service chez le fournisseur, et copiez ici deux ou trois valeurs.',
  added: (name) => `${name} a été créé. Testez-le maintenant.`,
  choose: 'Choisir un type',
  typeHint: 'Ce qu’est le fournisseur. Cela ne change plus ensuite.',
  edit: 'Modifier',
  editOne: (name) => `Modifier ${name}`,
  saved: (name) => `${name} a été enregistré.`,
  actions: 'Actions',
  columns: { displayName: 'Fournisseur', type: 'Type', state: 'État', createdAt: 'Enregistré' },
  states: {
    enabled: 'Activé',
    disabled: 'Désactivé',
    replaced: 'Remplacé par du code',
    expires: (day) => `Le secret expire le ${day}`,
    expired: (day) => `Le secret a expiré le ${day}`,
  },
  replacedText:
    'Une extension enregistre dans son code un fournisseur de ce nom. Les personnes se connectent avec celui-là.',
  types,
  redirectUri: 'URI de redirection',
  redirectUriLater: 'Elle apparaît ici dès que vous avez saisi le nom.',
  more: 'Autres paramètres',
  fields: {
    name: 'Nom',
    displayName: 'Texte du bouton',
    clientId: 'Identifiant client',
    clientSecret: 'Secret client',
    issuer: 'Émetteur',
    tenant: 'ID de l’annuaire (locataire)',
    teamId: 'ID d’équipe',
    keyId: 'ID de clé',
    privateKey: 'Clé privée',
    scopes: 'Scopes',
    authorizationParameters: 'Autres paramètres de la requête',
    allowedDomains: 'Domaines des adresses qui peuvent s’inscrire',
    registersNewUsers: 'De nouvelles personnes peuvent s’inscrire',
    roleForNewUsers: 'Rôle des nouveaux utilisateurs',
    emailTrust: 'Adresses',
    secretExpiresAt: 'Dernier jour du secret',
  },
  hints: {
    name: 'Il fait partie de l’URI de redirection, et ne change jamais.',
    displayName: 'Vide : le nom.',
    clientId: 'Tel que le fournisseur l’affiche.',
    clientSecret: 'Il est enregistré scellé, et n’est plus jamais affiché.',
    issuer: 'L’adresse avant /.well-known/openid-configuration, exactement comme l’écrit le fournisseur.',
    tenant: 'Le GUID de votre annuaire.',
    teamId: 'Dix majuscules et chiffres.',
    keyId: 'Dix majuscules et chiffres.',
    privateKey: 'Tout le texte du fichier d’Apple. Il est enregistré scellé, et n’est plus jamais affiché.',
    scopes: 'Ce qui est demandé, séparé par des espaces. Vide : les scopes habituels.',
    authorizationParameters: 'Sous la forme nom=valeur, un par ligne.',
    allowedDomains:
      'Par exemple example.com, séparés par des espaces. Vide : tous. Les personnes liées se connectent toujours.',
    registersNewUsers: 'Sinon, seules les personnes liées se connectent.',
    roleForNewUsers: 'Il est donné à une personne qui s’inscrit par ce fournisseur.',
    emailTrust: 'Ne faites confiance à toutes les adresses que si personne ne peut y indiquer l’adresse d’autrui.',
    secretExpiresAt: 'La vue d’ensemble avertit 30 jours avant. Vide : il n’expire pas.',
    claims: 'Le nom du claim. Vide : le nom habituel.',
  },
  trusts: {
    verified: 'Seulement celles que le fournisseur a vérifiées',
    always: 'Faire confiance à toutes : le fournisseur les vérifie',
  },
  members: { isEnabled: 'État', endpoints: 'Points d’accès', claims: 'Claims' },
  neverChanged: 'Ce fournisseur n’a jamais été modifié.',
  replacedSecret: 'Remplacé. Les secrets ne sont pas conservés : l’ancien ne peut pas être rétabli.',
  noRole: 'Aucun',
  everybody: 'Tout le monde',
  nobody: 'Personne',
  endpoints: {
    authorization: 'Point d’accès d’autorisation',
    token: 'Point d’accès de jetons',
    userinfo: 'Point d’accès userinfo',
    emails: 'Point d’accès des adresses',
  },
  endpointHints: {
    authorization: 'Où les personnes se connectent.',
    token: 'Où le service échange les codes.',
    userinfo: 'Ce qui dit qui est la personne.',
    emails: 'Seulement si les adresses sont ailleurs, comme chez GitHub.',
  },
  claims: {
    providerKey: 'Claim avec la clé de la personne',
    name: 'Claim avec le prénom',
    surname: 'Claim avec le nom de famille',
    emailAddress: 'Claim avec l’adresse',
  },
  guide: { title: (type) => `À faire chez le fournisseur : ${type}`, steps },
  test: {
    open: 'Tester',
    steps: 'Étapes du test',
    passed: 'Le fournisseur répond correctement. Personne ne s’est connecté : essayez-le sur la page de connexion.',
    failed: 'Quelque chose n’est pas encore correct.',
    good: 'Correct',
    bad: 'À corriger',
    names,
  },
  messages,
  secret: {
    open: 'Remplacer le secret',
    title: (name) => `Remplacer le secret de ${name}`,
    reason: 'Un nouveau secret remplace immédiatement celui qui est enregistré. Créez-le d’abord chez le fournisseur.',
    movedReason:
      'Le secret enregistré n’est pas envoyé à une autre adresse. Saisissez aussi le secret pour la nouvelle.',
    stored: 'Enregistré. Il n’est jamais affiché.',
    none: 'Aucun',
    isPublic: 'C’est un client public',
    isPublicHint: 'Il n’a pas de secret : celui qui est enregistré est supprimé.',
    yes: 'Remplacer',
    done: (name) => `Le secret de ${name} a été remplacé.`,
  },
  enable: 'Activer',
  enabled: (name) => `${name} est activé.`,
  disable: 'Désactiver',
  disabled: (name) => `${name} est désactivé. Personne ne peut se connecter avec lui.`,
  remove: 'Supprimer',
  removeTitle: (name) => `Supprimer ${name}`,
  removeText: (logins) =>
    logins === 0
      ? 'Personne ne lui est lié. Son bouton disparaît de la page de connexion.'
      : `${logins < 2 ? '1 connexion externe disparaît' : `${logins} connexions externes disparaissent`} avec lui, et toutes les sessions des personnes liées se terminent immédiatement. Pour le désactiver quelque temps, désactivez-le plutôt.`,
  removed: (name) => `${name} a été supprimé.`,
};
