// The texts of lists of users, of actions on several of them, of import, export and invitations in German.
import type {
  bulk as englishBulk,
  exports as englishExports,
  imports as englishImports,
  invitation as englishInvitation,
  userFilters as englishUserFilters,
  userLists as englishUserLists,
} from './en-users.ts';

const count = (number: number) => number.toLocaleString('de');
const users = (number: number) => `${count(number)} Benutzer`;
/** In the dative, as after "von". */
const ofUsers = (number: number) => (number === 1 ? '1 Benutzer' : `${count(number)} Benutzern`);
/** The first five names, and how many more there are. */
const firstOf = (names: readonly string[]) =>
  [...names.slice(0, 5), ...(names.length > 5 ? [`und ${count(names.length - 5)} weitere`] : [])].join(', ');
const rows = (number: number) => (number === 1 ? '1 Zeile' : `${count(number)} Zeilen`);

export const userLists: typeof englishUserLists = {
  total: users,
  columns: {
    userName: 'Benutzername',
    name: 'Name',
    emailAddress: 'E-Mail-Adresse',
    mobileNumber: 'Mobilnummer',
    roles: 'Rollen',
    lastLogin: 'Letzte Anmeldung',
    created: 'Erstellt',
    status: 'Status',
  },
  status: {
    inactive: 'Deaktiviert',
    locked: 'Gesperrt',
    factorLocked: 'Zweite Faktoren gesperrt',
    mustChange: 'Muss Passwort ändern',
  },
  idOf: (id) => `ID ${id}`,
  sessions: {
    title: 'Sitzungen',
    none: 'Es ist keine Sitzung offen.',
    signedIn: (at) => `Angemeldet am ${at}`,
    used: (at) => `erneuert am ${at}`,
    end: 'Beenden',
    endOne: (browser) => `Sitzung beenden: ${browser}`,
    endTitle: (name) => `Diese Sitzung von ${name} beenden?`,
    endText: (browser) => `${browser} wird sofort abgemeldet. Andere Sitzungen bleiben offen.`,
    ended: 'Die Sitzung wurde beendet.',
  },
  activity: {
    title: 'Aktivität',
    none: 'Im Protokoll steht nichts zu diesem Benutzer.',
    by: (name) => `durch ${name}`,
    from: (ip) => `von ${ip}`,
    all: 'Alles im Protokoll',
    refusals: 'Nur Ablehnungen',
  },
  resetLink: {
    open: 'Link zum Zurücksetzen senden',
    title: (name) => `${name} einen Link zum Zurücksetzen senden`,
    about: (address, minutes) =>
      `Der Link, mit dem ein neues Passwort festgelegt wird, geht an ${address}. Er gilt ${minutes} und funktioniert einmal. Bis dahin bleibt das Passwort.`,
    noAddress: 'Der Benutzer hat keine E-Mail-Adresse, an die ein Link gehen könnte.',
    unverified: (address) =>
      `${address} ist nicht bestätigt, deshalb kann kein Link dorthin gehen. Wenn Sie wissen, dass die Adresse dem Benutzer gehört, können Sie sie als bestätigt kennzeichnen.`,
    inactive: 'Der Benutzer ist deaktiviert. Aktivieren Sie ihn zuerst.',
    noMail: 'Links können nicht gesendet werden: E-Mail ist bei diesem Dienst ausgeschaltet (LATCHKEY_SMTP_URL).',
    notAllowed:
      'Links zum Zurücksetzen des Passworts sind ausgeschaltet. Schalten Sie sie zuerst in den Sicherheitseinstellungen ein.',
    send: 'Link senden',
    sent: (name) => `Ein Link an ${name} ist unterwegs.`,
  },
  more: 'Mehr',
};

export const userFilters: typeof englishUserFilters = {
  filter: 'Filtern',
  filterButton: 'Filtern und sortieren',
  labels: {
    state: 'Status',
    role: 'Rolle',
    factor: 'Zweiter Faktor',
    since: 'Nicht angemeldet seit',
    from: 'Erstellt ab',
    to: 'Erstellt bis',
  },
  states: { all: 'Alle', active: 'Aktiv', inactive: 'Deaktiviert' },
  anyRole: 'Beliebig',
  factorStates: { any: 'Mit oder ohne', with: 'Mit', without: 'Ohne' },
  flags: {
    signedIn: 'Mit offener Sitzung',
    locked: 'Gesperrt',
    mustChange: 'Muss Passwort ändern',
    never: 'Nie angemeldet',
    unverified: 'Adresse nicht bestätigt',
  },
  chips: {
    title: 'Filter',
    remove: (label) => `Filter „${label}“ entfernen`,
    clear: 'Alle entfernen',
    role: (name) => `Rolle: ${name}`,
    factor: { any: '', with: 'Mit zweitem Faktor', without: 'Ohne zweiten Faktor' },
    since: (day) => `Nicht angemeldet seit ${day}`,
    from: (day) => `Erstellt ab ${day}`,
    to: (day) => `Erstellt bis ${day}`,
  },
};

