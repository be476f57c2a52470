// The texts of the pages of external providers in German.
import type { externalProviders as english } from './en-external-providers.ts';

const types: (typeof english)['types'] = {
  oidc: 'Beliebiger OpenID-Anbieter',
  oauth2: 'Beliebiger OAuth-2-Anbieter',
};

const steps: (typeof english)['guide']['steps'] = {
  google: {
    1: 'Öffnen Sie die Google-Cloud-Konsole und wählen Sie ein Projekt, oder legen Sie eines an.',
    2: 'Öffnen Sie „Google Auth Platform“. Füllen Sie beim ersten Mal „Branding“ aus und wählen Sie unter „Zielgruppe“, wer sich anmelden darf: „Intern“ nur für Ihren Workspace, oder „Extern“.',
    3: 'Wählen Sie unter „Clients“ „Client erstellen“ und die Art „Webanwendung“.',
    4: 'Fügen Sie unter „Autorisierte Weiterleitungs-URIs“ die Redirect-URI hinzu, die oben steht.',
    5: 'Wählen Sie „Erstellen“. Kopieren Sie die Client-ID und das Client-Geheimnis („Clientschlüssel“) hierher. Google zeigt das Geheimnis nur dann.',
  },
  microsoft: {
    1: 'Öffnen Sie das Microsoft Entra Admin Center. Öffnen Sie unter „Entra ID“ die „App-Registrierungen“ und wählen Sie „Neue Registrierung“.',
    2: 'Wählen Sie nur die Konten in diesem Organisationsverzeichnis. Ein Anbieter hier steht für ein Verzeichnis.',
    3: 'Wählen Sie unter „Umleitungs-URI“ „Web“ und fügen Sie die Redirect-URI ein, die oben steht. Wählen Sie „Registrieren“.',
    4: 'Kopieren Sie die „Anwendungs-ID (Client)“ und die „Verzeichnis-ID (Mandant)“ hierher.',
    5: 'Wählen Sie unter „Zertifikate & Geheimnisse“ „Neuer geheimer Clientschlüssel“. Kopieren Sie seinen Wert hierher, nicht seine ID, und tragen Sie unter „Weitere Einstellungen“ seinen letzten Tag ein.',
    6: 'Entra sagt nicht, ob eine Adresse bestätigt ist. Damit sich neue Personen registrieren können, fügen Sie dem ID-Token unter „Tokenkonfiguration“ den optionalen Anspruch xms_edov hinzu, oder vertrauen Sie unter „Weitere Einstellungen“ allen Adressen.',
  },
  github: {
    1: 'Öffnen Sie bei GitHub die „Developer settings“ Ihres Kontos oder Ihrer Organisation und dort „OAuth Apps“.',
    2: 'Wählen Sie „New OAuth app“. Geben Sie einen Namen ein und die Adresse dieses Dienstes als „Homepage URL“.',
    3: 'Fügen Sie die Redirect-URI, die oben steht, als „Authorization callback URL“ ein. Wählen Sie „Register application“.',
    4: 'Kopieren Sie die Client-ID hierher. Wählen Sie „Generate a new client secret“ und kopieren Sie auch das Geheimnis.',
  },
  gitlab: {
    1: 'Öffnen Sie bei GitLab „Anwendungen“ in den Einstellungen Ihres Kontos. In einer eigenen Installation finden Administratoren „Anwendungen“ im Administratorbereich.',
    2: 'Wählen Sie „Neue Anwendung hinzufügen“ und geben Sie einen Namen ein.',
    3: 'Fügen Sie die Redirect-URI ein, die oben steht. Lassen Sie „Vertraulich“ angekreuzt.',
    4: 'Kreuzen Sie die Scopes openid, profile und email an. Wählen Sie „Anwendung speichern“.',
    5: 'Kopieren Sie die Anwendungs-ID als Client-ID und das Geheimnis. Geben Sie für eine eigene Installation ihre Adresse als Issuer an.',
  },
  apple: {
    1: 'Öffnen Sie „Certificates, Identifiers & Profiles“ bei Apple Developer. Legen Sie eine „App ID“ mit „Sign in with Apple“ an, wenn Sie noch keine haben.',
    2: 'Legen Sie eine „Services ID“ an. Ihre Kennung ist hier die Client-ID.',
    3: 'Schalten Sie für sie „Sign in with Apple“ ein und wählen Sie „Configure“. Geben Sie die Domain dieses Dienstes an und die Redirect-URI, die oben steht, als „Return URL“. Apple nimmt nur https.',
    4: 'Legen Sie unter „Keys“ einen Schlüssel mit „Sign in with Apple“ an. Kopieren Sie seine Schlüssel-ID hierher und den ganzen Text der Datei. Apple gibt die Datei nur einmal heraus.',
    5: 'Kopieren Sie die Team-ID, die auf den Seiten von Apple Developer oben rechts steht.',
    6: 'Apple fragt Personen, ob sie ihre Adresse verbergen. Um sie zu erreichen, registrieren Sie unter „Services“ den Absender Ihrer E-Mails.',
  },
  facebook: {
    1: 'Öffnen Sie „Meine Apps“ bei Meta for Developers und wählen Sie „App erstellen“ mit dem Anwendungsfall „Authentifizierung und Anfordern von Daten von Nutzern mit Facebook Login“.',
    2: 'Erlauben Sie im Anwendungsfall neben public_profile die Berechtigung email.',
    3: 'Fügen Sie in den Einstellungen von „Facebook Login“ die Redirect-URI, die oben steht, unter „Gültige OAuth Redirect URIs“ ein.',
    4: 'Kopieren Sie unter „App-Einstellungen“, „Allgemeines“ die App-ID als Client-ID und das App-Geheimnis.',
    5: 'Veröffentlichen Sie die App. Bis dahin können sich nur ihre eigenen Tester anmelden.',
    6: 'Facebook sagt nicht, ob eine Adresse bestätigt ist. Damit sich neue Personen registrieren können, vertrauen Sie unter „Weitere Einstellungen“ allen Adressen.',
  },
  linkedin: {
    1: 'Öffnen Sie „My apps“ bei LinkedIn Developers und wählen Sie „Create app“. Dafür brauchen Sie eine Seite Ihres Unternehmens.',
    2: 'Beantragen Sie unter „Products“ „Sign In with LinkedIn using OpenID Connect“.',
    3: 'Fügen Sie unter „Auth“ die Redirect-URI, die oben steht, den „Authorized redirect URLs“ hinzu.',
    4: 'Kopieren Sie von dort die Client-ID und das „Primary Client Secret“.',
  },
  oidc: {
    1: 'Registrieren Sie beim Anbieter einen Client für eine Webanwendung, mit dem Authorization-Code-Flow.',
    2: 'Geben Sie ihm genau die Redirect-URI, die oben steht.',
    3: 'Erlauben Sie die Scopes openid, profile und email. Verlangen Sie PKCE, wenn Sie wählen können.',
    4: 'Kopieren Sie die Client-ID und das Client-Geheimnis hierher. Ein öffentlicher Client hat kein Geheimnis.',
    5: 'Geben Sie den Issuer an: die Adresse vor /.well-known/openid-configuration.',
  },
  oauth2: {
    1: 'Registrieren Sie beim Anbieter einen Client für eine Webanwendung, mit dem Authorization-Code-Flow.',
    2: 'Geben Sie ihm genau die Redirect-URI, die oben steht.',
    3: 'Kopieren Sie die Client-ID und das Client-Geheimnis hierher.',
    4: 'Suchen Sie in der Dokumentation des Anbieters die drei Endpunkte: Autorisierung, Token und Userinfo.',
    5: 'Geben Sie unter „Weitere Einstellungen“ die Scopes an, die Userinfo braucht, und welche Felder von Userinfo den Schlüssel der Person, die Namen und die Adresse enthalten.',
  },
};

