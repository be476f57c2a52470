// The texts of second factors and passkeys in French.
import type { Words } from './en.ts';

const days = (count: number) => (count < 2 ? `${count} jour` : `${count} jours`);

export const factors: Words['factors'] = {
  code: {
    label: 'Code',
    hint: 'Le code est vérifié dès que vous avez saisi les 6 chiffres.',
    wrongForm: 'Saisissez les 6 chiffres qu’affiche l’application.',
  },
  challenge: {
    title: 'Confirmez que c’est bien vous',
    switch: {
      Authenticator: 'Utiliser l’application d’authentification',
      Passkey: 'Utiliser une clé d’accès',
      RecoveryCode: 'Utiliser un code de récupération',
    },
    authenticator: 'Ouvrez votre application d’authentification et saisissez le code qu’elle affiche pour ce service.',
    passkey: 'Utilisez une clé d’accès ou une clé de sécurité de ce compte.',
    usePasskey: 'Continuer avec une clé d’accès',
    recoveryCode: 'Code de récupération',
    recoveryForm: 'Un code de récupération a 25 lettres et chiffres, un code plus ancien 10.',
    recoveryHint: 'Saisissez l’un des codes de récupération que vous avez conservés. Chacun ne sert qu’une fois.',
    unsupported:
      'Votre second facteur ne fonctionne pas dans ce navigateur. Veuillez vous connecter avec un autre navigateur ou appareil.',
    trust: (count) => `Ne plus demander sur cet appareil pendant ${days(count)}`,
    trustHint: 'Ne cochez cette case que sur un appareil que vous seul utilisez.',
    submit: 'Continuer',
  },
  passkey: {
    signIn: 'Se connecter avec une clé d’accès',
    name: 'Nom',
    nameHint: 'Pour la reconnaître plus tard.',
    create: 'Créer la clé d’accès',
    createHint:
      'Votre navigateur demande où la conserver : sur cet appareil, dans votre gestionnaire de mots de passe, sur un téléphone ou sur une clé de sécurité.',
    cancelled:
      'La clé d’accès n’a pas été utilisée : vous avez annulé, ou cela a pris trop de temps. Veuillez réessayer.',
    exists: 'Il y a déjà une clé d’accès pour ce compte. Choisissez un autre appareil ou une autre clé de sécurité.',
    refused: 'Cette clé d’accès n’ouvre aucun compte ici. Veuillez vous connecter autrement.',
    wrongAddress: 'Les clés d’accès ne fonctionnent pas à cette adresse. Veuillez prévenir un administrateur.',
  },
  proof: {
    password: 'Mot de passe actuel',
    passwordHint: 'Laissez vide si votre compte n’en a pas.',
    passkey: 'Confirmer plutôt avec une clé d’accès',
    secondFactor: 'Cela change la protection de votre compte. Confirmez aussi avec votre second facteur.',
  },
  enroll: {
    authenticator: 'Configurer une application d’authentification',
    passkey: 'Ajouter une clé d’accès',
    scan: 'Scannez ce code avec une application d’authentification.',
    qrCode: 'Code QR pour l’application d’authentification',
    secret: 'Si vous ne pouvez pas le scanner, saisissez cette clé dans l’application :',
    copy: 'Copier la clé',
    copied: 'La clé a été copiée.',
    open: 'Ouvrir une application sur cet appareil',
    first: 'Saisissez ensuite le code qu’affiche l’application.',
    submit: 'Continuer',
    confirm: 'Configurer',
    authenticatorOver:
      'Cela a pris plus de 5 minutes. Veuillez recommencer, et supprimer l’ancienne entrée de votre application d’authentification.',
    passkeyOver: 'Cela a pris trop de temps. Veuillez recommencer.',
    ended:
      'Vous avez recommencé ailleurs, par exemple dans un autre onglet, ou vos seconds facteurs ou votre mot de passe ont changé. Veuillez recommencer.',
  },
  codes: {
    title: 'Conserver vos codes de récupération',
    reason:
      'Un code de récupération permet de vous connecter lorsque vous n’avez pas votre second facteur. Chaque code ne sert qu’une fois. Ils remplacent ceux conservés auparavant et ne sont affichés que maintenant : gardez-les en lieu sûr.',
    list: 'Codes de récupération',
    download: 'Télécharger',
    print: 'Imprimer',
    copy: 'Copier',
    copied: 'Les codes ont été copiés.',
    stored: 'Je les ai conservés',
    done: 'Terminé',
    fileName: 'codes-de-recuperation.txt',
    fileTitle: (account, application) => `Codes de récupération de ${account} pour ${application}`,
    fileNote: 'Chaque code ne sert qu’une fois.',
  },
  required: {
    title: 'Configurer un second facteur',
    reason: 'Votre compte a besoin d’un second facteur avant de continuer.',
    again: 'Choisir un autre moyen',
    signOut: 'Se déconnecter',
  },
  account: {
    title: 'Seconds facteurs et clés d’accès',
    reason: 'Avec un second facteur, un mot de passe volé ne suffit pas pour ouvrir votre compte.',
    off: 'Un administrateur a désactivé cela. La connexion ne le demande pas.',
    authenticator: {
      title: 'Application d’authentification',
      none: 'Une application de votre téléphone affiche un code de six chiffres, que vous saisissez après le mot de passe.',
      since: (at) => `Configurée le ${at}`,
      setUp: 'Configurer une application d’authentification',
      replace: 'Configurer une autre application',
      remove: 'Retirer',
      removeLabel: 'Retirer l’application d’authentification',
      removeTitle: 'Retirer l’application d’authentification ?',
      removed: 'L’application d’authentification a été retirée.',
      done: 'L’application d’authentification est configurée.',
    },
    removeText: 'La connexion ne la demande plus.',
    removeLastText:
      'C’est votre dernier second facteur. Ensuite, le mot de passe seul ouvre votre compte, et vos codes de récupération ne fonctionnent plus.',
    passkeys: {
      title: 'Clés d’accès',
      none: 'Avec une clé d’accès, vous vous connectez par empreinte, visage, code de l’appareil ou clé de sécurité, sans mot de passe.',
      unsupported: 'Ce navigateur ne peut pas utiliser de clés d’accès ici.',
      add: 'Ajouter une clé d’accès',
      created: (at) => `Créée le ${at}`,
      used: (at) => `Dernière utilisation le ${at}`,
      unused: 'Pas encore utilisée',
      backedUp: 'Sauvegardée',
      notBackedUp: 'Sur un seul appareil',
      rename: 'Renommer',
      renameOne: (name) => `Renommer ${name}`,
      renameTitle: 'Renommer la clé d’accès',
      renamed: (name) => `La clé d’accès s’appelle désormais ${name}.`,
      remove: 'Retirer',
      removeOne: (name) => `Retirer ${name}`,
      removeTitle: (name) => `Retirer ${name} ?`,
      removeText:
        'Vous ne pourrez plus vous connecter avec elle. Supprimez-la aussi de votre appareil ou de votre gestionnaire de mots de passe.',
      removed: (name) => `${name} a été retirée.`,
      done: (name) => `La clé d’accès ${name} a été ajoutée.`,
    },
    codes: {
      title: 'Codes de récupération',
      left: (count) => (count < 2 ? `Il reste ${count} code.` : `Il reste ${count} codes.`),
      few: 'Créez-en de nouveaux avant de les avoir tous utilisés.',
      renew: 'Créer de nouveaux codes',
      renewTitle: 'Créer de nouveaux codes de récupération ?',
      renewText: 'Vos codes actuels cessent de fonctionner.',
      renewed: 'Vous avez de nouveaux codes de récupération.',
    },
    devices: {
      title: 'Appareils de confiance',
      reason: 'La connexion ne demande pas le second facteur sur ces appareils.',
      used: (at) => `Dernière utilisation le ${at}`,
      remove: 'Retirer',
      removeOne: (name) => `Retirer ${name}`,
      removed: (name) => `La connexion demande de nouveau le second facteur sur ${name}.`,
    },
  },
};

export const userFactors: Words['users']['factors'] = {
  title: 'Seconds facteurs et clés d’accès',
  authenticator: 'Application d’authentification',
  passkey: (name) => `Clé d’accès ${name}`,
  since: (at) => `depuis le ${at}`,
  used: (at) => `dernière utilisation le ${at}`,
  unused: 'pas encore utilisée',
  codes: (count) =>
    count < 2 ? `Il reste ${count} code de récupération.` : `Il reste ${count} codes de récupération.`,
  devices: (count) => (count < 2 ? `${count} appareil de confiance.` : `${count} appareils de confiance.`),
  reset: 'Réinitialiser les seconds facteurs',
  resetTitle: (name) => `Réinitialiser les seconds facteurs de ${name}`,
  resetText:
    'Le service retire tous les seconds facteurs, clés d’accès et codes de récupération de l’utilisateur et l’en informe. Assurez-vous que la demande vient bien de lui : les attaquants demandent cela.',
  reason: 'Raison',
  reasonHint: 'Pour le journal d’audit, par exemple comment vous avez vérifié l’identité de l’utilisateur.',
  resetSubmit: 'Réinitialiser',
  resetDone: (name) => `${name} n’a plus de second facteur.`,
};