export const bulk: typeof englishBulk = {
  title: 'Aktionen für die ausgewählten Benutzer',
  selected: (number) => `${users(number)} ausgewählt`,
  elsewhere: (number) => `(${count(number)} auf anderen Seiten)`,
  selectAll: (number) => `Alle ${count(number)} gefundenen Benutzer auswählen`,
  selectFirst: (number) => `Die ersten ${count(number)} gefundenen Benutzer auswählen`,
  selectNext: (number) =>
    number === 1
      ? 'Den letzten gefundenen Benutzer auswählen'
      : `Die nächsten ${count(number)} gefundenen Benutzer auswählen`,
  clear: 'Auswahl aufheben',
  choose: 'Aktion wählen',
  actions: {
    activate: {
      label: 'Aktivieren',
      title: (number) => `${users(number)} aktivieren?`,
      text: 'Die Anmeldung ist wieder möglich.',
      yes: 'Aktivieren',
      done: (number) => `${users(number)} aktiviert.`,
      unchanged: 'war schon aktiv',
    },
    deactivate: {
      label: 'Deaktivieren',
      title: (number) => `${users(number)} deaktivieren?`,
      text: 'Alle Sitzungen enden sofort. Bis zur Aktivierung ist keine Anmeldung möglich.',
      yes: 'Deaktivieren',
      done: (number) => `${users(number)} deaktiviert.`,
      unchanged: 'war schon deaktiviert',
    },
    signOut: {
      label: 'Überall abmelden',
      title: (number) => `${users(number)} überall abmelden?`,
      text: 'Alle Sitzungen enden sofort. Eine neue Anmeldung ist möglich.',
      yes: 'Überall abmelden',
      done: (number) => `${users(number)} abgemeldet.`,
      unchanged: '',
    },
    unlock: {
      label: 'Sperre aufheben',
      title: (number) => `Sperre von ${ofUsers(number)} aufheben?`,
      text: 'Sperren nach zu vielen Fehlversuchen enden, und die Fehlversuche zählen nicht mehr.',
      yes: 'Sperre aufheben',
      done: (number) => `Sperre von ${ofUsers(number)} aufgehoben.`,
      unchanged: '',
    },
    requireChange: {
      label: 'Passwortänderung verlangen',
      title: (number) => `Von ${ofUsers(number)} eine Passwortänderung verlangen?`,
      text: 'Vor allem anderen muss ein neues Passwort festgelegt werden. Offene Sitzungen bleiben bestehen, erlauben aber nur die Änderung des Passworts.',
      yes: 'Passwortänderung verlangen',
      done: (number) => `${users(number)} ${number === 1 ? 'muss' : 'müssen'} das Passwort ändern.`,
      unchanged: 'musste das Passwort schon ändern',
    },
    invite: {
      label: 'Einladung senden',
      title: (number) => `${users(number)} einladen?`,
      text: 'Benutzer mit einem Passwort oder einer offenen Einladung erhalten keine E-Mail.',
      yes: 'Einladung senden',
      done: (number) => `${users(number)} eingeladen.`,
      unchanged: 'hat schon ein Passwort oder eine offene Einladung',
    },
  },
  accounts: 'Ausgewählte Benutzer',
  others: (number) => `und ${count(number)} weitere`,
  yourself: 'Ihr eigenes Konto ist ausgewählt. Es kommt zuletzt.',
  progress: (done, all) => `${count(done)} von ${count(all)}`,
  stop: 'Anhalten',
  stopped: (number) => `Angehalten. ${users(number)} ${number === 1 ? 'blieb' : 'blieben'} unverändert.`,
  refused: (number) => `${users(number)} abgelehnt.`,
  results: 'Ergebnis für jeden Benutzer',
  done: 'erledigt',
  retry: (number) => `${users(number)} noch einmal versuchen`,
  undo: 'Rückgängig',
  undone: (number) => `Für ${users(number)} rückgängig gemacht.`,
};

export const exports: typeof englishExports = {
  open: 'Exportieren',
  csv: 'Als CSV, für Tabellenprogramme',
  jsonl: 'Als JSON-Zeilen, für Programme',
  title: 'Benutzer exportieren',
  running: (done, all) => `${count(done)} von ${ofUsers(all)}`,
  done: (number) => `${users(number)} exportiert.`,
  failed:
    'Der Export ist fehlgeschlagen, oder Ihre Sitzung ist beendet. Es wurde keine Datei gespeichert. Bitte versuchen Sie es noch einmal.',
  cancelled: 'Der Export wurde abgebrochen.',
};

