// The texts of users in French: lists, the page of one, actions on several of them, import, export and invitations.
import type { Words } from './en.ts';

type Users = Words['users'];
type List = 'total' | 'columns' | 'status' | 'idOf' | 'sessions' | 'activity' | 'resetLink' | 'more';
type Filters = 'filter' | 'filterButton' | 'labels' | 'states' | 'anyRole' | 'factorStates' | 'flags' | 'chips';
type Part = 'bulk' | 'exports' | 'imports' | 'invitation' | 'factors';

const count = (number: number) => number.toLocaleString('fr');
const users = (number: number) => (number < 2 ? `${count(number)} utilisateur` : `${count(number)} utilisateurs`);
const rows = (number: number) => (number < 2 ? `${count(number)} ligne` : `${count(number)} lignes`);
/** The ending of a participle that follows a number. */
const s = (number: number) => (number < 2 ? '' : 's');
/** The first five names, and how many more there are. */
const firstOf = (names: readonly string[]) =>
  [...names.slice(0, 5), ...(names.length > 5 ? [`et ${count(names.length - 5)} de plus`] : [])].join(', ');

export const userLists: Pick<Users, List> = {
  total: users,
  columns: {
    userName: 'Nom d’utilisateur',
    name: 'Nom',
    emailAddress: 'Adresse e-mail',
    mobileNumber: 'Numéro de mobile',
    roles: 'Rôles',
    lastLogin: 'Dernière connexion',
    created: 'Créé',
    status: 'État',
  },
  status: {
    inactive: 'Désactivé',
    locked: 'Verrouillé',
    factorLocked: 'Seconds facteurs verrouillés',
    mustChange: 'Mot de passe à changer',
  },
  idOf: (id) => `ID ${id}`,
  sessions: {
    title: 'Sessions',
    none: 'Aucune session n’est ouverte.',
    signedIn: (at) => `Connexion le ${at}`,
    used: (at) => `renouvelée le ${at}`,
    end: 'Terminer',
    endOne: (browser) => `Terminer la session : ${browser}`,
    endTitle: (name) => `Terminer cette session de ${name} ?`,
    endText: (browser) => `${browser} est déconnecté immédiatement. Les autres sessions restent ouvertes.`,
    ended: 'La session est terminée.',
  },
  activity: {
    title: 'Activité',
    none: 'Le journal d’audit ne contient rien sur cet utilisateur.',
    by: (name) => `par ${name}`,
    from: (ip) => `depuis ${ip}`,
    all: 'Tout voir dans le journal d’audit',
    refusals: 'Seulement les refus',
  },
  resetLink: {
    open: 'Envoyer un lien de réinitialisation',
    title: (name) => `Envoyer à ${name} un lien de réinitialisation`,
    about: (address, minutes) =>
      `Le lien pour définir un nouveau mot de passe est envoyé à ${address}. Il est valable ${minutes} et fonctionne une seule fois. D’ici là, le mot de passe ne change pas.`,
    noAddress: 'L’utilisateur n’a pas d’adresse e-mail à laquelle envoyer un lien.',
    unverified: (address) =>
      `${address} n’est pas vérifiée, aucun lien ne peut donc y être envoyé. Si vous savez que l’adresse appartient à l’utilisateur, vous pouvez la marquer comme vérifiée.`,
    inactive: 'L’utilisateur est désactivé. Activez-le d’abord.',
    noMail: 'Les liens ne peuvent pas être envoyés : l’e-mail est désactivé dans ce service (LATCHKEY_SMTP_URL).',
    notAllowed:
      'Les liens de réinitialisation du mot de passe sont désactivés. Activez-les d’abord dans les paramètres de sécurité.',
    send: 'Envoyer le lien',
    sent: (name) => `Un lien est en route vers ${name}.`,
  },
  more: 'Plus',
};

