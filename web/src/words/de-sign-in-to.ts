// The texts of signing in to applications in German. The sign-in page does not load them unless an application asks.
import type { signInTo as english } from './en-sign-in-to.ts';

const authorization: (typeof english)['authorization'] = {
  title: (name) => `Bei ${name} anmelden`,
  continuing: (name) => `Weiter zu ${name} …`,
  back: (name) => `Zurück zu ${name}`,
  signedInAs: (user) => `Sie sind als ${user} angemeldet.`,
  other: 'Anderes Konto verwenden',
  ended: {
    title: 'Diese Anmeldung ist zu Ende',
    text: 'Sie wurde abgeschlossen, hat zu lange gedauert oder begann in einem anderen Browser. Bitte beginnen Sie in der Anwendung von vorn.',
  },
  denied: {
    title: (name) => `Kein Zugang zu ${name}`,
    text: 'Ihr Konto darf diese Anwendung nicht verwenden. Bitten Sie einen Administrator dieses Dienstes um Zugang.',
  },
  again: (name) => `${name} verlangt, dass Sie sich noch einmal anmelden.`,
  otherWay: 'Auf andere Weise oder mit einem anderen Konto anmelden',
  level: (name) => `${name} verlangt, dass Sie Ihre Anmeldung mit einem zweiten Faktor bestätigen.`,
  consent: {
    title: (name) => `Daten mit ${name} teilen?`,
    text: (name) => `${name} erhält:`,
    scopes: {
      openid: 'Ihre Kontonummer bei diesem Dienst',
      profile: 'Ihren Namen und Benutzernamen',
      email: 'Ihre E-Mail-Adresse',
      phone: 'Ihre Mobilnummer',
      roles: 'Ihre Rollen',
      offline_access: 'Zugriff auch dann, wenn Sie sich hier abgemeldet haben',
    },
    later:
      'Der Zugriff endet, wenn Sie sich hier abmelden, wenn die Liste nichts anderes sagt. Auf der Seite „Mein Konto“ können Sie ihn früher widerrufen.',
    allow: 'Erlauben',
    refuse: 'Ablehnen',
  },
};

const device: (typeof english)['device'] = {
  title: 'Gerät verbinden',
  code: 'Code',
  codeHint: 'Geben Sie die 8 Buchstaben ein, die das Gerät anzeigt.',
  wants: (name) => `Ein Gerät möchte sich als Sie bei ${name} anmelden.`,
  from: (ip) => `Das Gerät hat die Adresse ${ip}.`,
  warning:
    'Fahren Sie nur fort, wenn Sie dies an Ihrem eigenen Gerät begonnen haben. Hat Ihnen jemand den Code oder einen Link zu dieser Seite geschickt, schließen Sie sie.',
  otherCode: 'Anderen Code eingeben',
  allowed: {
    title: 'Das Gerät ist verbunden',
    text: 'Sie können zu Ihrem Gerät zurückkehren und diese Seite schließen.',
  },
  refused: { title: 'Das Gerät wurde abgelehnt', text: 'Es erhält keinen Zugang. Sie können diese Seite schließen.' },
};

const signOut: (typeof english)['signOut'] = {
  title: 'Abmelden?',
  text: 'Eine Anwendung möchte Sie von diesem Dienst abmelden, und damit von allen Anwendungen, die Sie mit dieser Anmeldung geöffnet haben.',
  submit: 'Abmelden',
  stay: 'Angemeldet bleiben',
  over: 'Diese Frage ist abgelaufen, oder Sie sind schon abgemeldet. Um sich abzumelden, beginnen Sie in der Anwendung von vorn.',
  done: 'Sie sind abgemeldet',
  doneText: 'Sie können diese Seite schließen.',
  unheard: {
    title: 'Dieser Browser ist abgemeldet',
    text: 'Der Dienst hat die Abmeldung nicht bestätigt. Ihre Sitzung kann dort noch offen sein, bis sie abläuft. Um sie zu beenden, melden Sie sich an und beenden Sie sie auf der Seite „Mein Konto“.',
  },
  still: (user) => `Sie sind von der Anwendung abgemeldet. Bei diesem Dienst sind Sie noch als ${user} angemeldet.`,
  told: {
    label: 'Anwendungen',
    states: {
      pending: 'Noch keine Antwort',
      confirmed: 'Abgemeldet',
      refused: 'Abgelehnt',
      failed: 'Keine Antwort',
      unreachable: 'Nicht erreichbar',
    },
    tokensEnd: (time) => `Ihre Tokens laufen ab: ${time}`,
    tokensEnded: 'Ihre Tokens sind abgelaufen',
    waiting: 'Diese Seite zeigt jede Antwort, sobald sie eintrifft.',
    inVain:
      'Bei einer Anwendung, die nicht bestätigt hat, sind Sie vielleicht noch angemeldet. Bitte melden Sie sich auch dort ab.',
  },
};

export const signInTo: typeof english = { authorization, device, signOut };
