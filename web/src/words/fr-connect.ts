// The texts of the pages that connect applications and front ends, in French.
import type { connect as english } from './en-connect.ts';

export const connect: typeof english = {
  tab: 'Connecter',
  title: (name) => `Connecter ${name}`,
  openOf: (name) => `Connecter ${name}`,
  values: 'Ce dont le programme a besoin',
  issuer: 'Émetteur',
  origins: 'Origines autorisées',
  originsHint: 'Le service les déduit des URI de redirection. Il n’y a rien à régler.',
  environment: 'Environnement',
  secretHint: (button) =>
    `Le service n’affiche le secret client qu’une fois. Si vous ne l’avez pas, choisissez en haut « ${button} », et mettez-le à la place de CLIENT_SECRET. Il n’a pas sa place dans le code source.`,
  sessionSecretHint:
    'SESSION_SECRET est une nouvelle valeur aléatoire à chaque affichage de cette page. Si le programme en a déjà une, gardez-la : une autre déconnecte ses utilisateurs.',
  code: 'Code source',
  more: 'Lire le guide',
  trial: 'Essai',
  trialHint: 'Le service reçoit la requête qu’enverra le programme, et dit s’il l’accepte.',
  try: 'Essayer',
  tryOne: (uri) => `Essayer ${uri}`,
  accepted: 'Acceptée',
  acceptedText:
    'Le service accepte la requête. Connectez-vous pour voir que la redirection arrive : le programme dit alors qu’il n’a pas demandé cette connexion.',
  open: 'Se connecter dans un nouvel onglet',
  refused: 'Le service refuse la requête',
  unreachable: 'Le service n’a pas répondu. Réessayez.',
  elsewhere: (url) =>
    `Ouvrez cette page à l’adresse ${url} pour essayer : c’est là que le programme envoie ses utilisateurs.`,
  allowedOrigin: 'Origine autorisée',
  origin: 'Origine du front-end',
  originHint: 'Le schéma, le nom d’hôte et le port dans la barre d’adresse de ses pages.',
  originFault: 'Écrivez-la ainsi : https://portal.example.com ou http://localhost:5173.',
  allowed: 'Autorisée',
  notAllowed:
    'Les navigateurs refusent ses appels. Définissez cette variable sur la machine du service, et redémarrez le service :',
  signInHint: 'Ouvrez la page de connexion avec les paramètres et la marque de ce front-end.',
  openSignIn: 'Ouvrir la page de connexion',
};
