// The effect of settings in words, in German. Durations are in words already.
import type { settingEffects as english } from './en-setting-effects.ts';

const times = (count: number, one: string, many: string) => (count === 1 ? one : `${count} ${many}`);
const list = (parts: readonly string[]) => new Intl.ListFormat('de', { type: 'conjunction' }).format(parts);

export const settingEffects: typeof english = {
  lockout: (count, time) =>
    count === 1
      ? `1 falsches Passwort oder 1 falscher Code sperrt den Benutzer (Dauer: ${time}).`
      : `${count} falsche Passwörter oder Codes nacheinander sperren den Benutzer (Dauer: ${time}).`,
  lockoutOff: 'Erst 100 Fehlversuche nacheinander sperren einen Benutzer.',
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
  autoLogoff: (time) =>
    `Offene Seiten melden Benutzer ohne Aktivität ab. Zeit bis dahin: ${time}. So lange halten sie das Token gültig.`,
  sleep: (time) =>
    `Ein Gerät, das länger ruht, kann das nicht, und sein Benutzer wird abgemeldet. Zeit bis dahin: ${time}.`,
  noAutoLogoff: (time) => `Benutzer ohne Aktivität werden abgemeldet, wenn ihr Token abläuft. Ein Token gilt: ${time}.`,
  resetBy: (ways) =>
    ways.length === 0
      ? 'Benutzer können ein vergessenes Passwort nicht zurücksetzen. Das muss ein Administrator tun.'
      : `Benutzer setzen ein vergessenes Passwort zurück mit ${new Intl.ListFormat('de', { type: 'disjunction' }).format(ways)}.`,
  byLink: (time) => `einem Link per E-Mail (gültig: ${time})`,
  bySms: (time) => `einem Code per SMS (gültig: ${time})`,
  byQuestions: (count) => times(count, 'der Antwort auf eine Sicherheitsfrage', 'Antworten auf Sicherheitsfragen'),
  tooFewQuestions: (asked, listed) =>
    `Sicherheitsfragen setzen kein Passwort zurück: Dafür sind ${asked} nötig, und die Liste hat ${listed}.`,
  rate: (count, time) => `Eine Adresse kann sich ${times(count, 'einmal', 'Mal')} anmelden (Zeitfenster: ${time}).`,
  pinRate: (count, time) =>
    `Sie kann ${times(count, '1 Code oder Link', 'Codes oder Links')} anfordern (Zeitfenster: ${time}).`,
  waitForWindow: 'Danach wartet sie, bis das Zeitfenster endet.',
  waitAtLeast: (time) => `Danach wartet sie, bis das Zeitfenster endet (mindestens: ${time}).`,
  session: (time) => `Benutzer melden sich spätestens nach dieser Zeit neu an: ${time}.`,
  token: (time) => `Ein Token gilt: ${time}. Clients erneuern es, während ihr Benutzer aktiv ist.`,
  tokenUntilIdle: (time, idle) =>
    `Ein Token gilt: ${time}. Offene Seiten erneuern es, bis ihr Benutzer so lange nicht aktiv war: ${idle}.`,
  pins: (count, attempts) =>
    `Es gibt ${count} mögliche Codes. Ein Code erlaubt ${times(attempts, '1 Versuch', 'Versuche')}.`,
  resend: (count, time) =>
    `Nach dieser Zeit kann ein Benutzer den nächsten Code anfordern: ${time}. Am Tag sind ${times(count, '1 Nachricht', 'Nachrichten')} möglich.`,
  resendAtOnce: (count) =>
    `Ein Benutzer kann den nächsten Code sofort anfordern. Am Tag sind ${times(count, '1 Nachricht', 'Nachrichten')} möglich.`,
  noFactors: 'Benutzer können keinen zweiten Faktor einrichten.',
  factors: (kinds, isRequired) =>
    isRequired
      ? `Benutzer können ${list(kinds)} einrichten. Benutzer mit Berechtigungen müssen es tun.`
      : `Benutzer können ${list(kinds)} einrichten.`,
  kinds: { passkeys: 'Passkeys', authenticator: 'eine Authenticator-App' },
  noRegistration: 'Benutzer können sich nicht registrieren. Administratoren erstellen Benutzer.',
  registration: {
    email: 'Benutzer registrieren sich mit einer E-Mail-Adresse und wählen einen Benutzernamen.',
    emailAsName: 'Benutzer registrieren sich mit einer E-Mail-Adresse, die ihr Benutzername wird.',
    sms: 'Benutzer registrieren sich mit einer Mobilnummer.',
  },
};
