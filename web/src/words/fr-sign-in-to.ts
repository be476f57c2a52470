// The texts of signing in to applications in French.
import type { signInTo as english } from './en-sign-in-to.ts';

const authorization: (typeof english)['authorization'] = {
  title: (name) => `Se connecter à ${name}`,
  continuing: (name) => `Redirection vers ${name}…`,
  back: (name) => `Retour à ${name}`,
  signedInAs: (user) => `Vous êtes connecté en tant que ${user}.`,
  other: 'Utiliser un autre compte',
  ended: {
    title: 'Cette connexion est terminée',
    text: 'Elle a abouti, a pris trop de temps, ou a commencé dans un autre navigateur. Veuillez recommencer dans l’application.',
  },
  denied: {
    title: (name) => `Pas d’accès à ${name}`,
    text: 'Votre compte ne peut pas utiliser cette application. Demandez l’accès à un administrateur de ce service.',
  },
  again: (name) => `${name} vous demande de vous reconnecter.`,
  otherWay: 'Se connecter autrement, ou avec un autre compte',
  level: (name) => `${name} vous demande de confirmer votre connexion avec un second facteur.`,
  consent: {
    title: (name) => `Partager des données avec ${name} ?`,
    text: (name) => `${name} reçoit :`,
    scopes: {
      openid: 'Votre numéro de compte auprès de ce service',
      profile: 'Votre nom et votre nom d’utilisateur',
      email: 'Votre adresse e-mail',
      phone: 'Votre numéro de mobile',
      roles: 'Vos rôles',
      offline_access: 'Un accès, même après votre déconnexion de ce service',
    },
    later:
      'L’accès prend fin quand vous vous déconnectez ici, sauf si la liste dit autre chose. Vous pouvez le retirer plus tôt sur la page « Mon compte ».',
    allow: 'Autoriser',
    refuse: 'Refuser',
  },
};

const device: (typeof english)['device'] = {
  title: 'Connecter un appareil',
  code: 'Code',
  codeHint: 'Saisissez les 8 lettres qu’affiche l’appareil.',
  wants: (name) => `Un appareil veut se connecter à ${name} en votre nom.`,
  from: (ip) => `L’appareil a l’adresse ${ip}.`,
  warning:
    'Ne continuez que si c’est vous qui avez commencé, sur votre propre appareil. Si quelqu’un vous a envoyé le code ou un lien vers cette page, fermez-la.',
  otherCode: 'Saisir un autre code',
  allowed: {
    title: 'L’appareil est connecté',
    text: 'Vous pouvez retourner à votre appareil et fermer cette page.',
  },
  refused: { title: 'L’appareil a été refusé', text: 'Il n’obtient aucun accès. Vous pouvez fermer cette page.' },
};

const signOut: (typeof english)['signOut'] = {
  title: 'Se déconnecter ?',
  text: 'Une application demande à vous déconnecter de ce service, et donc de toutes les applications ouvertes avec cette connexion.',
  submit: 'Se déconnecter',
  stay: 'Rester connecté',
  over: 'Cette question a expiré, ou vous êtes déjà déconnecté. Pour vous déconnecter, recommencez dans l’application.',
  done: 'Vous êtes déconnecté',
  doneText: 'Vous pouvez fermer cette page.',
  unheard: {
    title: 'Ce navigateur est déconnecté',
    text: 'Le service n’a pas confirmé la déconnexion. Votre session peut y rester ouverte jusqu’à son expiration. Pour y mettre fin, connectez-vous et terminez-la sur la page « Mon compte ».',
  },
  still: (user) =>
    `Vous êtes déconnecté de l’application. Auprès de ce service, vous êtes toujours connecté en tant que ${user}.`,
  told: {
    label: 'Applications',
    states: {
      pending: 'Pas encore de réponse',
      confirmed: 'Déconnectée',
      refused: 'A refusé',
      failed: 'Pas de réponse',
      unreachable: 'Injoignable',
    },
    tokensEnd: (time) => `Ses jetons expirent le ${time}`,
    tokensEnded: 'Ses jetons ont expiré',
    waiting: 'Cette page affiche chaque réponse à son arrivée.',
    inVain:
      'Il se peut que vous soyez encore connecté à une application qui n’a pas confirmé. Veuillez vous y déconnecter aussi.',
  },
};

export const signInTo: typeof english = { authorization, device, signOut };
