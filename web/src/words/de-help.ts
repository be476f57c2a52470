// The texts of the guide, the API explorer and the keyboard shortcuts in German.
import type { api as englishApi } from './en-api.ts';
import type { guide as englishGuide, shortcuts as englishShortcuts } from './en-help.ts';

export const guide: typeof englishGuide = {
  title: 'Anleitung',
  open: 'Anleitung',
  unknownTitle: 'Nicht gefunden',
  unknown: 'Unter dieser Adresse gibt es keine Anleitung.',
  contents: 'Auf dieser Seite',
  search: 'Suchen',
  searchHint: 'Titel oder Begriff',
  none: 'Keine passende Anleitung.',
  inEnglish: 'Die Anleitung gibt es nur auf Englisch.',
  topics: {
    use: 'Bedienung',
    signIn: 'Anmeldung und Sicherheit',
    programs: 'Programme verbinden',
    run: 'Betrieb des Dienstes',
    develop: 'Entwicklung von Anwendungen',
    reference: 'Referenz',
  },
};

export const api: typeof englishApi = {
  title: 'API-Explorer',
  reason: 'Senden Sie mit Ihrer Sitzung Aufrufe an diesen Dienst. Jeder Aufruf wirkt sofort, mit Ihren Berechtigungen.',
  search: 'Suchen',
  searchHint: 'Name oder Beschreibung',
  empty: 'Keine passenden Aufrufe.',
  count: (count) => (count === 1 ? '1 Aufruf' : `${count} Aufrufe`),
  document: 'OpenAPI-Dokument',
  unknown: 'Unter dieser Adresse gibt es keinen Aufruf.',
  access: {
    public: 'Für alle Aufrufer',
    token: 'Für angemeldete Aufrufer',
    permission: (name) => `Für Aufrufer mit der Berechtigung ${name}, auch für Dienstschlüssel, die mit ihr verwalten.`,
    keys: 'Verwalten von einem Server aus',
  },
  input: 'Eingabe',
  noInput: 'Dieser Aufruf braucht keine Eingabe.',
  required: 'erforderlich',
  notSent: 'Nicht senden',
  json: 'JSON',
  noJson: 'Das ist kein gültiges JSON.',
  noNumber: 'Das ist keine Zahl.',
  send: 'Senden',
  ownCall: 'Diesen Aufruf machen die Seiten selbst: Er ersetzt das Token Ihrer Sitzung. Probieren Sie ihn mit curl.',
  ends: 'Dieser Aufruf meldet Sie ab.',
  answer: 'Antwort',
  status: (status, milliseconds) => `Status ${status}, nach ${milliseconds} ms`,
  result: 'Ergebnis',
  curl: 'Mit curl',
  type: {
    list: (of) => `Liste von ${of}`,
    or: ' oder ',
    any: 'beliebiger Wert',
  },
  columns: { name: 'Name', type: 'Typ', description: 'Beschreibung' },
};

export const shortcuts: typeof englishShortcuts = {
  title: 'Tastenkürzel',
  keys: { mod: 'Strg', escape: 'Esc' },
  palette: 'Seite, Benutzer, Einstellung oder Anleitung finden',
  search: 'Zum Suchfeld einer Liste springen',
  save: 'Formular speichern',
  undo: 'Rückgängig machen, solange eine Meldung es anbietet',
  help: 'Diese Tastenkürzel anzeigen',
  close: 'Dialog oder Menü schließen',
  singleKeys: 'Kürzel aus einer einzelnen Taste verwenden',
  singleKeysHint: 'Schalten Sie sie aus, wenn Sie die Spracheingabe verwenden oder Tasten versehentlich drücken.',
};
