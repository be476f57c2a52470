// The texts of the pages of webhooks in German.
import type { webhooks as english } from './en-webhooks.ts';

const number = (count: number) => count.toLocaleString('de');

export const webhooks: typeof english = {
  title: 'Webhooks',
  one: 'Webhook',
  reason:
    'Ein Webhook meldet einem anderen System, was hier geschieht: mit signierten Anfragen nach Standard Webhooks.',
  empty:
    'Es gibt noch keine Webhooks. Erstellen Sie einen, um Ereignisse an eine Anwendung, einen Chat oder eine Protokollsammlung zu senden.',
  unknown: 'Es gibt keinen Webhook mit dieser ID. Vielleicht wurde er gelöscht.',
  add: 'Webhook erstellen',
  edit: 'Bearbeiten',
  editOne: (name) => `${name} bearbeiten`,
  saved: (name) => `${name} wurde gespeichert.`,
  columns: { url: 'Adresse', events: 'Ereignisse', state: 'Status' },
  urlHint: 'Der Dienst sendet jedes Ereignis hierhin. Verwenden Sie https im öffentlichen Internet.',
  description: 'Beschreibung',
  descriptionHint: 'Zum Beispiel der Name des Systems. Ohne Beschreibung zeigen Listen den Host.',
  createdAt: 'Erstellt',
  actions: 'Aktionen',
  events: {
    label: 'Ereignisse',
    hint: 'Wählen Sie Ereignisse aus der Liste, oder geben Sie ein Muster wie signIn.* ein und drücken Sie die Eingabetaste.',
    none: 'Wählen Sie mindestens ein Ereignis.',
    all: 'Alles',
    allEvents: 'Alle Ereignisse',
    allOf: (group) => `Alle aus: ${group}`,
    test: 'Test',
    head: 'Neuester Hash des Protokolls, jede Stunde',
    more: (count) => `und ${number(count)} weitere`,
  },
  created: {
    title: 'Das Geheimnis des Webhooks',
    reason:
      'Das Geheimnis wird nur jetzt angezeigt. Geben Sie es dem Empfänger: Er prüft damit, dass Ereignisse von hier kommen.',
    label: 'Geheimnis',
    copy: 'Kopieren',
    copied: 'Das Geheimnis wurde kopiert.',
    done: 'Fertig',
  },
  rotation: {
    open: 'Geheimnis ersetzen',
    title: (name) => `Geheimnis von ${name} ersetzen`,
    reason:
      'Der Dienst erzeugt ein neues Geheimnis. 24 Stunden lang signiert auch das bisherige, damit der Empfänger kein Ereignis verpasst. Geben Sie ihm in dieser Zeit das neue. Ein Geheimnis, das Sie vor weniger als 24 Stunden ersetzt haben, signiert ab jetzt nicht mehr.',
    yes: 'Ersetzen',
    done: 'Das neue Geheimnis wird nur jetzt angezeigt. Geben Sie es dem Empfänger: Das bisherige signiert noch 24 Stunden lang mit.',
  },
  states: {
    enabled: 'Aktiv',
    disabled: 'Deaktiviert',
    gone: 'Deaktiviert: Der Empfänger will keine Ereignisse mehr',
    failing: 'Deaktiviert nach fünf Tagen mit Fehlern',
    failingSince: (moment) => `Fehler seit ${moment}`,
    fullSince: (moment) => `Keine neuen Ereignisse seit ${moment}`,
    untried: 'Noch nie verwendet',
  },
  disabledBecause: {
    gone: 'Der Empfänger hat mit 410 geantwortet. Aktivieren Sie den Webhook, wenn der Empfänger wieder Ereignisse annimmt. Was bis dahin geschieht, wird nicht gesendet.',
    failing:
      'Fünf Tage lang ist jeder Versuch fehlgeschlagen. Beheben Sie den Fehler beim Empfänger, und aktivieren Sie dann den Webhook. Wartende Ereignisse werden dann gesendet, wenn sie nicht älter als eine Woche sind. Was geschah, solange er deaktiviert war, wird nicht gesendet.',
  },
  full: 'Mehr als 100.000 Ereignisse warten auf diesen Webhook. Neue werden deshalb nicht eingereiht und auch später nicht gesendet, bis weniger als 90.000 warten. Machen Sie den Empfänger schneller, oder wählen Sie weniger Ereignisse.',
  enable: 'Aktivieren',
  enabled: (name) => `${name} ist aktiv.`,
  disable: 'Deaktivieren',
  disabled: (name) => `${name} ist deaktiviert und erhält keine neuen Ereignisse.`,
  sendTest: 'Test senden',
  testSent: 'Der Test ist unterwegs. Die Liste der Zustellungen zeigt, was daraus wird.',
  remove: 'Löschen',
  removeTitle: (name) => `${name} löschen`,
  removeText: 'Wartende Ereignisse werden mit gelöscht. Der Empfänger erhält nichts mehr.',
  removed: (name) => `${name} wurde gelöscht.`,
  deliveries: {
    title: 'Zustellungen',
    reason: 'Das sind die letzten 100. Die Liste aktualisiert sich von selbst.',
    empty: 'An diesen Webhook wurde noch nichts gesendet. Senden Sie einen Test, um den Empfänger auszuprobieren.',
    columns: { event: 'Ereignis', at: 'Zeitpunkt', result: 'Ergebnis', duration: 'Antwort nach' },
    states: { queued: 'Wartet', sent: 'Angenommen', failed: 'Fehlgeschlagen' },
    retried: 'Fehlgeschlagen, wird wiederholt',
    accepted: (status) => `Angenommen (${status})`,
    answered: (status) => `Der Empfänger hat mit ${status} geantwortet.`,
    tries: (count) => (count === 1 ? '1 Versuch' : `${number(count)} Versuche`),
    next: 'Nächster Versuch',
    redeliver: 'Erneut zustellen',
    redeliverOne: (name) => `Erneut zustellen: ${name}`,
    again: 'Das Ereignis ist erneut unterwegs, unter derselben ID.',
    errors: {
      'The receiver cannot be reached.': 'Der Empfänger ist nicht erreichbar.',
      'The receiver did not answer within 15 s.': 'Der Empfänger hat nicht innerhalb von 15 Sekunden geantwortet.',
      'The audit trail does not keep this event any more.': 'Das Protokoll enthält dieses Ereignis nicht mehr.',
      'Only a host on this machine may use http.': 'Nur ein Host auf diesem Rechner darf http verwenden.',
    },
  },
};