export const userFilters: Pick<Users, Filters> = {
  filter: 'Filtrer',
  filterButton: 'Filtrer et trier',
  labels: {
    state: 'État',
    role: 'Rôle',
    factor: 'Second facteur',
    since: 'Pas connecté depuis le',
    from: 'Créé à partir du',
    to: 'Créé jusqu’au',
  },
  states: { all: 'Tous', active: 'Actifs', inactive: 'Désactivés' },
  anyRole: 'Tous',
  factorStates: { any: 'Avec ou sans', with: 'Avec', without: 'Sans' },
  flags: {
    signedIn: 'Avec une session ouverte',
    locked: 'Verrouillés',
    mustChange: 'Mot de passe à changer',
    never: 'Jamais connectés',
    unverified: 'Adresse non vérifiée',
  },
  chips: {
    title: 'Filtres',
    remove: (label) => `Retirer le filtre « ${label} »`,
    clear: 'Tout retirer',
    role: (name) => `Rôle : ${name}`,
    factor: { any: '', with: 'Avec second facteur', without: 'Sans second facteur' },
    since: (day) => `Pas connecté depuis le ${day}`,
    from: (day) => `Créé à partir du ${day}`,
    to: (day) => `Créé jusqu’au ${day}`,
  },
};

export const userPage: Omit<Users, List | Filters | Part> = {
  title: 'Utilisateurs',
  one: 'Utilisateur',
  search: 'Rechercher',
  searchHint: 'Nom ou adresse',
  empty: 'Aucun utilisateur ne correspond.',
  allWith: (number, keyword) => `Les ${count(number)} utilisateurs avec « ${keyword} »`,
  never: 'Jamais',
  create: 'Créer un utilisateur',
  created: (name) => `${name} a été créé.`,
  saved: (name) => `${name} a été enregistré.`,
  edit: 'Modifier',
  editOne: (name) => `Modifier ${name}`,
  beyond: 'Seul un administrateur peut modifier cet utilisateur, qui a plus d’autorisations que vous.',
  facts: {
    title: 'Utilisateur',
    userName: 'Nom d’utilisateur',
    emailAddress: 'Adresse e-mail',
    mobileNumber: 'Numéro de mobile',
    roles: 'Rôles',
    lastLogin: 'Dernière connexion',
    created: 'Créé',
    id: 'Identifiant',
    personId: 'Identifiant de la personne',
    none: 'Non renseigné',
    verified: 'vérifié',
    unverified: 'non vérifié',
  },
  fields: {
    userName: 'Nom d’utilisateur',
    name: 'Prénom',
    surname: 'Nom',
    emailAddress: 'Adresse e-mail',
    isEmailConfirmed: 'L’adresse e-mail est vérifiée',
    mobileNumber: 'Numéro de mobile',
    isMobileConfirmed: 'Le numéro de mobile est vérifié',
    mobileNumberHint: 'Avec l’indicatif du pays, comme +33 6 12 34 56 78.',
    confirmedHint: {
      isEmailConfirmed:
        'Ne cochez cette case que si vous savez que l’adresse appartient à l’utilisateur. Une adresse vérifiée permet de réinitialiser le mot de passe.',
      isMobileConfirmed:
        'Ne cochez cette case que si vous savez que le numéro appartient à l’utilisateur. Un numéro vérifié permet de réinitialiser le mot de passe.',
    },
    ownAddressHint: 'Changez vos propres adresses sur la page « Mon compte », qui demande le mot de passe.',
    unverifiableHint:
      'Seul un administrateur autorisé à réinitialiser les mots de passe peut marquer une adresse comme vérifiée.',
    roleNames: 'Rôles',
    roleNamesHint:
      'Choisissez un rôle, ou saisissez le nom d’un nouveau rôle et appuyez sur Entrée. La page « Rôles » indique ce que donne chaque rôle. Les jetons portent les noms pour vos applications.',
    administratorWarning:
      'L’utilisateur devient ainsi administrateur et peut modifier tous les paramètres et tous les utilisateurs.',
    requireChangePassword: 'Le mot de passe doit être changé à la prochaine connexion',
    password: 'Mot de passe',
    repeated: 'Répéter le mot de passe',
  },
  actions: {
    title: 'Actions',
    activate: 'Activer',
    activated: (name) => `${name} est de nouveau actif.`,
    deactivate: 'Désactiver',
    deactivateTitle: (name) => `Désactiver ${name} ?`,
    deactivateText:
      'Toutes les sessions se terminent immédiatement. L’utilisateur ne peut plus se connecter jusqu’à sa réactivation.',
    deactivated: (name) => `${name} est désactivé, et toutes ses sessions sont terminées.`,
    unlock: 'Déverrouiller',
    unlocked: (name) => `${name} n’est plus verrouillé.`,
    resetPassword: 'Définir un mot de passe',
    resetTitle: (name) => `Définir un mot de passe pour ${name}`,
    generate: 'Générer',
    generated: 'Donnez-le à l’utilisateur. Le service ne l’affichera plus.',
    resetText:
      'Toutes les sessions se terminent, et l’utilisateur doit changer le mot de passe à la prochaine connexion.',
    resetSubmit: 'Définir le mot de passe',
    reset: (name) => `${name} a un nouveau mot de passe et doit le changer à la prochaine connexion.`,
    signOut: 'Déconnecter partout',
    signOutTitle: (name) => `Déconnecter ${name} partout ?`,
    signOutText: 'Toutes les sessions de l’utilisateur se terminent immédiatement.',
    signedOut: (name) => `Toutes les sessions de ${name} sont terminées.`,
    delete: 'Supprimer',
    deleteTitle: (name) => `Supprimer ${name} ?`,
    deleteText: 'L’utilisateur est supprimé définitivement. Ses entrées dans le journal d’audit sont conservées.',
    deleted: (name) => `${name} a été supprimé.`,
    download: 'Télécharger les données',
    downloaded: (name) => `Les données de ${name} ont été téléchargées.`,
    erase: 'Effacer toutes les données',
    eraseTitle: (name) => `Effacer ${name} et toutes ses données ?`,
    eraseText:
      'L’utilisateur et toutes ses données personnelles sont effacés définitivement, y compris dans le journal d’audit, qui ne conserve que les actions et les heures. Rien ne peut les rétablir. Les sauvegardes plus anciennes les contiennent encore.',
    eraseName: (userName) => `Saisissez ${userName} pour confirmer`,
    eraseMismatch: 'Ce n’est pas le nom d’utilisateur.',
    eraseYes: 'Effacer définitivement',
    erased: (name) => `${name} et toutes ses données ont été effacés.`,
    yourself: 'C’est votre propre compte.',
  },
  obstacles: {
    title: 'Connexion',
    none: 'Rien n’empêche cet utilisateur de se connecter.',
    blocked: 'Bloqué',
    inactive: 'L’utilisateur est désactivé.',
    locked: (until, left) => `Verrouillé après trop de tentatives infructueuses, jusqu’au ${until} (encore ${left}).`,
    factorLocked: (until, left) =>
      `Verrouillé après trop de seconds facteurs inexacts, jusqu’au ${until} (encore ${left}).`,
    formerPasskeys:
      'Les clés d’accès de l’utilisateur appartiennent à une ancienne adresse du service et ne fonctionnent pas à celle-ci. Réinitialisez les seconds facteurs, ou rétablissez l’ancienne adresse.',
    mustChange: 'L’utilisateur doit d’abord changer le mot de passe à la prochaine connexion.',
    mustEnroll: 'L’utilisateur doit d’abord configurer un second facteur à la prochaine connexion.',
    neverSignedIn: 'L’utilisateur ne s’est jamais connecté.',
    unverifiedEmail:
      'L’adresse e-mail n’est pas vérifiée. Elle ne reçoit ni codes ni liens de réinitialisation du mot de passe.',
    unverifiedMobile: 'Le numéro de mobile n’est pas vérifié. Il ne reçoit pas de codes.',
    noAddress:
      'Il n’y a ni adresse e-mail ni numéro de mobile. L’utilisateur ne peut pas réinitialiser lui-même le mot de passe.',
    left: (minutes, seconds) => (minutes > 0 ? `${minutes} min ${seconds} s` : `${seconds} s`),
  },
  external: {
    title: 'Connexion par d’autres systèmes',
    remove: 'Retirer',
    removeOne: (name) => `Retirer ${name}`,
    removeTitle: (name) => `Retirer ${name} ?`,
    removeText: 'L’utilisateur ne peut plus se connecter ainsi, et toutes ses sessions se terminent immédiatement.',
    removed: (name) => `${name} a été retiré.`,
  },
};