export const imports: typeof englishImports = {
  open: 'Importieren',
  title: 'Benutzer importieren',
  about:
    'Erstellen Sie viele Benutzer aus einer Datei: CSV mit einer Zeile Spaltennamen, JSON-Zeilen oder ein JSON-Array. Der nächste Schritt prüft die Datei und ändert nichts.',
  limits: (megabytes) => `Höchstens ${megabytes} MB.`,
  file: 'Datei',
  choose: 'Datei wählen',
  faults: {
    tooLarge: (megabytes) =>
      `Die Datei ist größer als ${megabytes} MB. Teilen Sie sie auf, oder verwenden Sie „latchkey import users“ auf dem Server.`,
    notReadable:
      'Die Datei hat keine Zeilen, oder sie ist nicht lesbar. Verwenden Sie CSV mit einer Zeile Spaltennamen, JSON-Zeilen oder ein JSON-Array.',
    noUserName: 'Wählen Sie die Spalte mit den Benutzernamen. Ohne sie wird die E-Mail-Adresse zum Benutzernamen.',
    twice: (label) => `Zwei Spalten sind für „${label}“ gewählt. Wählen Sie eine.`,
    repeated: (columns) =>
      `Mehr als eine Spalte hat den Namen ${columns.map((column) => `„${column}“`).join(', ')}. Benennen Sie alle bis auf eine um, oder entfernen Sie sie.`,
  },
  unreadable: {
    notObject: 'Das ist kein JSON-Objekt.',
    tooLong: 'Die Zeile ist länger als 1 MB.',
    damaged: 'Die Zeile hat Zeichen, die kein UTF-8 sind oder bei einer Umwandlung verloren gingen.',
    repeated: (names) => `Die Zeile hat den Namen ${names.join(', ')} mehr als einmal.`,
    tooManyCells: 'Die Zeile hat mehr Zellen als die Zeile mit den Spaltennamen.',
    quotes:
      'Die Zeile hat ein Anführungszeichen, das nicht geschlossen oder nicht verdoppelt ist. Was folgt, gehört vielleicht dazu.',
    cutOff: 'Die Datei ist hier abgeschnitten.',
    unreadable: 'Ab hier ist die Datei nicht lesbar. Was folgt, wurde nicht gelesen.',
    noUser: (title) => `Die Zeile ist kein Benutzer von ${title}.`,
  },
  mapping: {
    system: (title) =>
      `Das ist ein Export aus ${title}. IDs, externe Anmeldungen und zweite Faktoren kommen nur mit „latchkey import users“ auf dem Server mit.`,
    title: 'Spalten',
    about: (number) =>
      `${rows(number)} gefunden. Wählen Sie, was jede Spalte bedeutet. Der Import übergeht Spalten, die Sie weglassen.`,
    column: 'Spalte der Datei',
    sample: 'Erste Werte',
    member: 'Wird zu',
    memberOf: (column) => `Bedeutung von „${column}“`,
    leaveOut: 'Weglassen',
    rolesHint: 'Trennen Sie mehrere Rollen in einer Zelle durch ; oder durch Kommas.',
    tenantHint: 'Zeilen eines Mandanten werden übersprungen. Um auch sie zu importieren, lassen Sie die Spalte weg.',
    hashHint:
      'Für Passwort-Hashes brauchen Sie die Berechtigung, Einstellungen zu ändern, denn der Dienst kann nicht prüfen, ob sie den Passwortregeln entsprechen.',
  },
  members: {
    userName: 'Benutzername',
    name: 'Vorname',
    surname: 'Nachname',
    emailAddress: 'E-Mail-Adresse',
    isEmailConfirmed: 'E-Mail-Adresse ist bestätigt',
    mobileNumber: 'Mobilnummer',
    isMobileConfirmed: 'Mobilnummer ist bestätigt',
    isActive: 'Ist aktiv',
    bannedUntil: 'Ist gesperrt bis',
    requireChangePassword: 'Muss Passwort ändern',
    roleNames: 'Rollen',
    passwordHash: 'Passwort-Hash',
    isDeleted: 'Ist gelöscht: Zeile überspringen',
    tenantId: 'Mandant: Zeilen eines Mandanten überspringen',
  },
  morePages:
    'Diese Datei ist ein Teil von mehreren: Das andere System hat weitere Benutzer. Importieren Sie auch die Dateien der anderen Teile.',
  check: 'Datei prüfen',
  another: 'Andere Datei wählen',
  checking: 'Datei wird geprüft',
  importing: 'Import läuft',
  progress: (done, all) => `${count(done)} von ${rows(all)}`,
  stop: 'Anhalten',
  resume: 'Fortsetzen',
  stopped: 'Angehalten. Bisher erstellte Benutzer bleiben.',
  checked: 'Die Datei ist geprüft. Es wurde nichts geändert.',
  finished: 'Der Import ist abgeschlossen.',
  counts: {
    wouldAdd: (number) => `${users(number)} ${number === 1 ? 'kann' : 'können'} erstellt werden.`,
    added: (number) => `${users(number)} erstellt.`,
    skipped: (number) => `${rows(number)} übersprungen.`,
    refused: (number) => `${rows(number)} abgelehnt.`,
  },
  start: (number) => `${users(number)} erstellen`,
  change: 'Spalten ändern',
  problems: 'Übersprungene und abgelehnte Zeilen',
  row: 'Zeile',
  user: 'Benutzer',
  reason: 'Grund',
  outcome: 'Ergebnis',
  outcomes: { added: 'erstellt', skipped: 'übersprungen', refused: 'abgelehnt' },
  addable: 'kann erstellt werden',
  shown: (shown, all) => `Die ersten ${count(shown)} von ${count(all)}. Der Bericht enthält alle.`,
  report: 'Bericht herunterladen',
  repeated: (row) => `Zeile ${row} hat denselben Benutzernamen, dieselbe E-Mail-Adresse oder dieselbe Mobilnummer.`,
  skippedWhy: {
    'a service account': 'Die Zeile ist ein Dienstkonto.',
    anonymous: 'Die Zeile ist ein anonymer Benutzer.',
    deleted: 'Die Zeile ist als gelöscht gekennzeichnet.',
    empty: 'Die Zeile ist leer.',
    'of a tenant': 'Die Zeile gehört zu einem Mandanten.',
  },
  brought: {
    title: 'Was die Datei noch mitbringt',
    newRoles: (names) => `Neue Rollen erstellen: ${firstOf(names)}`,
    newRolesHint: 'Neue Rollen gewähren nichts. Ohne sie lehnt der Dienst die Benutzer mit diesen Rollen ab.',
    administrators: (names) =>
      `${names.length === 1 ? '1 Administrator' : `${count(names.length)} Administratoren`} erstellen: ${firstOf(names)}`,
    administratorsHint:
      'Die Rollen dieser Benutzer gewähren Berechtigungen dieses Dienstes. Wenn Sie das nicht erlauben, lehnt der Dienst die Benutzer ab.',
  },
  show: 'Benutzer anzeigen',
};

