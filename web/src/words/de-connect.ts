// The texts of the pages that connect applications and front ends, in German.
import type { connect as english } from './en-connect.ts';

export const connect: typeof english = {
  tab: 'Verbinden',
  title: (name) => `${name} verbinden`,
  openOf: (name) => `${name} verbinden`,
  values: 'Was das Programm braucht',
  issuer: 'Issuer',
  origins: 'Erlaubte Ursprünge',
  originsHint: 'Der Dienst entnimmt sie den Redirect-URIs. Sie müssen nichts einstellen.',
  environment: 'Umgebung',
  secretHint: (button) =>
    `Der Dienst zeigt das Client-Geheimnis einmal. Wenn Sie es nicht haben, wählen Sie oben „${button}“, und setzen Sie es für CLIENT_SECRET ein. Es gehört nicht in den Quelltext.`,
  sessionSecretHint:
    'SESSION_SECRET ist bei jedem Öffnen dieser Seite ein neuer Zufallswert. Hat das Programm schon einen, behalten Sie ihn: Ein anderer meldet seine Benutzer ab.',
  code: 'Quelltext',
  more: 'Anleitung lesen',
  trial: 'Ausprobieren',
  trialHint: 'Der Dienst erhält die Anfrage, die das Programm senden wird, und sagt, ob er sie annimmt.',
  try: 'Ausprobieren',
  tryOne: (uri) => `${uri} ausprobieren`,
  accepted: 'Angenommen',
  acceptedText:
    'Der Dienst nimmt die Anfrage an. Melden Sie sich an, um zu sehen, dass die Weiterleitung ankommt: Das Programm sagt dann, dass es diese Anmeldung nicht verlangt hat.',
  open: 'In einem neuen Tab anmelden',
  refused: 'Der Dienst lehnt die Anfrage ab',
  unreachable: 'Der Dienst hat nicht geantwortet. Versuchen Sie es noch einmal.',
  elsewhere: (url) =>
    `Öffnen Sie diese Seite unter ${url}, um es auszuprobieren: Dorthin leitet das Programm seine Benutzer.`,
  allowedOrigin: 'Erlaubter Ursprung',
  origin: 'Ursprung des Frontends',
  originHint: 'Schema, Hostname und Port, wie sie in der Adresszeile seiner Seiten stehen.',
  originFault: 'Geben Sie ihn so ein: https://portal.example.com oder http://localhost:5173.',
  allowed: 'Erlaubt',
  notAllowed:
    'Browser lehnen seine Aufrufe ab. Setzen Sie diese Variable auf dem Rechner des Dienstes, und starten Sie den Dienst neu:',
  signInHint: 'Öffnen Sie die Anmeldeseite mit den Einstellungen und der Marke dieses Frontends.',
  openSignIn: 'Anmeldeseite öffnen',
};
