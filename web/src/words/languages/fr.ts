// The texts of the pages in French.
import type { Words } from '../en.ts';
import { account } from '../fr-account.ts';
import { applications } from '../fr-applications.ts';
import { audit } from '../fr-audit.ts';
import { brand } from '../fr-brand.ts';
import { connect } from '../fr-connect.ts';
import { externalProviders } from '../fr-external-providers.ts';
import { factors, userFactors } from '../fr-factors.ts';
import { api, guide, shortcuts } from '../fr-help.ts';
import { overview } from '../fr-overview.ts';
import { pages } from '../fr-pages.ts';
import { details, faults, reasons } from '../fr-service.ts';
import { definitions, settings } from '../fr-settings.ts';
import { signInTo } from '../fr-sign-in-to.ts';
import { bulk, exports, imports, invitation, userFilters, userLists, userPage } from '../fr-users.ts';
import { webhooks } from '../fr-webhooks.ts';

const number = (count: number) => count.toLocaleString('fr');
const seconds = (count: number) => (count < 2 ? `${count} seconde` : `${count} secondes`);

export const words: Words = {
  ...pages,
  api,
  guide,
  shortcuts,
  service: { reasons, details, faults },
  signInTo,
  factors,
  overview,
  brand,
  account,
  list: {
    total: (count) => (count < 2 ? `${count} entrée` : `${number(count)} entrées`),
    moreThan: (count) => `Plus de ${number(count)} entrées`,
    size: 'Lignes par page',
    rows: (count) => `${count} lignes`,
    page: (page) => `Page ${page}`,
    first: 'Première page',
    previous: 'Page précédente',
    next: 'Page suivante',
    last: 'Dernière page',
  },
  links: {
    since: (at) => `Lié le ${at}`,
    key: (key) => `Clé là-bas : ${key}`,
  },
  audit,
  applications,
  externalProviders,
  webhooks,
  connect,
  outbox: {
    title: 'Boîte d’envoi',
    reason:
      'Aucune passerelle n’est configurée pour ces messages. Le service les conserve ici et n’en envoie aucun. À utiliser uniquement en développement.',
    absent: 'Des passerelles envoient tous les messages, la boîte d’envoi reste donc vide.',
    empty: 'Il n’y a pas encore de message.',
    means: { email: 'E-mail', sms: 'SMS' },
    link: 'Lien',
    code: 'Code',
  },
  frontEnds: {
    title: 'Front-ends',
    reason: 'Chaque front-end envoie sa clé avec chaque requête et peut avoir ses propres paramètres.',
    add: 'Créer un front-end',
    edit: 'Modifier',
    editOne: (name) => `Modifier ${name}`,
    settings: 'Paramètres',
    settingsOf: (name) => `Paramètres de ${name}`,
    remove: 'Supprimer',
    removeTitle: (name) => `Supprimer ${name}`,
    removeText:
      'Ses paramètres sont supprimés avec lui. Les requêtes avec sa clé sont traitées comme celles du front-end par défaut.',
    removed: (name) => `${name} a été supprimé.`,
    saved: (name) => `${name} a été enregistré.`,
    keyHint:
      'Le front-end l’envoie dans l’en-tête sha-frontend-application. Lettres, chiffres, points, traits d’union et de soulignement.',
    columns: { name: 'Nom', appKey: 'Clé', description: 'Description', actions: 'Actions' },
  },
  serviceKeys: {
    title: 'Clés de service',
    reason:
      'Vos autres services s’authentifient avec leur propre clé. Pour remplacer une clé, créez-en une seconde, donnez-la au service, puis révoquez la première lorsque plus aucun service ne l’utilise.',
    empty: 'Il n’y a pas encore de clé de service.',
    add: 'Créer une clé de service',
    nameHint:
      'Par exemple le nom du service qui l’utilise. Lettres, chiffres, points, traits d’union et de soulignement.',
    noPermission: 'Choisissez ce que la clé autorise.',
    permissions: {
      introspect: {
        label: 'Vérifier des jetons',
        hint: 'Demander si un jeton est valide et à quel utilisateur il appartient.',
      },
      revocations: { label: 'Suivre les révocations', hint: 'Lire quels jetons sont révoqués.' },
      audit: {
        label: 'Lire le journal d’audit',
        hint: 'Lire toutes les entrées, avec les noms et adresses des personnes.',
      },
      manage: {
        label: 'Administrer',
        hint: 'Effectuer des appels d’administration. Cochez pour choisir lesquels.',
      },
    },
    noManaged: 'Choisissez ce que la clé peut administrer.',
    created: {
      title: (name) => `La clé ${name}`,
      reason: 'La clé n’est affichée que maintenant. Déposez-la là où votre service lit ses secrets.',
      example: 'Pour essayer :',
      label: 'Clé de service',
      copy: 'Copier',
      copied: 'La clé a été copiée.',
      done: 'Terminé',
    },
    withdraw: 'Révoquer',
    withdrawTitle: (name) => `Révoquer ${name}`,
    withdrawText:
      'La clé cesse immédiatement de fonctionner. Un service qui l’utilise encore pour vérifier des jetons les refuse tous.',
    withdrawn: (name) => `${name} a été révoquée.`,
    usedAt: (at) => at ?? 'Jamais',
    columns: {
      name: 'Nom',
      permissions: 'Autorisations',
      createdAt: 'Créée',
      lastUsedAt: 'Dernière utilisation',
      actions: 'Actions',
    },
  },
  roles: {
    title: 'Rôles',
    reason:
      'Un rôle donne des autorisations aux utilisateurs qui l’ont : celles de ce service et celles que vos applications vérifient. Les jetons portent les noms des rôles.',
    search: 'Rechercher',
    searchHint: 'Nom',
    empty: 'Aucun rôle ne correspond.',
    add: 'Créer un rôle',
    edit: 'Modifier',
    editOne: (name) => `Modifier ${name}`,
    remove: 'Supprimer',
    removeTitle: (name) => `Supprimer ${name}`,
    removeText: (users) => {
      if (users === 0) return 'Aucun utilisateur ne l’a.';
      const many =
        users === undefined
          ? 'Tous les utilisateurs qui l’ont le perdent.'
          : `${number(users)} utilisateurs l’ont et le perdent.`;
      const losers = users === 1 ? '1 utilisateur l’a et le perd.' : many;
      return `${losers} Les jetons portent son nom jusqu’à leur renouvellement.`;
    },
    usersOf: (name, users) => `${number(users)} ${users < 2 ? 'utilisateur a' : 'utilisateurs ont'} ${name}`,
    removed: (name) => `${name} a été supprimé.`,
    saved: (name) => `${name} a été enregistré.`,
    columns: { name: 'Rôle', users: 'Utilisateurs', grants: 'Autorisations', actions: 'Actions' },
    descriptions: {
      'Manages everything: users, settings, front ends and roles.':
        'Gère tout : utilisateurs, paramètres, front-ends et rôles.',
      'Manages users who hold no more than this role.':
        'Gère les utilisateurs qui n’ont pas plus d’autorisations que ce rôle.',
    },
    builtIn: 'Prédéfini',
    protected:
      'Ce rôle appartient au service. Il ne peut pas être supprimé, et ses autorisations de ce service ne changent jamais.',
    grantsNothing: 'Aucune. Les jetons portent son nom.',
    inApplications: 'Dans les applications :',
    more: (count) => `et ${number(count)} de plus`,
    permissions: {
      'pages:maintenance': {
        label: 'Administrer le service',
        hint: 'Modifier les paramètres, les front-ends et les rôles. Lire le journal d’audit et la boîte d’envoi.',
      },
      'Pages.Users': {
        label: 'Gérer les utilisateurs',
        hint: 'Créer, modifier, désactiver et supprimer les utilisateurs qui n’ont pas plus d’autorisations, et leur donner des rôles.',
      },
      'users:resetPassword': {
        label: 'Réinitialiser les mots de passe',
        hint: 'Définir le mot de passe d’un autre utilisateur, qui doit le changer à la prochaine connexion.',
      },
    },
    fields: {
      name: 'Nom',
      nameHint: 'Les utilisateurs et les jetons le portent. Il ne peut plus être changé ensuite.',
      displayName: 'Nom affiché',
      displayNameHint: 'À défaut, le nom est affiché.',
      description: 'Description',
      servicePermissions: 'Autorisations de ce service',
      servicePermissionsHint: 'Vous ne pouvez donner que les autorisations que vous avez.',
      applicationPermissions: 'Autorisations de vos applications',
      applicationPermissionsHint:
        'Saisissez un nom que vos applications vérifient, par exemple Pages.Invoices, puis appuyez sur Entrée.',
      wrongPermission: 'Une autorisation a au plus 128 lettres, chiffres et signes, sans espaces ni accents.',
    },
  },
  signOuts: {
    title: 'Déconnexions',
    reason:
      'Lorsqu’une session se termine, le service demande à ses applications de déconnecter la personne. Voici leurs réponses.',
    ended: (at) => `Session terminée le ${at}`,
    all: (count) => `Tout afficher (${count})`,
  },
  users: { ...userPage, ...userLists, ...userFilters, bulk, exports, imports, invitation, factors: userFactors },
  settings,
  definitions,
  copy: { copy: (label) => `Copier : ${label}`, copied: 'Copié' },
  records: {
    choose: (name) => `Sélectionner ${name}`,
    chooseAll: 'Tout sélectionner sur cette page',
    sort: 'Trier par',
    ascending: (column) => `${column}, ordre croissant`,
    descending: (column) => `${column}, ordre décroissant`,
  },
  shell: {
    skip: 'Aller au contenu',
    denied: 'Vous n’êtes pas autorisé à ouvrir cette page. Veuillez vous adresser à un administrateur.',
    deniedTitle: 'Non autorisé',
    failed: 'Non chargé',
    home: 'Aller à la page d’accueil',
    navigation: 'Sections',
    menu: 'Menu',
    account: 'Mon compte',
    settings: 'Paramètres',
    users: 'Utilisateurs',
    roles: 'Rôles',
    frontEnds: 'Front-ends',
    serviceKeys: 'Clés de service',
    applications: 'Applications',
    externalProviders: 'Fournisseurs externes',
    audit: 'Journal d’audit',
    webhooks: 'Webhooks',
    outbox: 'Boîte d’envoi',
    signOut: 'Se déconnecter',
    accountMenu: (name) => `Menu de ${name}`,
    guide: 'Guide',
    api: 'Explorateur d’API',
    shortcuts: 'Raccourcis clavier',
    groups: { people: 'Personnes', policy: 'Politique', operation: 'Exploitation', help: 'Aide' },
    theme: { title: 'Apparence', light: 'Clair', dark: 'Sombre', auto: 'Comme sur cet appareil' },
    search: {
      open: 'Rechercher',
      placeholder: 'Rechercher des pages, utilisateurs, paramètres et guides',
      none: 'Aucun résultat.',
      pages: 'Pages',
      actions: 'Actions',
      users: 'Utilisateurs',
      settings: 'Paramètres',
      guides: 'Guides',
    },
    trail: 'Vous êtes ici',
  },
  idle: {
    title: 'Êtes-vous toujours là ?',
    text: (count) => `Le service vous déconnecte dans ${seconds(count)}.`,
    stay: 'Rester connecté',
    signOut: 'Se déconnecter maintenant',
  },
};