export const bulk: Users['bulk'] = {
  title: 'Actions sur les utilisateurs sélectionnés',
  selected: (number) => `${users(number)} sélectionné${s(number)}`,
  elsewhere: (number) => `(${count(number)} sur d’autres pages)`,
  selectAll: (number) => `Sélectionner les ${users(number)} trouvé${s(number)}`,
  selectFirst: (number) => `Sélectionner les ${count(number)} premiers utilisateurs trouvés`,
  selectNext: (number) =>
    number < 2
      ? 'Sélectionner le dernier utilisateur trouvé'
      : `Sélectionner les ${count(number)} utilisateurs trouvés suivants`,
  clear: 'Effacer la sélection',
  choose: 'Choisir une action',
  actions: {
    activate: {
      label: 'Activer',
      title: (number) => `Activer ${users(number)} ?`,
      text: 'La connexion est de nouveau possible.',
      yes: 'Activer',
      done: (number) => `${users(number)} activé${s(number)}.`,
      unchanged: 'était déjà actif',
    },
    deactivate: {
      label: 'Désactiver',
      title: (number) => `Désactiver ${users(number)} ?`,
      text: 'Toutes les sessions se terminent immédiatement. La connexion reste impossible jusqu’à la réactivation.',
      yes: 'Désactiver',
      done: (number) => `${users(number)} désactivé${s(number)}.`,
      unchanged: 'était déjà désactivé',
    },
    signOut: {
      label: 'Déconnecter partout',
      title: (number) => `Déconnecter ${users(number)} partout ?`,
      text: 'Toutes les sessions se terminent immédiatement. La reconnexion reste possible.',
      yes: 'Déconnecter partout',
      done: (number) => `${users(number)} déconnecté${s(number)}.`,
      unchanged: '',
    },
    unlock: {
      label: 'Déverrouiller',
      title: (number) => `Déverrouiller ${users(number)} ?`,
      text: 'Les verrouillages après trop de tentatives infructueuses prennent fin, et ces tentatives ne comptent plus.',
      yes: 'Déverrouiller',
      done: (number) => `${users(number)} déverrouillé${s(number)}.`,
      unchanged: '',
    },
    requireChange: {
      label: 'Exiger un nouveau mot de passe',
      title: (number) => `Exiger de ${users(number)} un nouveau mot de passe ?`,
      text: 'Un nouveau mot de passe doit être défini avant toute autre chose. Les sessions ouvertes restent, mais ne permettent que de changer le mot de passe.',
      yes: 'Exiger un nouveau mot de passe',
      done: (number) => `${users(number)} ${number < 2 ? 'doit' : 'doivent'} changer de mot de passe.`,
      unchanged: 'devait déjà changer de mot de passe',
    },
    invite: {
      label: 'Envoyer une invitation',
      title: (number) => `Inviter ${users(number)} ?`,
      text: 'Les utilisateurs qui ont un mot de passe ou une invitation ouverte ne reçoivent pas d’e-mail.',
      yes: 'Envoyer une invitation',
      done: (number) => `${users(number)} invité${s(number)}.`,
      unchanged: 'a déjà un mot de passe ou une invitation ouverte',
    },
  },
  accounts: 'Utilisateurs sélectionnés',
  others: (number) => `et ${count(number)} de plus`,
  yourself: 'Votre propre compte est sélectionné. Il passe en dernier.',
  progress: (done, all) => `${count(done)} sur ${count(all)}`,
  stop: 'Arrêter',
  stopped: (number) => `Arrêté. ${users(number)} inchangé${s(number)}.`,
  refused: (number) => `${users(number)} refusé${s(number)}.`,
  results: 'Résultat pour chaque utilisateur',
  done: 'fait',
  retry: (number) => `Réessayer pour ${users(number)}`,
  undo: 'Annuler la modification',
  undone: (number) => `Annulé pour ${users(number)}.`,
};

