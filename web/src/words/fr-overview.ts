// The texts of the overview in French.
import type { overview as english } from './en-overview.ts';

type Means = 'email' | 'sms';

const number = (count: number) => new Intl.NumberFormat('fr').format(count);

const list = (names: readonly string[]) => new Intl.ListFormat('fr').format(names);

const messages = (count: number, means: Means) =>
  `${number(count)} ${means === 'sms' ? 'SMS' : count < 2 ? 'e-mail' : 'e-mails'}`;

const complexity = 'Abp.Zero.UserManagement.PasswordComplexity';
const predictable =
  'De telles règles rendent les mots de passe plus faciles à deviner, car beaucoup d’utilisateurs les satisfont de la même manière. Exigez plutôt une plus grande longueur.';

export const overview: typeof english = {
  title: 'Vue d’ensemble',
  started: {
    title: 'Premiers pas',
    done: (done, all) => `${number(done)} étape${done < 2 ? '' : 's'} sur ${number(all)}`,
    dismiss: 'Masquer',
    dismissed: '« Premiers pas » est masqué dans ce navigateur.',
    isDoneLabel: 'Fait',
    steps: {
      address: {
        title: 'Enregistrer votre propre adresse e-mail',
        text: 'Une adresse vérifiée permet de réinitialiser un mot de passe oublié. La vérification montre aussi si les e-mails arrivent.',
        action: 'Mon compte',
      },
      email: {
        title: 'Envoyer des e-mails',
        text: 'Les codes et les liens restent dans la boîte d’envoi tant qu’aucun serveur de messagerie n’est configuré.',
        action: 'Guide',
      },
      sms: {
        title: 'Envoyer des SMS',
        text: 'Les codes pour les numéros de mobile restent dans la boîte d’envoi, jusqu’à ce qu’une passerelle soit configurée ou que les SMS soient désactivés.',
        action: 'Guide',
      },
      factorKinds: {
        title: 'Activer les seconds facteurs',
        text: 'Les clés d’accès ou l’application d’authentification. D’ici là, un mot de passe suffit pour chaque compte, le vôtre aussi.',
        action: 'Paramètres',
      },
      factor: {
        title: 'Protéger votre compte par un second facteur',
        text: 'Une application d’authentification ou une clé d’accès : votre compte peut tout modifier.',
        action: 'Mon compte',
      },
      connect: {
        title: 'Raccorder la première application',
        text: 'Une application à laquelle on se connecte, ou votre propre front-end.',
        action: 'Créer',
      },
      user: {
        title: 'Créer le premier utilisateur',
        text: 'Il reçoit un lien avec lequel il définit un mot de passe.',
        action: 'Créer',
      },
    },
  },
  range: { label: 'Période', '24h': '24 heures', '7d': '7 jours', '30d': '30 jours' },
  during: {
    '24h': 'au cours des dernières 24 heures',
    '7d': 'au cours des 7 derniers jours',
    '30d': 'au cours des 30 derniers jours',
  },
  figures: {
    title: 'Chiffres',
    signIns: 'Connexions',
    refusals: 'Refus',
    lockouts: 'Verrouillages',
    registrations: 'Inscriptions',
    messagesSent: 'Messages envoyés',
    messagesFailed: 'Non envoyés',
    listOf: (figure, total) => `${figure} : ${total}`,
  },
  change: (change, previous) => `${change} · ${previous} auparavant`,
  same: 'Autant qu’auparavant',
  noneBefore: '0 auparavant',
  parts: {
    password: 'Mot de passe',
    pin: 'Code à usage unique',
    external: 'Fournisseur externe',
    authenticator: 'Avec application d’authentification',
    passkey: 'Clé d’accès',
    recoveryCode: 'Avec code de récupération',
    account: 'Utilisateurs',
    unknownName: 'Noms inconnus',
    address: 'Par le formulaire d’inscription',
    provider: 'Par un fournisseur',
    email: 'E-mail',
    sms: 'SMS',
    other: 'Autres',
    'signIn.invalidCredentials': 'Nom ou mot de passe inexact',
    'signIn.lockedOut': 'Verrouillé',
    'signIn.notActive': 'Utilisateur désactivé',
    'pin.invalid': 'Code inexact ou expiré',
    'pin.cooldown': 'Code demandé trop tôt',
    'pin.dailyLimit': 'Trop de codes en un jour',
    'factor.invalid': 'Second facteur inexact',
    'factor.challengeInvalid': 'Second facteur trop tardif',
    'factor.enrollmentRequired': 'Second facteur non configuré',
    'password.incorrect': 'Mot de passe actuel inexact',
    'password.policy': 'Mot de passe contraire aux règles',
    'reset.invalidToken': 'Code, lien ou réponses inexacts',
    'external.couldNotValidate': 'Non confirmé par le fournisseur',
    'external.unavailable': 'Aucune réponse utilisable d’un fournisseur',
    'external.emailInUse': 'Adresse du fournisseur déjà utilisée',
    'rateLimit.exceeded': 'Trop de requêtes',
    'token.expired': 'Jeton expiré',
    'token.revoked': 'Jeton révoqué',
    'token.invalid': 'Jeton non valide',
    'permission.denied': 'Pas d’autorisation',
  },
  messages: {
    sent: 'Envoyés',
    outbox: 'Boîte d’envoi',
    either: 'Envoyés ou dans la boîte d’envoi',
    failed: 'Non envoyés',
  },
  charts: {
    signIns: 'Connexions par méthode',
    applications: 'Connexions à des applications',
    refusals: 'Refus par raison',
    messages: 'Messages',
    lockouts: 'Verrouillages',
    registrations: 'Inscriptions',
    summary: (title, total, peak) =>
      `${title} : ${total}.${peak ? ` Maximum : ${peak}.` : ''} Le tableau ci-dessous contient les nombres.`,
    table: 'Afficher les nombres',
    total: 'Nombre',
    when: 'À partir de',
    parts: 'Dont',
    nothing: 'Rien sur cette période.',
    trail: 'Journal d’audit',
    trailOf: (title) => `Journal d’audit : ${title}`,
  },
  empty:
    'Rien n’a encore été compté sur cette période. Les connexions, refus et messages apparaissent ici au fur et à mesure.',
  since: (day) => `Le service compte depuis le ${day}. Il n’y a pas de chiffres antérieurs.`,
  now: {
    title: 'En ce moment',
    openSessions: 'Sessions ouvertes des utilisateurs',
    users: 'Utilisateurs',
    active: 'Actifs',
    inactive: 'Désactivés',
    locked: 'Verrouillés',
    mustChangePassword: 'Mot de passe à changer',
    orMore: (count) => `${count} ou plus`,
  },
  attention: {
    title: 'À traiter',
    nothing: 'Rien ne demande votre attention.',
    conformance: 'Ce que le service respecte d’OWASP ASVS et du NIST',
    all: (count) => `Tout afficher (${count})`,
    messagesWaiting: (count, means, time) => ({
      title: `${messages(count, means)} en attente d’envoi`,
      text: `Le plus ancien attend depuis ${time}. La passerelle ne l’accepte pas. Le journal du service dit pourquoi.`,
    }),
    messagesFailed: (failed, all, means) => ({
      title: `${number(failed)} sur ${messages(all, means)} n’${failed < 2 ? 'a' : 'ont'} pas pu être envoyé${failed < 2 ? '' : 's'} au cours des dernières 24 heures`,
      text: 'Vérifiez la passerelle. Le journal du service dit pourquoi chaque message a échoué.',
    }),
    webhooksDisabled: (names, count) => ({
      title: count < 2 ? 'Le service a désactivé un webhook' : `Le service a désactivé ${number(count)} webhooks`,
      text: `Le destinataire ne veut plus d’événements, ou échoue depuis cinq jours. Corrigez-le, puis activez le webhook : ${list(names)}${count > names.length ? ' …' : ''}`,
    }),
    webhooksFull: (names, count) => ({
      title:
        count < 2
          ? 'Un webhook ne reçoit plus de nouveaux événements'
          : `${number(count)} webhooks ne reçoivent plus de nouveaux événements`,
      text: `100 000 événements attendent déjà. Corrigez le destinataire, ou supprimez le webhook : ${list(names)}${count > names.length ? ' …' : ''}`,
    }),
    providerSecretsExpire: (names, count, date, isOver) => ({
      title:
        count < 2
          ? `Le secret client d’un fournisseur externe ${isOver ? 'a expiré' : 'expire'} le ${date}`
          : `Les secrets client de ${number(count)} fournisseurs externes ${isOver ? 'ont expiré ou expirent bientôt' : 'expirent'}, le premier le ${date}`,
      text: `Avec un secret expiré, plus personne ne peut se connecter. Créez-en un nouveau chez le fournisseur et saisissez-le ici avec sa date d’expiration : ${list(names)}${count > names.length ? ' …' : ''}`,
    }),
    chainStandsStill: (time) => ({
      title: 'Les nouvelles entrées du journal d’audit ne sont pas chaînées',
      text: `La plus ancienne attend depuis ${time}. Tant qu’elle n’est pas chaînée, une modification passerait inaperçue. Le journal du service dit pourquoi.`,
    }),
    keyOverdue: (date) => ({
      title: `La clé de signature aurait dû être remplacée le ${date}`,
      text: 'Le service le fait normalement lui-même. Cherchez des erreurs dans son journal, ou exécutez : latchkey keys rotate',
    }),
    keyRotatesSoon: (date) => ({
      title: `Le service remplace sa clé de signature le ${date}`,
      text: 'Les sessions restent ouvertes. Les services qui lisent le jeu de clés n’ont rien à changer.',
    }),
    badSettings: (count) => ({
      title:
        count < 2
          ? 'Un paramètre enregistré est hors limites'
          : `${number(count)} paramètres enregistrés sont hors limites`,
      text: 'La dernière valeur correcte reste en vigueur. Le journal du service nomme le paramètre : enregistrez-le de nouveau.',
    }),
    secondFactorUnmet: (frontEnds) => ({
      title: `Un second facteur est exigé pour ${list(frontEnds)}, mais aucun type n’est activé`,
      text: 'Le service n’en demande donc à personne. Activez les clés d’accès ou l’application d’authentification.',
    }),
    weakSetting: (title, text, frontEnds) => ({
      title:
        frontEnds.length === 0 ? `Paramètre faible : ${title}` : `Paramètre faible pour ${list(frontEnds)} : ${title}`,
      text,
    }),
    weak: {
      'Abp.Zero.UserManagement.UserLockOut.IsEnabled': {
        title: 'Verrouillage après des échecs',
        text: 'Les attaquants ont jusqu’à 100 tentatives de suite pour deviner un mot de passe, au lieu de quelques-unes.',
      },
      [`${complexity}.RequireDigit`]: { title: 'Exiger un chiffre', text: predictable },
      [`${complexity}.RequireLowercase`]: { title: 'Exiger une minuscule', text: predictable },
      [`${complexity}.RequireUppercase`]: { title: 'Exiger une majuscule', text: predictable },
      [`${complexity}.RequireNonAlphanumeric`]: { title: 'Exiger un caractère spécial', text: predictable },
      [`${complexity}.RequiredLength`]: {
        title: 'Longueur minimale des mots de passe',
        text: 'Les mots de passe de moins de 8 caractères sont trop faciles à deviner.',
      },
      'Shesha.Security.useResetPasswordViaSecurityQuestions': {
        title: 'Réinitialiser le mot de passe par questions de sécurité',
        text: 'D’autres personnes connaissent ou devinent souvent les réponses, et peuvent ainsi s’emparer du compte.',
      },
      'Latchkey.Tokens.sessionLifetime': {
        title: 'Durée d’une session',
        text: 'Un jeton volé peut être renouvelé pendant plus de 30 jours, sans nouvelle connexion.',
      },
      'Latchkey.RateLimiting.loginPermitLimit': {
        title: 'Tentatives de connexion par adresse',
        text: 'Une adresse peut essayer des mots de passe courants sur de nombreux utilisateurs avant qu’une limite ne l’arrête.',
      },
    },
    serviceKeysUnused: (names, count) => ({
      title:
        count < 2
          ? 'Une clé de service n’a pas servi depuis 90 jours'
          : `${number(count)} clés de service n’ont pas servi depuis 90 jours`,
      text: `Révoquez les clés dont aucun service n’a besoin : ${list(names)}${count > names.length ? ' …' : ''}`,
    }),
    noGateway: (means) => ({
      title: means === 'email' ? 'Les e-mails ne sont pas envoyés' : 'Les SMS ne sont pas envoyés',
      text: 'Aucune passerelle n’est configurée. Les messages apparaissent dans la boîte d’envoi.',
    }),
    actions: {
      trail: 'Afficher les messages en échec',
      setting: 'Modifier le paramètre',
      settings: 'Ouvrir les paramètres',
      serviceKeys: 'Ouvrir les clés de service',
      webhooks: 'Ouvrir les webhooks',
      outbox: 'Ouvrir la boîte d’envoi',
    },
  },
};