export const invitation: typeof englishInvitation = {
  how: 'Erste Anmeldung',
  invite: 'Link zum Festlegen eines Passworts senden',
  password: 'Passwort jetzt festlegen',
  later: 'Benutzer ohne Passwort erstellen',
  laterHint: 'Später können Sie auf der Seite des Benutzers eine Einladung senden oder ein Passwort festlegen.',
  about: (minutes) =>
    `Die E-Mail hat einen Link zum Festlegen eines Passworts. Er gilt ${minutes} und nur einmal und bestätigt auch die Adresse.`,
  notAllowed:
    'Einladungen sind nicht möglich: Links zum Zurücksetzen des Passworts sind ausgeschaltet. Schalten Sie sie zuerst in den Sicherheitseinstellungen ein.',
  noMail: 'Einladungen sind nicht möglich: E-Mail ist bei diesem Dienst ausgeschaltet (LATCHKEY_SMTP_URL).',
  outbox: 'Es ist kein Mailserver eingerichtet. E-Mails gehen in den Postausgang, und Benutzer erhalten sie nicht.',
  language: 'Sprache der E-Mail',
  languages: { en: 'Englisch', de: 'Deutsch', fr: 'Französisch' },
  needsAddress: 'Geben Sie die Adresse an, an die der Link geht.',
  createAndSend: 'Erstellen und Link senden',
  createdAndSent: (name) => `${name} wurde erstellt, und der Link ist unterwegs.`,
  inOutbox: (name) => `Es ist kein Mailserver eingerichtet. Die E-Mail an ${name} ist im Postausgang.`,
  send: 'Einladung senden',
  again: 'Erneut senden',
  title: (name) => `${name} einladen`,
  to: (address) => `Die E-Mail geht an ${address}.`,
  sent: (name) => `Eine Einladung an ${name} ist unterwegs.`,
  notSent: (name) => `${name} wurde erstellt, aber es wurde kein Link gesendet.`,
  noPassword: 'Der Benutzer hat kein Passwort. Senden Sie eine Einladung, oder legen Sie ein Passwort fest.',
  open: (until) => `Der Benutzer hat noch kein Passwort. Ein Link zum Festlegen gilt bis ${until}.`,
};
