// The texts of second factors and passkeys in German.
import type { Words } from './en.ts';

const days = (count: number) => (count === 1 ? '1 Tag' : `${count} Tage`);

export const factors: Words['factors'] = {
  code: {
    label: 'Code',
    hint: 'Der Code wird geprüft, sobald alle 6 Ziffern eingegeben sind.',
    wrongForm: 'Geben Sie die 6 Ziffern ein, die die App anzeigt.',
  },
  challenge: {
    title: 'Bestätigen Sie, dass Sie es sind',
    switch: {
      Authenticator: 'Authenticator-App verwenden',
      Passkey: 'Passkey verwenden',
      RecoveryCode: 'Wiederherstellungscode verwenden',
    },
    authenticator: 'Öffnen Sie Ihre Authenticator-App, und geben Sie den Code ein, den sie für diesen Dienst zeigt.',
    passkey: 'Verwenden Sie einen Passkey oder Sicherheitsschlüssel dieses Kontos.',
    usePasskey: 'Weiter mit einem Passkey',
    recoveryCode: 'Wiederherstellungscode',
    recoveryForm: 'Ein Wiederherstellungscode hat 25 Buchstaben und Ziffern, ein älterer 10.',
    recoveryHint: 'Geben Sie einen der Codes ein, die Sie aufbewahrt haben. Jeder gilt einmal.',
    unsupported:
      'Ihr zweiter Faktor funktioniert in diesem Browser nicht. Bitte melden Sie sich mit einem anderen Browser oder Gerät an.',
    trust: (count) => `Auf diesem Gerät ${days(count)} lang nicht mehr fragen`,
    trustHint: 'Wählen Sie das nur auf einem Gerät, das Sie allein verwenden.',
    submit: 'Weiter',
  },
  passkey: {
    signIn: 'Mit einem Passkey anmelden',
    name: 'Name',
    nameHint: 'Damit Sie ihn später wiedererkennen.',
    create: 'Passkey erstellen',
    createHint:
      'Ihr Browser fragt, wo er ihn aufbewahren soll: auf diesem Gerät, in Ihrem Passwort-Manager, auf einem Telefon oder auf einem Sicherheitsschlüssel.',
    cancelled:
      'Der Passkey wurde nicht verwendet: Sie haben abgebrochen, oder es hat zu lange gedauert. Bitte versuchen Sie es noch einmal.',
    exists:
      'Für dieses Konto gibt es dort schon einen Passkey. Wählen Sie ein anderes Gerät oder einen anderen Schlüssel.',
    refused: 'Mit diesem Passkey lässt sich hier kein Konto öffnen. Bitte melden Sie sich auf andere Weise an.',
    wrongAddress: 'Unter dieser Adresse funktionieren Passkeys nicht. Bitte wenden Sie sich an einen Administrator.',
  },
  proof: {
    password: 'Aktuelles Passwort',
    passwordHint: 'Hat Ihr Konto keines, lassen Sie das Feld leer.',
    passkey: 'Stattdessen mit einem Passkey bestätigen',
    secondFactor: 'Das ändert, wie Ihr Konto geschützt ist. Bestätigen Sie es auch mit Ihrem zweiten Faktor.',
  },
  enroll: {
    authenticator: 'Authenticator-App einrichten',
    passkey: 'Passkey hinzufügen',
    scan: 'Scannen Sie diesen Code mit einer Authenticator-App.',
    qrCode: 'QR-Code für die Authenticator-App',
    secret: 'Wenn Sie ihn nicht scannen können, geben Sie in der App diesen Schlüssel ein:',
    copy: 'Schlüssel kopieren',
    copied: 'Der Schlüssel wurde kopiert.',
    open: 'App auf diesem Gerät öffnen',
    first: 'Geben Sie dann den Code ein, den die App zeigt.',
    submit: 'Weiter',
    confirm: 'Einrichten',
    authenticatorOver:
      'Das hat länger als 5 Minuten gedauert. Bitte beginnen Sie von vorn, und löschen Sie den alten Eintrag in Ihrer Authenticator-App.',
    passkeyOver: 'Das hat zu lange gedauert. Bitte beginnen Sie von vorn.',
    ended:
      'Sie haben anderswo neu begonnen, zum Beispiel in einem anderen Tab, oder Ihre zweiten Faktoren oder Ihr Passwort haben sich geändert. Bitte beginnen Sie von vorn.',
  },
  codes: {
    title: 'Wiederherstellungscodes aufbewahren',
    reason:
      'Mit einem Wiederherstellungscode melden Sie sich an, wenn Sie Ihren zweiten Faktor nicht zur Hand haben. Jeder Code gilt einmal. Sie ersetzen früher aufbewahrte und werden nur jetzt gezeigt: Bewahren Sie sie an einem sicheren Ort auf.',
    list: 'Wiederherstellungscodes',
    download: 'Herunterladen',
    print: 'Drucken',
    copy: 'Kopieren',
    copied: 'Die Codes wurden kopiert.',
    stored: 'Ich habe sie aufbewahrt',
    done: 'Fertig',
    fileName: 'wiederherstellungscodes.txt',
    fileTitle: (account, application) => `Wiederherstellungscodes von ${account} für ${application}`,
    fileNote: 'Jeder Code gilt einmal.',
  },
  required: {
    title: 'Zweiten Faktor einrichten',
    reason: 'Bevor Sie fortfahren können, braucht Ihr Konto einen zweiten Faktor.',
    again: 'Andere Möglichkeit wählen',
    signOut: 'Abmelden',
  },
  account: {
    title: 'Zweite Faktoren und Passkeys',
    reason: 'Mit einem zweiten Faktor reicht ein gestohlenes Passwort nicht aus, um Ihr Konto zu öffnen.',
    off: 'Ein Administrator hat das ausgeschaltet. Die Anmeldung fragt nicht danach.',
    authenticator: {
      title: 'Authenticator-App',
      none: 'Eine App auf Ihrem Telefon zeigt einen Code aus sechs Ziffern, den Sie nach dem Passwort eingeben.',
      since: (at) => `Eingerichtet am ${at}`,
      setUp: 'Authenticator-App einrichten',
      replace: 'Andere App einrichten',
      remove: 'Entfernen',
      removeLabel: 'Authenticator-App entfernen',
      removeTitle: 'Authenticator-App entfernen?',
      removed: 'Die Authenticator-App wurde entfernt.',
      done: 'Die Authenticator-App ist eingerichtet.',
    },
    removeText: 'Die Anmeldung fragt nicht mehr danach.',
    removeLastText:
      'Das ist Ihr letzter zweiter Faktor. Danach öffnet das Passwort allein Ihr Konto, und Ihre Wiederherstellungscodes gelten nicht mehr.',
    passkeys: {
      title: 'Passkeys',
      none: 'Mit einem Passkey melden Sie sich mit Fingerabdruck, Gesicht, Geräte-PIN oder Sicherheitsschlüssel an, ohne Passwort.',
      unsupported: 'Dieser Browser kann hier keine Passkeys verwenden.',
      add: 'Passkey hinzufügen',
      created: (at) => `Erstellt am ${at}`,
      used: (at) => `Zuletzt verwendet am ${at}`,
      unused: 'Noch nicht verwendet',
      backedUp: 'Gesichert',
      notBackedUp: 'Nur auf einem Gerät',
      rename: 'Umbenennen',
      renameOne: (name) => `${name} umbenennen`,
      renameTitle: 'Passkey umbenennen',
      renamed: (name) => `Der Passkey heißt jetzt ${name}.`,
      remove: 'Entfernen',
      removeOne: (name) => `${name} entfernen`,
      removeTitle: (name) => `${name} entfernen?`,
      removeText:
        'Sie können sich nicht mehr damit anmelden. Löschen Sie ihn auch auf Ihrem Gerät oder in Ihrem Passwort-Manager.',
      removed: (name) => `${name} wurde entfernt.`,
      done: (name) => `Der Passkey ${name} wurde hinzugefügt.`,
    },
    codes: {
      title: 'Wiederherstellungscodes',
      left: (count) => (count === 1 ? '1 Code ist übrig.' : `${count} Codes sind übrig.`),
      few: 'Erstellen Sie neue, bevor Sie alle verwendet haben.',
      renew: 'Neue Codes erstellen',
      renewTitle: 'Neue Wiederherstellungscodes erstellen?',
      renewText: 'Die bisherigen Codes gelten dann nicht mehr.',
      renewed: 'Sie haben neue Wiederherstellungscodes.',
    },
    devices: {
      title: 'Vertrauenswürdige Geräte',
      reason: 'Auf diesen Geräten fragt die Anmeldung nicht nach dem zweiten Faktor.',
      used: (at) => `Zuletzt verwendet am ${at}`,
      remove: 'Entfernen',
      removeOne: (name) => `${name} entfernen`,
      removed: (name) => `Auf ${name} fragt die Anmeldung wieder nach dem zweiten Faktor.`,
    },
  },
};