export const exports: Users['exports'] = {
  open: 'Exporter',
  csv: 'En CSV, pour les tableurs',
  jsonl: 'En lignes JSON, pour les programmes',
  title: 'Exporter les utilisateurs',
  running: (done, all) => `${count(done)} sur ${users(all)}`,
  done: (number) => `${users(number)} exporté${s(number)}.`,
  failed: 'L’export a échoué, ou votre session est terminée. Aucun fichier n’a été enregistré. Veuillez réessayer.',
  cancelled: 'L’export a été annulé.',
};

export const imports: Users['imports'] = {
  open: 'Importer',
  title: 'Importer des utilisateurs',
  about:
    'Créez de nombreux utilisateurs à partir d’un fichier : CSV avec une ligne de noms de colonnes, lignes JSON ou tableau JSON. L’étape suivante vérifie le fichier et ne change rien.',
  limits: (megabytes) => `${megabytes} Mo au plus.`,
  file: 'Fichier',
  choose: 'Choisir un fichier',
  faults: {
    tooLarge: (megabytes) =>
      `Le fichier dépasse ${megabytes} Mo. Divisez-le, ou utilisez « latchkey import users » sur le serveur.`,
    notReadable:
      'Le fichier n’a aucune ligne, ou n’est pas lisible. Utilisez un CSV avec une ligne de noms de colonnes, des lignes JSON ou un tableau JSON.',
    noUserName:
      'Choisissez la colonne des noms d’utilisateur. À défaut, l’adresse e-mail devient le nom d’utilisateur.',
    twice: (label) => `Deux colonnes sont choisies pour « ${label} ». Choisissez-en une.`,
    repeated: (columns) =>
      `Plusieurs colonnes portent le nom ${columns.map((column) => `« ${column} »`).join(', ')}. Renommez ou retirez-les toutes sauf une.`,
  },
  unreadable: {
    notObject: 'Ce n’est pas un objet JSON.',
    tooLong: 'La ligne dépasse 1 Mo.',
    damaged: 'La ligne a des caractères qui ne sont pas de l’UTF-8, ou qu’une conversion a perdus.',
    repeated: (names) => `La ligne a deux membres du nom ${names.join(', ')}.`,
    tooManyCells: 'La ligne a plus de cellules que la ligne des noms de colonnes.',
    quotes: 'La ligne a un guillemet qui n’est pas fermé, ou pas doublé. La suite en fait peut-être partie.',
    cutOff: 'Le fichier est coupé ici.',
    unreadable: 'Le fichier n’est plus bien formé à partir d’ici. La suite n’a pas été lue.',
    noUser: (title) => `La ligne n’est pas un utilisateur de ${title}.`,
  },
  mapping: {
    system: (title) =>
      `C’est un export de ${title}. Les identifiants, les connexions externes et les seconds facteurs ne sont repris qu’avec « latchkey import users » sur le serveur.`,
    title: 'Colonnes',
    about: (number) =>
      `${rows(number)} trouvée${s(number)}. Choisissez ce que signifie chaque colonne. L’import ignore les colonnes que vous laissez de côté.`,
    column: 'Colonne du fichier',
    sample: 'Premières valeurs',
    member: 'Devient',
    memberOf: (column) => `Ce que devient « ${column} »`,
    leaveOut: 'Laisser de côté',
    rolesHint: 'Séparez plusieurs rôles d’une cellule par ; ou par des virgules.',
    tenantHint: 'Les lignes d’un locataire sont ignorées. Pour les importer aussi, laissez la colonne de côté.',
    hashHint:
      'Les empreintes de mots de passe exigent l’autorisation de modifier les paramètres, car le service ne peut pas les comparer aux règles des mots de passe.',
  },
  members: {
    userName: 'Nom d’utilisateur',
    name: 'Prénom',
    surname: 'Nom',
    emailAddress: 'Adresse e-mail',
    isEmailConfirmed: 'Adresse e-mail vérifiée',
    mobileNumber: 'Numéro de mobile',
    isMobileConfirmed: 'Numéro de mobile vérifié',
    isActive: 'Est actif',
    bannedUntil: 'Est banni jusqu’au',
    requireChangePassword: 'Doit changer de mot de passe',
    roleNames: 'Rôles',
    passwordHash: 'Empreinte du mot de passe',
    isDeleted: 'Est supprimé : ignorer la ligne',
    tenantId: 'Locataire : ignorer les lignes d’un locataire',
  },
  morePages:
    'Ce fichier n’est qu’une page parmi plusieurs : l’autre système a d’autres utilisateurs. Importez aussi les fichiers des autres pages.',
  check: 'Vérifier le fichier',
  another: 'Choisir un autre fichier',
  checking: 'Vérification du fichier',
  importing: 'Import en cours',
  progress: (done, all) => `${count(done)} sur ${rows(all)}`,
  stop: 'Arrêter',
  resume: 'Continuer',
  stopped: 'Arrêté. Les utilisateurs créés jusqu’ici restent.',
  checked: 'Le fichier est vérifié. Rien n’a été changé.',
  finished: 'L’import est terminé.',
  counts: {
    wouldAdd: (number) => `${users(number)} ${number < 2 ? 'peut être créé' : 'peuvent être créés'}.`,
    added: (number) => `${users(number)} créé${s(number)}.`,
    skipped: (number) => `${rows(number)} ignorée${s(number)}.`,
    refused: (number) => `${rows(number)} refusée${s(number)}.`,
  },
  start: (number) => `Créer ${users(number)}`,
  change: 'Modifier les colonnes',
  problems: 'Lignes ignorées ou refusées',
  row: 'Ligne',
  user: 'Utilisateur',
  reason: 'Raison',
  outcome: 'Résultat',
  outcomes: { added: 'créé', skipped: 'ignorée', refused: 'refusée' },
  addable: 'peut être créé',
  shown: (shown, all) => `Les ${count(shown)} premières sur ${count(all)}. Le rapport les contient toutes.`,
  report: 'Télécharger le rapport',
  repeated: (row) => `La ligne ${row} a le même nom d’utilisateur, la même adresse e-mail ou le même numéro de mobile.`,
  skippedWhy: {
    'a service account': 'La ligne est un compte de service.',
    anonymous: 'La ligne est un utilisateur anonyme.',
    deleted: 'La ligne est marquée comme supprimée.',
    empty: 'La ligne est vide.',
    'of a tenant': 'La ligne appartient à un locataire.',
  },
  brought: {
    title: 'Ce que le fichier apporte encore',
    newRoles: (names) => `Créer de nouveaux rôles : ${firstOf(names)}`,
    newRolesHint: 'Les nouveaux rôles ne donnent rien. Sans eux, le service refuse leurs utilisateurs.',
    administrators: (names) =>
      `Créer ${names.length < 2 ? '1 administrateur' : `${count(names.length)} administrateurs`} : ${firstOf(names)}`,
    administratorsHint:
      'Les rôles de ces utilisateurs donnent des autorisations de ce service. Si vous ne le permettez pas, le service les refuse.',
  },
  show: 'Afficher les utilisateurs',
};

