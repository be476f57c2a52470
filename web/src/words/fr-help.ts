// The texts of the guide, the API explorer and the keyboard shortcuts in French.
import type { Words } from './en.ts';

export const guide: Words['guide'] = {
  title: 'Guide',
  open: 'Guide',
  unknownTitle: 'Introuvable',
  unknown: 'Il n’y a pas de guide à cette adresse.',
  contents: 'Sur cette page',
  search: 'Rechercher',
  searchHint: 'Titre ou terme',
  none: 'Aucun guide ne correspond.',
  inEnglish: 'Le guide n’existe qu’en anglais.',
  topics: {
    use: 'Utilisation',
    signIn: 'Connexion et sécurité',
    programs: 'Connecter des programmes',
    run: 'Exploiter le service',
    develop: 'Développer des applications',
    reference: 'Référence',
  },
};

export const api: Words['api'] = {
  title: 'Explorateur d’API',
  reason:
    'Envoyez des appels à ce service avec votre session. Chaque appel agit immédiatement, avec vos autorisations.',
  search: 'Rechercher',
  searchHint: 'Nom ou description',
  empty: 'Aucun appel ne correspond.',
  count: (count) => (count < 2 ? `${count} appel` : `${count} appels`),
  document: 'Document OpenAPI',
  unknown: 'Il n’y a pas d’appel à cette adresse.',
  access: {
    public: 'Pour tous les appelants',
    token: 'Pour les appelants connectés',
    permission: (name) =>
      `Pour les appelants qui ont l’autorisation ${name}, et pour les clés de service qui administrent avec elle.`,
    keys: 'Administrer depuis un serveur',
  },
  input: 'Entrée',
  noInput: 'Cet appel ne prend pas d’entrée.',
  required: 'obligatoire',
  notSent: 'Non envoyé',
  json: 'JSON',
  noJson: 'Ce n’est pas du JSON valide.',
  noNumber: 'Ce n’est pas un nombre.',
  send: 'Envoyer',
  ownCall: 'Les pages font elles-mêmes cet appel : il remplace le jeton de votre session. Essayez-le avec curl.',
  ends: 'Cet appel vous déconnecte.',
  answer: 'Réponse',
  status: (status, milliseconds) => `Statut ${status}, après ${milliseconds} ms`,
  result: 'Résultat',
  curl: 'Avec curl',
  type: {
    list: (of) => `liste de ${of}`,
    or: ' ou ',
    any: 'toute valeur',
  },
  columns: { name: 'Nom', type: 'Type', description: 'Description' },
};

export const shortcuts: Words['shortcuts'] = {
  title: 'Raccourcis clavier',
  keys: { mod: 'Ctrl', escape: 'Échap' },
  palette: 'Trouver une page, un utilisateur, un paramètre ou un guide',
  search: 'Aller au champ de recherche d’une liste',
  save: 'Enregistrer le formulaire',
  undo: 'Annuler la modification, tant qu’une notification le propose',
  help: 'Afficher ces raccourcis',
  close: 'Fermer une boîte de dialogue ou un menu',
  singleKeys: 'Utiliser les raccourcis d’une seule touche',
  singleKeysHint: 'Désactivez-les si vous utilisez la saisie vocale, ou s’il vous arrive d’appuyer par mégarde.',
};