const messages: (typeof english)['messages'] = {
  'the answer is #': 'Der Anbieter antwortet mit dem Status #.',
  'no valid answer': 'Der Anbieter gibt keine gültige Antwort.',
  'the metadata lack an endpoint': 'In den Metadaten fehlt der Endpunkt für die Autorisierung oder für Tokens.',
  'the metadata list no method "…"':
    'Die Metadaten nennen keine Code-Challenge-Methode "…", sodass PKCE nicht möglich ist.',
  'the metadata name no address of keys': 'Die Metadaten nennen keine Adresse der Schlüssel.',
  'the address of keys answers none': 'Die Adresse der Schlüssel antwortet ohne Schlüssel.',
  'the provider refuses the client id or the client secret':
    'Der Anbieter lehnt die Client-ID oder das Client-Geheimnis ab. Vergleichen Sie beide, und ersetzen Sie das Geheimnis, wenn es abgelaufen ist.',
  'an endpoint does not answer (#)': 'Ein Endpunkt antwortet mit dem Status #. Prüfen Sie seine Adresse.',
  'unexpected HTTP response status code (#)':
    'Die Metadaten sind nicht lesbar: Der Anbieter antwortet mit dem Status #. Prüfen Sie den Issuer.',
  'discovered metadata issuer does not match the expected issuer':
    'Die Metadaten nennen einen anderen Issuer. Geben Sie ihn genau wie dort an.',
  '"…" body "…" property does not match the expected value':
    'Die Metadaten nennen einen anderen Issuer. Geben Sie ihn genau wie dort an.',
  ECONNREFUSED: 'Unter dieser Adresse antwortet nichts. Prüfen Sie die Adresse und ob der Anbieter läuft.',
  ECONNRESET: 'Der Anbieter hat die Verbindung geschlossen.',
  ENOTFOUND: 'Es gibt keinen Host mit diesem Namen. Prüfen Sie die Adresse.',
  EAI_AGAIN: 'Der Name des Hosts ließ sich nicht auflösen. Prüfen Sie den Nameserver dieser Maschine.',
  ETIMEDOUT: 'Der Anbieter antwortet nicht rechtzeitig.',
  'It took longer than # s.': 'Der Anbieter hat nicht innerhalb von # Sekunden geantwortet.',
  CERT_HAS_EXPIRED: 'Das Zertifikat des Anbieters ist abgelaufen.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Das Zertifikat des Anbieters stammt von keiner Stelle, der diese Maschine vertraut.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Das Zertifikat des Anbieters stammt von keiner Stelle, der diese Maschine vertraut.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Der Anbieter sendet nicht die ganze Kette seines Zertifikats.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Das Zertifikat des Anbieters gilt für einen anderen Host.',
  'The clock of the provider differs by # seconds. Set the clock of this machine.':
    'Die Uhr des Anbieters weicht um # Sekunden ab. Stellen Sie die Uhr dieser Maschine.',
  'The key "…" can change and go to another person, who then signs in to the account. Choose a claim that never changes.':
    'Der Schlüssel "…" kann sich ändern und an eine andere Person gehen, die sich dann bei dem Konto anmeldet. Wählen Sie einen Claim, der sich nie ändert.',
  'This is an address of "…". Its own type knows what it proves of a person: register a provider of the type "…" instead.':
    'Das ist eine Adresse von "…". Die eigene Art dafür weiß, was dort über eine Person belegt ist: Registrieren Sie stattdessen einen Anbieter der Art "…".',
};

