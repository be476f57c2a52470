// The texts of the overview in German.
import type { overview as english } from './en-overview.ts';

type Means = 'email' | 'sms';

const number = (count: number) => new Intl.NumberFormat('de').format(count);

const list = (names: readonly string[]) => new Intl.ListFormat('de').format(names);

const messages = (count: number, means: Means) =>
  `${number(count)} ${means === 'sms' ? 'SMS' : count === 1 ? 'E-Mail' : 'E-Mails'}`;

const complexity = 'Abp.Zero.UserManagement.PasswordComplexity';
const predictable =
  'Solche Regeln machen Passwörter leichter zu erraten, weil viele Benutzer sie auf dieselbe Weise erfüllen. Verlangen Sie stattdessen eine größere Länge.';

export const overview: typeof english = {
  title: 'Übersicht',
  range: { label: 'Zeitraum', '24h': '24 Stunden', '7d': '7 Tage', '30d': '30 Tage' },
  during: { '24h': 'in den letzten 24 Stunden', '7d': 'in den letzten 7 Tagen', '30d': 'in den letzten 30 Tagen' },
  figures: {
    title: 'Zahlen',
    signIns: 'Anmeldungen',
    refusals: 'Ablehnungen',
    lockouts: 'Sperren',
    registrations: 'Registrierungen',
    messagesSent: 'Gesendet',
    messagesFailed: 'Nicht gesendet',
    listOf: (figure, total) => `${figure}: ${total}`,
  },
  change: (change, previous) => `${change} · zuvor ${previous}`,
  same: 'So viele wie zuvor',
  noneBefore: 'Zuvor keine',
  parts: {
    password: 'Passwort',
    pin: 'Einmal-PIN',
    external: 'Externer Anbieter',
    authenticator: 'Mit Authenticator-App',
    passkey: 'Passkey',
    recoveryCode: 'Mit Wiederherstellungscode',
    account: 'Benutzer',
    unknownName: 'Unbekannte Namen',
    address: 'Selbst registriert',
    provider: 'Über einen Anbieter',
    email: 'E-Mail',
    sms: 'SMS',
    other: 'Andere',
    'signIn.invalidCredentials': 'Name oder Passwort falsch',
    'signIn.lockedOut': 'Gesperrt',
    'signIn.notActive': 'Benutzer deaktiviert',
    'pin.invalid': 'Code falsch oder abgelaufen',
    'pin.cooldown': 'Code zu früh angefordert',
    'pin.dailyLimit': 'Zu viele Codes an einem Tag',
    'factor.invalid': 'Zweiter Faktor falsch',
    'factor.challengeInvalid': 'Zweiter Faktor zu spät',
    'factor.enrollmentRequired': 'Zweiter Faktor fehlt',
    'password.incorrect': 'Aktuelles Passwort falsch',
    'password.policy': 'Passwort entspricht nicht den Regeln',
    'reset.invalidToken': 'Code, Link oder Antworten falsch',
    'external.couldNotValidate': 'Vom Anbieter nicht bestätigt',
    'external.unavailable': 'Keine brauchbare Antwort eines Anbieters',
    'external.emailInUse': 'Adresse des Anbieters vergeben',
    'rateLimit.exceeded': 'Zu viele Anfragen',
    'token.expired': 'Token abgelaufen',
    'token.revoked': 'Token widerrufen',
    'token.invalid': 'Token ungültig',
    'permission.denied': 'Keine Berechtigung',
  },
  messages: {
    sent: 'Gesendet',
    outbox: 'Im Postausgang',
    either: 'Gesendet oder im Postausgang',
    failed: 'Nicht gesendet',
  },
  charts: {
    signIns: 'Anmeldungen nach Verfahren',
    applications: 'Anmeldungen bei Anwendungen',
    refusals: 'Ablehnungen nach Grund',
    messages: 'Nachrichten',
    lockouts: 'Sperren',
    registrations: 'Registrierungen',
    summary: (title, total, peak) =>
      `${title}: ${total}.${peak ? ` Höchstwert: ${peak}.` : ''} Die Tabelle darunter enthält die Zahlen.`,
    table: 'Zahlen anzeigen',
    total: 'Anzahl',
    when: 'Ab',
    parts: 'Davon',
    nothing: 'Keine in diesem Zeitraum.',
    trail: 'Protokoll',
    trailOf: (title) => `Protokoll: ${title}`,
  },
  started: {
    title: 'Erste Schritte',
    done: (done, all) => `${number(done)} von ${number(all)} erledigt`,
    dismiss: 'Ausblenden',
    dismissed: '„Erste Schritte“ ist in diesem Browser ausgeblendet.',
    isDoneLabel: 'Erledigt',
    steps: {
      address: {
        title: 'Eine eigene E-Mail-Adresse eintragen',
        text: 'Mit einer bestätigten Adresse lässt sich ein vergessenes Passwort zurücksetzen. Beim Bestätigen sehen Sie auch, ob E-Mails ankommen.',
        action: 'Mein Konto',
      },
      email: {
        title: 'E-Mails versenden',
        text: 'Codes und Links bleiben im Postausgang, bis ein Mailserver eingerichtet ist.',
        action: 'Anleitung',
      },
      sms: {
        title: 'SMS versenden',
        text: 'Codes für Mobilnummern bleiben im Postausgang, bis ein Gateway eingerichtet oder SMS ausgeschaltet ist.',
        action: 'Anleitung',
      },
      factorKinds: {
        title: 'Zweite Faktoren einschalten',
        text: 'Passkeys oder die Authenticator-App. Bis dahin genügt bei jedem Konto ein Passwort, auch bei Ihrem.',
        action: 'Einstellungen',
      },
      factor: {
        title: 'Das eigene Konto mit einem zweiten Faktor schützen',
        text: 'Eine Authenticator-App oder ein Passkey: Ihr Konto darf alles ändern.',
        action: 'Mein Konto',
      },
      connect: {
        title: 'Die erste Anwendung anbinden',
        text: 'Eine Anwendung, bei der man sich anmeldet, oder ein eigenes Frontend.',
        action: 'Erstellen',
      },
      user: {
        title: 'Den ersten Benutzer erstellen',
        text: 'Er bekommt einen Link, mit dem er ein Passwort festlegt.',
        action: 'Erstellen',
      },
    },
  },
  empty:
    'In diesem Zeitraum wurde noch nichts gezählt. Anmeldungen, Ablehnungen und Nachrichten erscheinen hier, sobald es sie gibt.',
  since: (day) => `Der Dienst zählt seit dem ${day}. Frühere Zahlen gibt es nicht.`,
  now: {
    title: 'Zurzeit',
    openSessions: 'Offene Sitzungen von Benutzern',
    users: 'Benutzer',
    active: 'Aktiv',
    inactive: 'Deaktiviert',
    locked: 'Gesperrt',
    mustChangePassword: 'Müssen das Passwort ändern',
    orMore: (count) => `${count} oder mehr`,
  },
  attention: {
    title: 'Zu erledigen',
    nothing: 'Es gibt nichts zu erledigen.',
    conformance: 'Was der Dienst von OWASP ASVS und NIST erfüllt',
    all: (count) => `Alle ${count} anzeigen`,
    messagesWaiting: (count, means, time) => ({
      title: `${messages(count, means)} ${count === 1 ? 'wartet' : 'warten'} auf den Versand`,
      text: `Die älteste wartet schon ${time}. Das Gateway nimmt sie nicht an. Das Log des Dienstes nennt den Grund.`,
    }),
    messagesFailed: (failed, all, means) => ({
      title: `${number(failed)} von ${messages(all, means)} der letzten 24 Stunden ${failed === 1 ? 'konnte' : 'konnten'} nicht gesendet werden`,
      text: 'Prüfen Sie das Gateway. Das Log des Dienstes nennt den Grund für jede Nachricht.',
    }),
    webhooksDisabled: (names, count) => ({
      title:
        count === 1
          ? 'Der Dienst hat einen Webhook deaktiviert'
          : `Der Dienst hat ${number(count)} Webhooks deaktiviert`,
      text: `Der Empfänger will keine Ereignisse mehr, oder fünf Tage lang ist jede Zustellung fehlgeschlagen. Beheben Sie den Fehler, und aktivieren Sie dann den Webhook: ${list(names)}${count > names.length ? ' …' : ''}`,
    }),
    webhooksFull: (names, count) => ({
      title:
        count === 1
          ? 'Ein Webhook erhält keine neuen Ereignisse'
          : `${number(count)} Webhooks erhalten keine neuen Ereignisse`,
      text: `Es warten schon 100.000 Ereignisse. Beheben Sie den Fehler beim Empfänger, oder löschen Sie den Webhook: ${list(names)}${count > names.length ? ' …' : ''}`,
    }),
    providerSecretsExpire: (names, count, date, isOver) => ({
      title:
        count === 1
          ? `Das Client-Geheimnis eines externen Anbieters ${isOver ? `ist am ${date} abgelaufen` : `läuft am ${date} ab`}`
          : `Client-Geheimnisse von ${number(count)} externen Anbietern ${isOver ? 'sind abgelaufen oder laufen bald ab' : 'laufen ab'}, das erste am ${date}`,
      text: `Mit einem abgelaufenen Geheimnis kann sich niemand anmelden. Erzeugen Sie beim Anbieter ein neues, und tragen Sie es mit seinem Ablauftag hier ein: ${list(names)}${count > names.length ? ' …' : ''}`,
    }),
    chainStandsStill: (time) => ({
      title: 'Neue Einträge des Protokolls sind nicht verkettet',
      text: `Der älteste wartet schon ${time}. Solange er nicht verkettet ist, fällt nicht auf, wenn ihn jemand ändert. Das Log des Dienstes nennt den Grund.`,
    }),
    keyOverdue: (date) => ({
      title: `Der Signaturschlüssel hätte am ${date} ersetzt werden sollen`,
      text: 'Normalerweise tut der Dienst das selbst. Suchen Sie in seinem Log nach Fehlern, oder führen Sie diesen Befehl aus: latchkey keys rotate',
    }),
    keyRotatesSoon: (date) => ({
      title: `Der Dienst ersetzt seinen Signaturschlüssel am ${date}`,
      text: 'Sitzungen bleiben offen. Dienste, die den Schlüsselsatz abrufen, müssen nichts ändern.',
    }),
    badSettings: (count) => ({
      title:
        count === 1
          ? 'Eine gespeicherte Einstellung liegt außerhalb der Grenzen'
          : `${number(count)} gespeicherte Einstellungen liegen außerhalb der Grenzen`,
      text: 'Der letzte gültige Wert bleibt in Kraft. Das Log des Dienstes nennt die Einstellung: Speichern Sie sie erneut.',
    }),
    secondFactorUnmet: (frontEnds) => ({
      title: `Bei ${list(frontEnds)} ist ein zweiter Faktor Pflicht, aber keine Art ist eingeschaltet`,
      text: 'Deshalb verlangt der Dienst von keinem Benutzer einen. Schalten Sie Passkeys oder die Authenticator-App ein.',
    }),
    weakSetting: (title, text, frontEnds) => ({
      title:
        frontEnds.length === 0
          ? `Schwache Einstellung: ${title}`
          : `Schwache Einstellung bei ${list(frontEnds)}: ${title}`,
      text,
    }),
    weak: {
      'Abp.Zero.UserManagement.UserLockOut.IsEnabled': {
        title: 'Sperre nach Fehlversuchen',
        text: 'Angreifer haben bis zu 100 statt weniger Versuche nacheinander, ein Passwort zu erraten.',
      },
      [`${complexity}.RequireDigit`]: { title: 'Ziffer verlangen', text: predictable },
      [`${complexity}.RequireLowercase`]: { title: 'Kleinbuchstaben verlangen', text: predictable },
      [`${complexity}.RequireUppercase`]: { title: 'Großbuchstaben verlangen', text: predictable },
      [`${complexity}.RequireNonAlphanumeric`]: { title: 'Sonderzeichen verlangen', text: predictable },
      [`${complexity}.RequiredLength`]: {
        title: 'Mindestlänge von Passwörtern',
        text: 'Passwörter mit weniger als 8 Zeichen sind zu leicht zu erraten.',
      },
      'Shesha.Security.useResetPasswordViaSecurityQuestions': {
        title: 'Passwort mit Sicherheitsfragen zurücksetzen',
        text: 'Andere Personen kennen oder erraten die Antworten oft und können damit das Konto übernehmen.',
      },
      'Latchkey.Tokens.sessionLifetime': {
        title: 'Dauer einer Sitzung',
        text: 'Ein gestohlenes Token kann mehr als 30 Tage lang erneuert werden, ohne neue Anmeldung.',
      },
      'Latchkey.RateLimiting.loginPermitLimit': {
        title: 'Anmeldeversuche je Adresse',
        text: 'Eine Adresse kann häufige Passwörter bei vielen Benutzern versuchen, bevor eine Grenze sie aufhält.',
      },
    },
    serviceKeysUnused: (names, count) => ({
      title:
        count === 1
          ? 'Ein Dienstschlüssel wurde seit 90 Tagen nicht verwendet'
          : `${number(count)} Dienstschlüssel wurden seit 90 Tagen nicht verwendet`,
      text: `Widerrufen Sie die Schlüssel, die kein Dienst braucht: ${list(names)}${count > names.length ? ' …' : ''}`,
    }),
    noGateway: (means) => ({
      title: means === 'email' ? 'E-Mails werden nicht gesendet' : 'SMS werden nicht gesendet',
      text: 'Es ist kein Gateway eingerichtet. Die Nachrichten erscheinen stattdessen im Postausgang.',
    }),
    actions: {
      trail: 'Fehlgeschlagene Nachrichten anzeigen',
      setting: 'Einstellung ändern',
      settings: 'Einstellungen öffnen',
      serviceKeys: 'Dienstschlüssel öffnen',
      webhooks: 'Webhooks öffnen',
      outbox: 'Postausgang öffnen',
    },
  },
};