export const invitation: Users['invitation'] = {
  how: 'Première connexion',
  invite: 'Envoyer un lien pour définir un mot de passe',
  password: 'Définir un mot de passe maintenant',
  later: 'Créer l’utilisateur sans mot de passe',
  laterHint: 'Vous pourrez envoyer une invitation ou définir un mot de passe plus tard, sur la page de l’utilisateur.',
  about: (minutes) =>
    `L’e-mail contient un lien pour définir un mot de passe. Il est valable ${minutes}, ne sert qu’une fois, et vérifie l’adresse.`,
  notAllowed:
    'Impossible d’envoyer des invitations : les liens de réinitialisation du mot de passe sont désactivés. Activez-les d’abord dans les paramètres de sécurité.',
  noMail: 'Impossible d’envoyer des invitations : l’e-mail est désactivé sur ce service (LATCHKEY_SMTP_URL).',
  outbox:
    'Aucun serveur de messagerie n’est configuré. Les e-mails vont dans la boîte d’envoi, et les utilisateurs ne les reçoivent pas.',
  language: 'Langue de l’e-mail',
  languages: { en: 'Anglais', de: 'Allemand', fr: 'Français' },
  needsAddress: 'Indiquez l’adresse à laquelle envoyer le lien.',
  createAndSend: 'Créer et envoyer le lien',
  createdAndSent: (name) => `${name} a été créé, et le lien est en route.`,
  inOutbox: (name) => `Aucun serveur de messagerie n’est configuré. L’e-mail pour ${name} est dans la boîte d’envoi.`,
  send: 'Envoyer une invitation',
  again: 'Renvoyer',
  title: (name) => `Inviter ${name}`,
  to: (address) => `L’e-mail est envoyé à ${address}.`,
  sent: (name) => `Une invitation pour ${name} est en route.`,
  notSent: (name) => `${name} a été créé, mais aucun lien n’a été envoyé.`,
  noPassword: 'L’utilisateur n’a pas de mot de passe. Envoyez une invitation, ou définissez un mot de passe.',
  open: (until) =>
    `L’utilisateur n’a pas encore de mot de passe. Un lien pour en définir un est valable jusqu’au ${until}.`,
};
