// The texts of the sign-in pages in French, and those that all pages share.
import type { Words } from './en.ts';

type Names =
  | 'browser'
  | 'common'
  | 'notFound'
  | 'signIn'
  | 'legal'
  | 'locked'
  | 'pin'
  | 'external'
  | 'change'
  | 'forgot'
  | 'reset'
  | 'register';

export const pages: Pick<Words, Names> = {
  browser: { unknown: 'Navigateur inconnu', on: (browser, system) => `${browser} sur ${system}` },
  common: {
    cancel: 'Annuler',
    close: 'Fermer',
    sendTest: {
      email: 'M’envoyer un e-mail de test',
      sms: 'M’envoyer un SMS de test',
      unverified: {
        email: 'Vérifiez d’abord votre propre adresse e-mail :',
        sms: 'Vérifiez d’abord votre propre numéro de mobile :',
      },
      sent: (to: string) => `Un test est en route vers ${to}. Le résultat est dans le journal d’audit.`,
    },
    undo: 'Annuler la modification',
    undone: 'La modification a été annulée.',
    changedSince: 'Un autre administrateur a modifié cela entre-temps. Rien n’a été enregistré.',
    save: 'Enregistrer',
    create: 'Créer',
    discardTitle: 'Abandonner vos modifications ?',
    discardText: 'Vos modifications ne sont pas enregistrées.',
    keepEditing: 'Continuer la saisie',
    discard: 'Abandonner',
    retry: 'Réessayer',
    back: 'Retour',
    continue: 'Continuer',
    loading: 'Chargement…',
    code: 'Code',
    language: 'Langue',
    required: 'Veuillez remplir ce champ.',
    wait: (time) => `Vous pourrez réessayer dans ${time}.`,
    unreachable: 'Le service est injoignable. Veuillez vérifier votre connexion, puis réessayer.',
    recovers: 'La page se chargera d’elle-même dès que le service répondra.',
    partMissing: 'Une partie de cette page n’a pas pu être chargée. Veuillez réessayer, ou recharger la page.',
    unforeseen: 'Une erreur s’est produite sur la page. Veuillez réessayer, ou recharger la page.',
    labelled: (label, text) => `${label} : ${text}`,
    showPassword: 'Afficher ou masquer le mot de passe',
    traceId: (id) => `Identifiant de suivi : ${id}`,
  },
  notFound: {
    title: 'Page introuvable',
    text: 'Il n’y a pas de page à cette adresse.',
  },
  signIn: {
    title: 'Connexion',
    name: 'Nom d’utilisateur ou adresse e-mail',
    password: 'Mot de passe',
    stay: 'Rester connecté',
    submit: 'Se connecter',
    withPin: 'Se connecter avec un code',
    lastUsed: 'Dernière utilisation',
    forgot: 'Mot de passe oublié ?',
    register: 'Créer un compte',
    or: 'ou',
    ended: {
      signedOff: 'Vous êtes déconnecté.',
      idle: 'Vous avez été déconnecté, car vous êtes resté inactif un certain temps.',
      ended: 'Votre session est terminée. Veuillez vous reconnecter.',
      reset: 'Votre mot de passe a été défini. Connectez-vous avec celui-ci.',
      registered: 'Votre compte a été créé. Veuillez vous connecter.',
      expired: 'La connexion a pris trop de temps. Veuillez recommencer.',
    },
    blocked: {
      title: 'Votre navigateur bloque le stockage',
      reason:
        'Vous ne pouvez pas vous connecter, car votre navigateur n’enregistre rien pour ce site. Autorisez les cookies et les données de ce site, puis réessayez.',
    },
  },
  legal: { label: 'Mentions légales et aide', terms: 'Conditions', privacy: 'Confidentialité', support: 'Aide' },
  locked: {
    title: 'Connexion verrouillée pour le moment',
    reason:
      'Il y a eu trop de tentatives infructueuses. Le verrouillage prendra fin de lui-même. Vous pouvez aussi réinitialiser votre mot de passe.',
    over: 'Vous pouvez maintenant réessayer.',
  },
  pin: {
    title: 'Se connecter avec un code',
    check: 'Consultez vos messages',
    name: 'Nom d’utilisateur, adresse e-mail ou numéro de mobile',
    request: 'Envoyer le code',
    sent: 'S’il existe un compte avec un numéro ou une adresse vérifiés, un code est en route. S’il n’arrive pas, envoyez-en un nouveau.',
    code: 'Code',
    digits: (count) => `Le code est vérifié dès que vous avez saisi les ${count} chiffres.`,
    letters: (count) => `Le code est vérifié dès que vous avez saisi les ${count} lettres et chiffres.`,
    submit: 'Se connecter',
    resend: 'Envoyer un nouveau code',
    resendIn: (time) => `Envoyer un nouveau code dans ${time}`,
    resent: 'Un nouveau message est en route. Le précédent n’est plus valable.',
    otherName: 'Utiliser un autre nom',
    withPassword: 'Se connecter avec un mot de passe',
  },
  external: {
    continueWith: (name) => `Continuer avec ${name}`,
    title: (name) => `Se connecter avec ${name}`,
    checking: 'Connexion en cours…',
    denied: (name) => `${name} a refusé la connexion, ou vous l’avez annulée. Vous n’êtes pas connecté.`,
    deniedAgain: (name) => `${name} a refusé la connexion, ou vous l’avez annulée. Veuillez vous reconnecter.`,
    failed: (name, error) =>
      `${name} signale l’erreur ${error}. Veuillez recommencer. Si cela se reproduit, prévenez un administrateur.`,
    noProof: (name) => `La réponse de ${name} n’est pas valide. Veuillez recommencer.`,
    nothing: 'Cette page a déjà servi, ou a été ouverte par erreur. Veuillez recommencer.',
    waiting: 'Votre compte a été créé. Un administrateur doit d’abord l’activer. Veuillez vous connecter plus tard.',
    backToAccount: 'Retour à mon compte',
    link: {
      title: (name) => `Lier ${name}`,
      text: (name, account) =>
        `Ensuite, votre connexion à ${name} ouvrira votre compte ${account} sans son mot de passe. Saisissez le mot de passe pour confirmer.`,
      submit: 'Lier',
      denied: (name) => `${name} a refusé la connexion, ou vous l’avez annulée. Rien n’a été lié.`,
      signedOut: 'Vous n’êtes plus connecté. Connectez-vous, puis recommencez.',
    },
  },
  change: {
    title: 'Choisir un nouveau mot de passe',
    reason: 'Vous devez changer votre mot de passe avant de continuer.',
    current: 'Mot de passe actuel',
    next: 'Nouveau mot de passe',
    repeat: 'Répéter le nouveau mot de passe',
    differs: 'Saisissez deux fois le même mot de passe.',
    submit: 'Changer le mot de passe',
    done: 'Votre mot de passe a été changé.',
    rules: {
      title: 'Le mot de passe doit contenir',
      length: (count) => `au moins ${count} caractères`,
      digit: 'un chiffre',
      lower: 'une lettre minuscule',
      upper: 'une lettre majuscule',
      special: 'un caractère qui n’est ni une lettre ni un chiffre',
      met: 'règle respectée',
      notMet: 'règle pas encore respectée',
      allMet: 'Le mot de passe respecte toutes ces règles.',
      missing: (list) => `Il manque encore au mot de passe : ${list}.`,
    },
  },
  forgot: {
    title: 'Mot de passe oublié',
    checkMail: 'Consultez vos e-mails',
    checkPhone: 'Consultez votre téléphone',
    name: 'Nom d’utilisateur ou adresse e-mail',
    choose: 'Comment voulez-vous prouver que c’est bien vous ?',
    none: 'La réinitialisation du mot de passe est désactivée. Veuillez vous adresser à un administrateur.',
    methods: {
      link: (to) => `Envoyer un lien par e-mail à ${to}`,
      sms: (to) => `Envoyer un code par SMS au ${to}`,
      questions: 'Répondre à des questions de sécurité',
    },
    linkSent:
      'S’il existe un compte, un e-mail est en route. Ouvrez le lien qu’il contient, ou saisissez ici son code. S’il n’arrive pas, envoyez-en un nouveau.',
    smsSent:
      'S’il existe un compte, un SMS est en route. Saisissez ici le code qu’il contient. S’il n’arrive pas, envoyez-en un nouveau.',
    code: 'Code',
    oneTimePassword: 'Code',
    check: 'Vérifier',
    questions: 'Répondez à toutes ces questions.',
    wrong: 'C’est inexact, ou ce n’est plus valable. Veuillez vérifier, attendre quelques minutes, ou recommencer.',
    again: 'Recommencer',
    backToSignIn: 'Retour à la connexion',
  },
  reset: {
    title: 'Définir votre mot de passe',
    ready: (name) => `Continuez pour définir le mot de passe de ${name}. Le lien ne sert qu’une fois.`,
    empty: 'Ce lien est incomplet. Ouvrez de nouveau le lien de l’e-mail, ou demandez-en un nouveau.',
    bad: 'Ce lien n’est plus valable. Un lien ne sert qu’une fois, et peu de temps.',
    begin: 'Demander un nouveau lien',
    submit: 'Définir le mot de passe',
  },
  register: {
    title: 'Créer un compte',
    off: 'L’inscription est désactivée. Veuillez vous adresser à un administrateur.',
    email: 'Adresse e-mail',
    emailReason: 'Nous y envoyons un code pour vérifier qu’elle est à vous.',
    mobile: 'Numéro de mobile',
    mobileReason:
      'Avec l’indicatif du pays, par exemple +27 82 123 4567. Nous y envoyons un code pour vérifier qu’il est à vous. Quiconque s’empare de votre numéro peut lire ses codes : ajoutez plus tard une clé d’accès ou une application d’authentification.',
    send: 'Envoyer le code',
    sent: (to) => `Un code est en route vers ${to}.`,
    pin: 'Code',
    verify: 'Vérifier',
    wrongPin: 'Ce code est inexact, ou n’est plus valable.',
    ready: 'Continuez pour vérifier votre adresse. Le lien ne sert qu’une fois.',
    bad: 'Ce lien n’est plus valable. Un lien ne sert qu’une fois, et peu de temps.',
    proven: (to) => `Vous avez vérifié ${to}.`,
    provenByLink: 'Votre adresse est vérifiée. Veuillez la saisir encore une fois.',
    userName: 'Nom d’utilisateur',
    userNameReason: 'Si vous le laissez vide, vous vous connectez avec votre adresse.',
    firstName: 'Prénom',
    lastName: 'Nom',
    password: 'Mot de passe',
    repeat: 'Répéter le mot de passe',
    submit: 'Créer le compte',
  },
};