export const userFactors: Words['users']['factors'] = {
  title: 'Zweite Faktoren und Passkeys',
  authenticator: 'Authenticator-App',
  passkey: (name) => `Passkey ${name}`,
  since: (at) => `seit ${at}`,
  used: (at) => `zuletzt verwendet am ${at}`,
  unused: 'noch nicht verwendet',
  codes: (count) =>
    count === 1 ? '1 Wiederherstellungscode ist übrig.' : `${count} Wiederherstellungscodes sind übrig.`,
  devices: (count) => (count === 1 ? '1 vertrauenswürdiges Gerät.' : `${count} vertrauenswürdige Geräte.`),
  reset: 'Zweite Faktoren zurücksetzen',
  resetTitle: (name) => `Zweite Faktoren von ${name} zurücksetzen`,
  resetText:
    'Der Dienst entfernt alle zweiten Faktoren, Passkeys und Wiederherstellungscodes des Benutzers und benachrichtigt ihn. Vergewissern Sie sich, dass die Bitte wirklich von ihm kommt: Auch Angreifer bitten darum.',
  reason: 'Grund',
  reasonHint: 'Für das Protokoll, zum Beispiel, wie Sie die Identität des Benutzers geprüft haben.',
  resetSubmit: 'Zurücksetzen',
  resetDone: (name) => `${name} hat keinen zweiten Faktor mehr.`,
};