const names: (typeof english)['test']['names'] = {
  discovery: 'Metadaten des Anbieters',
  endpoints: 'Endpunkte',
  keys: 'Schlüssel für Signaturen',
  PKCE: 'Schutz der Codes (PKCE)',
  client: 'Client-ID und Geheimnis',
  clock: 'Uhr',
};

export const externalProviders: typeof english = {
  title: 'Externe Anbieter',
  one: 'Externer Anbieter',
  reason:
    'Benutzer melden sich hier mit dem Konto an, das sie dort haben. Jeder Anbieter hat eine Schaltfläche auf der Anmeldeseite.',
  empty:
    'Es gibt noch keine externen Anbieter. Erstellen Sie einen, damit sich Benutzer mit Google, Microsoft, GitHub oder dem System Ihrer Organisation anmelden und hier kein Passwort brauchen.',
  unknown: 'Es gibt keinen externen Anbieter mit dieser ID. Vielleicht wurde er gelöscht.',
  add: 'Anbieter erstellen',
  addReason:
    'Es dauert etwa fünf Minuten: Sie registrieren diesen Dienst beim Anbieter und kopieren zwei oder drei Werte hierher.',
  added: (name) => `${name} wurde erstellt. Testen Sie den Anbieter jetzt.`,
  choose: 'Wählen Sie eine Art',
  typeHint: 'Was der Anbieter ist. Es ändert sich später nicht.',
  edit: 'Bearbeiten',
  editOne: (name) => `${name} bearbeiten`,
  saved: (name) => `${name} wurde gespeichert.`,
  actions: 'Aktionen',
  columns: { displayName: 'Anbieter', type: 'Art', state: 'Status', createdAt: 'Registriert' },
  states: {
    enabled: 'Aktiv',
    disabled: 'Deaktiviert',
    replaced: 'Durch Programmcode ersetzt',
    expires: (day) => `Geheimnis läuft am ${day} ab`,
    expired: (day) => `Geheimnis ist am ${day} abgelaufen`,
  },
  replacedText:
    'Eine Erweiterung registriert im Programmcode einen Anbieter mit diesem Namen. Benutzer melden sich mit jenem an.',
  types,
  redirectUri: 'Redirect-URI',
  redirectUriLater: 'Sie steht hier, sobald Sie den Namen eingegeben haben.',
  more: 'Weitere Einstellungen',
  fields: {
    name: 'Name',
    displayName: 'Text der Schaltfläche',
    clientId: 'Client-ID',
    clientSecret: 'Client-Geheimnis',
    issuer: 'Issuer',
    tenant: 'Verzeichnis-ID (Mandant)',
    teamId: 'Team-ID',
    keyId: 'Schlüssel-ID',
    privateKey: 'Privater Schlüssel',
    scopes: 'Scopes',
    authorizationParameters: 'Weitere Parameter der Anfrage',
    allowedDomains: 'Domains von Adressen, die sich registrieren dürfen',
    registersNewUsers: 'Neue Personen dürfen sich registrieren',
    roleForNewUsers: 'Rolle neuer Benutzer',
    emailTrust: 'Adressen',
    secretExpiresAt: 'Letzter Tag des Geheimnisses',
  },
  hints: {
    name: 'Er ist ein Teil der Redirect-URI und ändert sich nie.',
    displayName: 'Leer: der Name.',
    clientId: 'Wie der Anbieter sie zeigt.',
    clientSecret: 'Es wird versiegelt gespeichert und nie wieder angezeigt.',
    issuer: 'Die Adresse vor /.well-known/openid-configuration, genau wie der Anbieter sie schreibt.',
    tenant: 'Die GUID Ihres Verzeichnisses.',
    teamId: 'Zehn Großbuchstaben und Ziffern.',
    keyId: 'Zehn Großbuchstaben und Ziffern.',
    privateKey: 'Der ganze Text der Datei von Apple. Er wird versiegelt gespeichert und nie wieder angezeigt.',
    scopes: 'Was angefragt wird, durch Leerzeichen getrennt. Leer: die üblichen.',
    authorizationParameters: 'Als name=wert, einer je Zeile.',
    allowedDomains:
      'Zum Beispiel example.com, durch Leerzeichen getrennt. Leer: alle. Verknüpfte Benutzer können sich immer anmelden.',
    registersNewUsers: 'Sonst können sich nur verknüpfte Benutzer anmelden.',
    roleForNewUsers: 'Wer sich über diesen Anbieter registriert, erhält sie.',
    emailTrust: 'Vertrauen Sie allen Adressen nur, wenn dort niemand die Adresse einer anderen Person setzen kann.',
    secretExpiresAt: 'Die Übersicht warnt 30 Tage vorher. Leer: Es läuft nicht ab.',
    claims: 'Der Name des Claims. Leer: der übliche.',
  },
  trusts: {
    verified: 'Nur vom Anbieter bestätigte',
    always: 'Allen vertrauen: Der Anbieter prüft sie',
  },
  members: { isEnabled: 'Status', endpoints: 'Endpunkte', claims: 'Claims' },
  neverChanged: 'Dieser Anbieter wurde noch nie geändert.',
  replacedSecret: 'Ersetzt. Geheimnisse werden nicht aufbewahrt: Das frühere lässt sich nicht wiederherstellen.',
  noRole: 'Keine',
  everybody: 'Alle',
  nobody: 'Niemand',
  endpoints: {
    authorization: 'Endpunkt für die Autorisierung',
    token: 'Endpunkt für Tokens',
    userinfo: 'Endpunkt für Userinfo',
    emails: 'Endpunkt für Adressen',
  },
  endpointHints: {
    authorization: 'Wo sich Benutzer anmelden.',
    token: 'Wo der Dienst Codes einlöst.',
    userinfo: 'Wo der Dienst erfährt, wer die Person ist.',
    emails: 'Nur wenn Adressen anderswo stehen, wie bei GitHub.',
  },
  claims: {
    providerKey: 'Claim mit dem Schlüssel der Person',
    name: 'Claim mit dem Vornamen',
    surname: 'Claim mit dem Nachnamen',
    emailAddress: 'Claim mit der Adresse',
  },
  guide: { title: (type) => `Das ist beim Anbieter zu tun: ${type}`, steps },
  test: {
    open: 'Testen',
    steps: 'Schritte des Tests',
    passed:
      'Der Anbieter antwortet richtig. Eine Anmeldung wurde dabei nicht versucht: Probieren Sie sie auf der Anmeldeseite aus.',
    failed: 'Etwas stimmt noch nicht.',
    good: 'In Ordnung',
    bad: 'Nicht in Ordnung',
    names,
  },
  messages,
  secret: {
    open: 'Geheimnis ersetzen',
    title: (name) => `Geheimnis von ${name} ersetzen`,
    reason: 'Ein neues Geheimnis ersetzt das gespeicherte sofort. Legen Sie es zuerst beim Anbieter an.',
    movedReason:
      'Das gespeicherte Geheimnis wird an keine andere Adresse gesendet. Geben Sie auch das Geheimnis für die neue Adresse ein.',
    stored: 'Gespeichert. Es wird nie angezeigt.',
    none: 'Keines',
    isPublic: 'Das ist ein öffentlicher Client',
    isPublicHint: 'Er hat kein Geheimnis: Das gespeicherte wird gelöscht.',
    yes: 'Ersetzen',
    done: (name) => `Das Geheimnis von ${name} wurde ersetzt.`,
  },
  enable: 'Aktivieren',
  enabled: (name) => `${name} ist aktiv.`,
  disable: 'Deaktivieren',
  disabled: (name) => `${name} ist deaktiviert. Niemand kann sich damit anmelden.`,
  remove: 'Löschen',
  removeTitle: (name) => `${name} löschen`,
  removeText: (logins) =>
    logins === 0
      ? 'Niemand ist damit verknüpft. Die Schaltfläche verschwindet von der Anmeldeseite.'
      : `${logins === 1 ? '1 externe Anmeldung geht' : `${logins} externe Anmeldungen gehen`} damit verloren, und alle Sitzungen ihrer Benutzer enden sofort. Um den Anbieter nur vorübergehend abzuschalten, deaktivieren Sie ihn stattdessen.`,
  removed: (name) => `${name} wurde gelöscht.`,
};
