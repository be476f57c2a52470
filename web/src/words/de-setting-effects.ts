// The effect of settings in words, in German. Durations are in words already.
import type { settingEffects as english } from './en-setting-effects.ts';

const times = (count: number, one: string, many: string) => (count === 1 ? one : `${count} ${many}`);
const list = (parts: readonly string[]) => new Intl.ListFormat('de', { type: 'conjunction' }).format(parts);

export const settingEffects: typeof english = {
  lockout: (count, time) =>
    count === 1
      ? `1 falsches Passwort oder 1 falsche PIN sperrt das Konto (Dauer: ${time}).`
      : `${count} falsche Passwörter oder PINs nacheinander sperren das Konto (Dauer: ${time}).`,
  lockoutOff: 'Nur 100 Fehlversuche nacheinander sperren ein Konto.',
  password: (length, required) =>
    required.length === 0
      ? `Ein neues Passwort hat mindestens ${length} beliebige Zeichen.`
      : `Ein neues Passwort hat mindestens ${length} Zeichen, darunter ${list(required)}.`,
  characters: {
    digit: 'eine Ziffer',
    lowercase: 'ein Kleinbuchstabe',
    uppercase: 'ein Großbuchstabe',
    other: 'ein anderes Zeichen',
  },
  autoLogoff: (time) => `Der Dienst meldet Benutzer ohne Aktivität ab. Zeit bis dahin: ${time}.`,
  noAutoLogoff: 'Benutzer bleiben ohne Aktivität angemeldet, bis ihre Sitzung endet.',
  resetBy: (ways) =>
    ways.length === 0
      ? 'Benutzer können ein vergessenes Passwort nicht zurücksetzen. Das muss ein Administrator tun.'
      : `Benutzer setzen ein vergessenes Passwort zurück mit ${new Intl.ListFormat('de', { type: 'disjunction' }).format(ways)}.`,
  byLink: (time) => `einem Link per E-Mail (gültig: ${time})`,
  bySms: (time) => `einer PIN per SMS (gültig: ${time})`,
  byQuestions: (count) => times(count, 'der Antwort auf eine Sicherheitsfrage', 'Antworten auf Sicherheitsfragen'),
  rate: (count, time) => `Eine Adresse kann sich ${times(count, 'einmal', 'Mal')} anmelden (Zeitfenster: ${time}).`,
  pinRate: (count, time) =>
    `Sie kann ${times(count, '1 PIN oder Link', 'PINs oder Links')} anfordern (Zeitfenster: ${time}).`,
  waitForWindow: 'Danach wartet sie, bis das Zeitfenster endet.',
  waitAtLeast: (time) => `Danach wartet sie, bis das Zeitfenster endet (mindestens: ${time}).`,
  session: (time) => `Benutzer melden sich spätestens nach dieser Zeit neu an: ${time}.`,
  token: (time) => `Ein Client erneuert jedes Token innerhalb dieser Zeit: ${time}.`,
  pins: (count, attempts) =>
    `Es gibt ${count} mögliche PINs. Eine PIN erlaubt ${times(attempts, '1 Versuch', 'Versuche')}.`,
  resend: (count, time) =>
    `Nach dieser Zeit kann ein Benutzer die nächste PIN anfordern: ${time}. Am Tag sind ${times(count, '1 Nachricht', 'Nachrichten')} möglich.`,
  resendAtOnce: (count) =>
    `Ein Benutzer kann die nächste PIN sofort anfordern. Am Tag sind ${times(count, '1 Nachricht', 'Nachrichten')} möglich.`,
  noFactors: 'Benutzer können keinen zweiten Faktor einrichten.',
  factors: (kinds, isRequired) =>
    isRequired
      ? `Benutzer können ${list(kinds)} einrichten. Konten mit Berechtigungen müssen es tun.`
      : `Benutzer können ${list(kinds)} einrichten.`,
  kinds: { passkeys: 'Passkeys', authenticator: 'eine Authenticator-App' },
  noRegistration: 'Benutzer können sich nicht registrieren. Administratoren legen Konten an.',
  registration: {
    email: 'Benutzer registrieren sich mit einer E-Mail-Adresse und wählen einen Benutzernamen.',
    emailAsName: 'Benutzer registrieren sich mit einer E-Mail-Adresse, die ihr Benutzername wird.',
    sms: 'Benutzer registrieren sich mit einer Mobilnummer.',
  },
};
