// The texts of the pages of webhooks in French.
import type { webhooks as english } from './en-webhooks.ts';

const number = (count: number) => count.toLocaleString('fr');

export const webhooks: typeof english = {
  title: 'Webhooks',
  one: 'Webhook',
  reason:
    'Un webhook envoie ce qui se passe ici à un autre système, sous forme de requêtes signées selon Standard Webhooks.',
  empty:
    'Il n’y a pas encore de webhook. Créez-en un pour envoyer des événements à une application, une messagerie ou un collecteur de journaux.',
  unknown: 'Il n’y a pas de webhook avec cet identifiant. Il a peut-être été supprimé.',
  add: 'Créer un webhook',
  edit: 'Modifier',
  editOne: (name) => `Modifier ${name}`,
  saved: (name) => `${name} a été enregistré.`,
  columns: { url: 'Adresse', events: 'Événements', state: 'État' },
  urlHint: 'Le service y envoie chaque événement. Utilisez https sur l’internet public.',
  description: 'Description',
  descriptionHint: 'Par exemple le nom du système. À défaut, les listes affichent l’hôte.',
  createdAt: 'Créé',
  actions: 'Actions',
  events: {
    label: 'Événements',
    hint: 'Choisissez des événements dans la liste, ou saisissez un motif comme signIn.* et appuyez sur Entrée.',
    none: 'Choisissez au moins un événement.',
    all: 'Tout',
    allEvents: 'Tous les événements',
    allOf: (group) => `Tous : ${group}`,
    test: 'Test',
    head: 'Dernière empreinte du journal d’audit, chaque heure',
    more: (count) => `et ${number(count)} de plus`,
  },
  created: {
    title: 'Le secret du webhook',
    reason:
      'Le secret n’est affiché que maintenant. Donnez-le au destinataire, qui vérifie ainsi que les événements viennent d’ici.',
    label: 'Secret',
    copy: 'Copier',
    copied: 'Le secret a été copié.',
    done: 'Terminé',
  },
  rotation: {
    open: 'Remplacer le secret',
    title: (name) => `Remplacer le secret de ${name}`,
    reason:
      'Le service crée un nouveau secret. Pendant 24 heures, l’actuel signe aussi, afin que le destinataire ne manque aucun événement. Donnez-lui le nouveau dans ce délai. Un secret que vous avez remplacé il y a moins de 24 heures cesse dès maintenant de signer.',
    yes: 'Remplacer',
    done: 'Le nouveau secret n’est affiché que maintenant. Donnez-le au destinataire : l’ancien signe aussi pendant 24 heures.',
  },
  states: {
    enabled: 'Activé',
    disabled: 'Désactivé',
    gone: 'Désactivé : le destinataire ne veut plus d’événements',
    failing: 'Désactivé après cinq jours d’échecs',
    failingSince: (moment) => `En échec depuis le ${moment}`,
    fullSince: (moment) => `Ne reçoit plus de nouveaux événements depuis le ${moment}`,
    untried: 'Jamais essayé',
  },
  disabledBecause: {
    gone: 'Le destinataire a répondu 410. Activez le webhook lorsqu’il acceptera de nouveau des événements. Ce qui se passe entre-temps n’est pas envoyé.',
    failing:
      'Toutes les tentatives ont échoué pendant cinq jours. Corrigez le destinataire, puis activez le webhook. Les événements en attente sont alors envoyés, s’ils n’ont pas plus d’une semaine. Ce qui s’est passé pendant la désactivation n’est pas envoyé.',
  },
  full: 'Plus de 100 000 événements attendent ce webhook : les nouveaux ne sont pas mis en file, et ne seront pas envoyés plus tard. Ils le seront de nouveau lorsque moins de 90 000 attendront. Rendez le destinataire plus rapide, ou choisissez moins d’événements.',
  enable: 'Activer',
  enabled: (name) => `${name} est activé.`,
  disable: 'Désactiver',
  disabled: (name) => `${name} est désactivé et ne reçoit plus de nouveaux événements.`,
  sendTest: 'Envoyer un test',
  testSent: 'Le test est en route. La liste des livraisons montre ce qu’il en advient.',
  remove: 'Supprimer',
  removeTitle: (name) => `Supprimer ${name}`,
  removeText: 'Les événements en attente sont supprimés aussi. Le destinataire ne reçoit plus rien.',
  removed: (name) => `${name} a été supprimé.`,
  deliveries: {
    title: 'Livraisons',
    reason: 'Voici les 100 dernières. La liste se met à jour d’elle-même.',
    empty: 'Rien n’a encore été envoyé à ce webhook. Envoyez un test pour essayer son destinataire.',
    columns: { event: 'Événement', at: 'Heure', result: 'Résultat', duration: 'Réponse en' },
    states: { queued: 'En attente', sent: 'Acceptée', failed: 'Échouée' },
    retried: 'Échouée, sera retentée',
    accepted: (status) => `Acceptée (${status})`,
    answered: (status) => `Le destinataire a répondu ${status}.`,
    tries: (count) => (count < 2 ? `${number(count)} tentative` : `${number(count)} tentatives`),
    next: 'Prochaine tentative',
    redeliver: 'Livrer de nouveau',
    redeliverOne: (name) => `Livrer de nouveau : ${name}`,
    again: 'L’événement est de nouveau en route, sous le même identifiant.',
    errors: {
      'The receiver cannot be reached.': 'Le destinataire est injoignable.',
      'The receiver did not answer within 15 s.': 'Le destinataire n’a pas répondu en 15 secondes.',
      'The audit trail does not keep this event any more.': 'Le journal d’audit ne conserve plus cet événement.',
      'Only a host on this machine may use http.': 'Seul un hôte de cette machine peut utiliser http.',
    },
  },
};
