// The labels, descriptions and warnings of the service's settings in German, by the English text.

export const definitions: Readonly<Record<string, string>> = {
  Security: 'Sicherheit',
  'Security Settings': 'Sicherheitseinstellungen',
  'Automatic log-off, and how users can reset a forgotten password.':
    'Automatische Abmeldung, und wie Benutzer ein vergessenes Passwort zurücksetzen können.',
  'Use auto logoff': 'Automatisch abmelden',
  'The service signs users out after a time without activity in any tab.':
    'Der Dienst meldet Benutzer ab, die eine Zeit lang in keinem Tab aktiv waren.',
  'Auto logoff timeout': 'Zeit bis zur automatischen Abmeldung',
  'How long a session may be idle before the user is signed out. Open pages keep the token valid until then.':
    'Wie lange eine Sitzung ohne Aktivität bleiben darf, bevor der Benutzer abgemeldet wird. Offene Seiten halten das Token so lange gültig.',
  'Use reset password via email link': 'Passwort per E-Mail-Link zurücksetzen',
  'Users can reset a password with a link that the service mails to the verified address.':
    'Benutzer können ein Passwort mit einem Link zurücksetzen, den der Dienst an die bestätigte Adresse sendet.',
  'Reset password email link lifetime': 'Gültigkeit des E-Mail-Links',
  'How long the link stays valid.': 'Wie lange der Link gültig bleibt.',
  'Use reset password via SMS OTP': 'Passwort mit einem Code per SMS zurücksetzen',
  'Users can reset a password with a one-time pin that the service sends to the verified mobile number.':
    'Benutzer können ein Passwort mit einem Code zurücksetzen, den der Dienst an die bestätigte Mobilnummer sendet.',
  'Reset password SMS OTP lifetime': 'Gültigkeit des Codes per SMS',
  'How long the code stays valid.': 'Wie lange der Code gültig bleibt.',
  'Mobile login pin lifetime': 'Gültigkeit des Codes zur Anmeldung',
  'How long the code of a sign-in without password stays valid.':
    'Wie lange der Code einer Anmeldung ohne Passwort gültig bleibt.',
  'Use reset password via security questions': 'Passwort mit Sicherheitsfragen zurücksetzen',
  'Users can reset a password with answers to security questions. Off by default, because other people often know or guess the answers (OWASP ASVS 6.4.2, NIST SP 800-63B-4).':
    'Benutzer können ihr Passwort mit Antworten auf Sicherheitsfragen zurücksetzen. Standardmäßig aus, weil andere die Antworten oft wissen oder erraten (OWASP ASVS 6.4.2, NIST SP 800-63B-4).',
  'Other people often know or guess the answers, and can take over the account with them.':
    'Andere Personen kennen oder erraten die Antworten oft und können damit das Konto übernehmen.',
  'Number of security questions': 'Anzahl der Sicherheitsfragen',
  'How many questions a user must answer, all of them correctly. While the list has fewer questions, they reset no password.':
    'Wie viele Fragen ein Benutzer beantworten muss, und zwar alle richtig. Solange die Liste weniger Fragen hat, setzen sie kein Passwort zurück.',

  'Own accounts': 'Eigene Konten',
  'What account owners may do with their whole account.': 'Was Kontoinhaber mit ihrem ganzen Konto tun dürfen.',
  'Delete the own account': 'Das eigene Konto löschen',
  'Account owners, except administrators, may delete their account with all personal data, after they have proven who they are. Nothing can bring it back.':
    'Kontoinhaber, außer Administratoren, dürfen ihr Konto mit allen persönlichen Daten löschen, nachdem sie noch einmal bestätigt haben, dass sie es sind. Es lässt sich nicht wiederherstellen.',

  'Rate limiting': 'Ratenbegrenzung',
  'Rate limits per IP address': 'Begrenzung je IP-Adresse',
  'How often one IP address may try to sign in, and may request one-time pins and links. All clients behind one address, or in one IPv6 /64 network, share one budget. All /64 networks of an IPv6 /48 network together have 16 times that budget.':
    'Wie oft eine IP-Adresse Anmeldungen versuchen und Einmal-PINs und Links anfordern darf. Alle Clients hinter einer Adresse oder in einem IPv6-/64-Netz teilen sich ein Budget. Alle /64-Netze eines IPv6-/48-Netzes haben zusammen das 16-fache Budget.',
  'Sign-in requests': 'Anmeldungen',
  'How many sign-in requests one address may make in a window. It may begin 30 times as many sign-ins to applications, and answer security questions 30 times as often.':
    'Wie viele Anmeldungen eine Adresse in einem Zeitfenster versuchen darf. Sie darf 30-mal so viele Anmeldungen bei Anwendungen beginnen und 30-mal so oft Sicherheitsfragen beantworten.',
  'One address can try common passwords on many accounts, before a limit stops it.':
    'Eine Adresse kann häufige Passwörter bei vielen Benutzern versuchen, bevor eine Grenze sie aufhält.',
  'Sign-in window': 'Zeitfenster für Anmeldungen',
  'How long the window lasts. It starts with its first request.':
    'Wie lange das Zeitfenster dauert. Es beginnt mit der ersten Anfrage.',
  'Requests for pins and links': 'Anforderungen von PINs und Links',
  'How many requests for a one-time pin or a link one address may make in a window.':
    'Wie viele Einmal-PINs und Links eine Adresse in einem Zeitfenster anfordern darf.',
  'Window for pins and links': 'Zeitfenster für PINs und Links',
  'Shortest wait when over the limit': 'Kürzeste Wartezeit nach einer Ablehnung',
  'How long a client waits after its first refused request. Further requests do not extend it. 0: until the window ends.':
    'Wie lange ein Client nach der ersten abgelehnten Anfrage wartet. Weitere Anfragen verlängern die Zeit nicht. 0: bis das Zeitfenster endet.',

  'Is user lockout enabled': 'Kontosperre eingeschaltet',
  'The service locks an account after repeated failed attempts. 100 failures in a row lock it in any case.':
    'Der Dienst sperrt ein Konto nach mehreren Fehlversuchen. 100 Fehlversuche nacheinander sperren es in jedem Fall.',
  'Attackers get more than 100 attempts a day at the codes of one account.':
    'Angreifer haben mehr als 100 Versuche am Tag an den Codes eines Kontos.',
  'One address gets its budget again so soon that it hardly stops attackers.':
    'Eine Adresse erhält ihr Kontingent so bald wieder, dass es Angreifer kaum aufhält.',
  'Attackers get up to 100 attempts in a row at a password, instead of a few.':
    'Angreifer haben bis zu 100 statt weniger Versuche nacheinander, ein Passwort zu erraten.',
  'Max failed login attempts before lockout': 'Fehlversuche bis zur Sperre',
  'How many failed attempts in a row lock the account.': 'Wie viele Fehlversuche nacheinander das Konto sperren.',
  'User lockout (sec)': 'Dauer der Sperre',
  'How long a locked account stays locked.': 'Wie lange ein gesperrtes Konto gesperrt bleibt.',

  'Second factors and passkeys': 'Zweite Faktoren und Passkeys',
  'What users can enroll. The sign-in asks for a second factor if the account has one. If you turn off a kind, the service no longer asks for it or offers it. It keeps what users have enrolled.':
    'Was Benutzer einrichten können. Die Anmeldung verlangt einen zweiten Faktor, wenn das Konto einen hat. Schalten Sie eine Art aus, so verlangt der Dienst sie nicht mehr und bietet sie nicht mehr an. Was Benutzer eingerichtet haben, bleibt erhalten.',
  Passkeys: 'Passkeys',
  'Users can sign in with a passkey or a security key, alone or as a second factor.':
    'Benutzer können sich mit einem Passkey oder Sicherheitsschlüssel anmelden, allein oder als zweiter Faktor.',
  'Authenticator app': 'Authenticator-App',
  'Users can enroll an app that shows codes of six digits, as a second factor.':
    'Benutzer können als zweiten Faktor eine App einrichten, die Codes aus sechs Ziffern zeigt.',
  'Trusted devices': 'Vertrauenswürdige Geräte',
  'How long the service skips the second factor on a device that the user trusts. 0: never.':
    'Wie lange der Dienst auf einem vertrauenswürdigen Gerät den zweiten Faktor nicht verlangt. 0: Er verlangt ihn immer.',
  'Required for accounts with permissions': 'Pflicht für Konten mit Berechtigungen',
  'An account with any permission must enroll a second factor before it can do anything else.':
    'Ein Konto mit einer Berechtigung muss einen zweiten Faktor einrichten, bevor es etwas anderes tun kann.',
  'Second factor': 'Zweiter Faktor',
  'Whether users of the front end must enroll a second factor. If Default UI requires one, all front ends do.':
    'Ob Benutzer des Frontends einen zweiten Faktor einrichten müssen. Verlangt Default UI einen, so verlangen ihn alle Frontends.',
  Optional: 'Freiwillig',
  Required: 'Pflicht',
  'Users without a second factor can only enroll one until they have done so.':
    'Benutzer ohne zweiten Faktor können nur einen einrichten, bis sie das getan haben.',

  'Tokens and sessions': 'Tokens und Sitzungen',
  'How long tokens and sessions last. A change applies to new tokens.':
    'Wie lange Tokens und Sitzungen dauern. Eine Änderung gilt für neue Tokens.',
  'Access token lifetime': 'Gültigkeit eines Tokens',
  'How long a token is valid. Clients refresh it before it expires, while the session is in use.':
    'Wie lange ein Token gültig ist. Clients erneuern es, bevor es abläuft, solange die Sitzung benutzt wird.',
  'Session lifetime': 'Dauer einer Sitzung',
  'How long after a sign-in clients can refresh its tokens.':
    'Wie lange nach einer Anmeldung Clients deren Tokens erneuern können.',
  'A stolen token can be refreshed for more than 30 days, without a new sign-in.':
    'Ein gestohlenes Token kann mehr als 30 Tage lang erneuert werden, ohne neue Anmeldung.',
  Audience: 'Audience',
  'The aud claim of new tokens. Services that verify tokens check it.':
    'Der Claim aud neuer Tokens. Dienste, die Tokens prüfen, vergleichen ihn.',
  'Header type': 'Typ im Header',
  'The typ header of tokens. Choose JWT only if your verifiers refuse at+jwt. A change applies after the next start of the service, because each signing key has one type. Older tokens stay valid.':
    'Der Header typ der Tokens. Wählen Sie JWT nur, wenn Ihre Dienste at+jwt ablehnen. Eine Änderung gilt nach dem nächsten Start des Dienstes, denn jeder Schlüssel hat einen Typ. Ältere Tokens bleiben gültig.',

  'Security questions': 'Sicherheitsfragen',
  'Questions that users can choose from. The answers reset a forgotten password. Answers to a question that you remove no longer count. If you change the meaning of a question, remove it and add a new one.':
    'Fragen, aus denen Benutzer wählen können. Die Antworten setzen ein vergessenes Passwort zurück. Antworten auf eine entfernte Frage zählen nicht mehr. Ändert sich der Sinn einer Frage, so entfernen Sie sie, und fügen Sie eine neue hinzu.',
  Id: 'ID',
  'A UUID in lower case. Each question has its own.': 'Eine UUID in Kleinbuchstaben. Jede Frage hat eine eigene.',
  Question: 'Frage',
  'The question as users see it, in one line.': 'Die Frage, wie Benutzer sie sehen, in einer Zeile.',

  'Password complexity': 'Passwortregeln',
  'Require digit': 'Ziffer verlangen',
  'A new password must contain at least one digit.': 'Ein neues Passwort muss mindestens eine Ziffer enthalten.',
  'Require lowercase': 'Kleinbuchstaben verlangen',
  'A new password must contain at least one lowercase letter.':
    'Ein neues Passwort muss mindestens einen Kleinbuchstaben enthalten.',
  'Require upper case': 'Großbuchstaben verlangen',
  'A new password must contain at least one uppercase letter.':
    'Ein neues Passwort muss mindestens einen Großbuchstaben enthalten.',
  'Require non alphanumeric': 'Anderes Zeichen verlangen',
  'A new password must contain at least one character that is neither a letter nor a digit.':
    'Ein neues Passwort muss mindestens ein Zeichen enthalten, das weder Buchstabe noch Ziffer ist.',
  'Require length': 'Mindestlänge',
  'The minimum number of characters of a new password.': 'So viele Zeichen muss ein neues Passwort mindestens haben.',
  characters: 'Zeichen',
  'Passwords of fewer than 8 characters are too easy to guess.':
    'Passwörter mit weniger als 8 Zeichen sind zu leicht zu erraten.',
  'Such a rule makes passwords easier to guess, because many people meet it in the same way. Require a greater length instead.':
    'Eine solche Regel macht Passwörter leichter zu erraten, denn viele Benutzer erfüllen sie auf dieselbe Weise. Verlangen Sie stattdessen eine größere Länge.',

  'One-time pins': 'Einmal-PINs',
  'The form of the codes, and how often users can request and try them.':
    'Die Form der Codes, und wie oft Benutzer sie anfordern und eingeben können.',
  'Pin length': 'Länge der PIN',
  'How many characters a code has.': 'Wie viele Zeichen ein Code hat.',
  Characters: 'Zeichenvorrat',
  'The letters and digits of codes, each once. Length and characters must allow a million codes or more.':
    'Die Buchstaben und Ziffern der Codes, jede nur einmal. Länge und Zeichenvorrat müssen mindestens eine Million Codes erlauben.',
  'Attempts per pin': 'Versuche je PIN',
  'How many attempts one code allows. After the last one, the code is invalid.':
    'Wie viele Versuche ein Code erlaubt. Nach dem letzten ist der Code ungültig.',
  'Wait before another pin': 'Wartezeit bis zur nächsten PIN',
  'How long a user must wait before another code or link.':
    'Wie lange ein Benutzer warten muss, bis er noch einen Code oder Link anfordern kann.',
  'Messages per day': 'Nachrichten am Tag',
  'How many codes and links a user can request for one name, and the service sends to one address, per day. Every other SMS counts too.':
    'Wie viele Codes und Links ein Benutzer am Tag für einen Namen anfordern kann und der Dienst an eine Adresse sendet. Auch jede andere SMS zählt.',
  'Wrong pins per day': 'Falsche PINs am Tag',
  'After this many wrong codes for one account or address, the service accepts no code for it until the day ends.':
    'Nach so vielen falschen Codes für ein Konto oder eine Adresse nimmt der Dienst dafür keinen Code mehr an, bis der Tag endet.',
  'Verification pin lifetime': 'Gültigkeit der Bestätigungs-PIN',
  'How long the code or link that verifies a new e-mail address or mobile number stays valid.':
    'Wie lange der Code oder Link gültig bleibt, mit dem Benutzer eine neue E-Mail-Adresse oder Mobilnummer bestätigen.',

  Messages: 'Nachrichten',
  'Phone numbers': 'Telefonnummern',
  'How the service reads phone numbers, and to which countries it sends messages.':
    'Wie der Dienst Telefonnummern liest, und in welche Länder er Nachrichten sendet.',
  'Default region': 'Standardregion',
  'The country of numbers without a country code: two letters (ISO 3166-1), such as ZA. Empty: none.':
    'Das Land von Nummern ohne Ländervorwahl: zwei Buchstaben (ISO 3166-1), zum Beispiel ZA. Leer: keines.',
  'Allowed countries': 'Erlaubte Länder',
  'The service sends messages only to numbers of these countries. Empty: all countries.':
    'Der Dienst sendet Nachrichten nur an Nummern dieser Länder. Leer: alle Länder.',
  'Message: code to sign in': 'Nachricht: Code zur Anmeldung',
  'Contains the code of a sign-in without password.': 'Enthält den Code einer Anmeldung ohne Passwort.',
  'the code': 'der Code',
  'the minutes for which the code or link is valid': 'die Minuten, die der Code oder Link gültig ist',
  'the name of the account owner': 'der Name des Kontoinhabers',
  'the user name': 'der Benutzername',
  'the name of this application': 'der Name dieser Anwendung',
  SMS: 'SMS',
  'The text of the SMS.': 'Der Text der SMS.',
  Subject: 'Betreff',
  'The subject of the e-mail.': 'Der Betreff der E-Mail.',
  Text: 'Text',
  'The e-mail as plain text.': 'Die E-Mail als reiner Text.',
  HTML: 'HTML',
  'The e-mail as HTML. The service escapes the values of placeholders. Empty: the e-mail has plain text only.':
    'Die E-Mail als HTML. Der Dienst maskiert die Werte der Platzhalter. Leer: Die E-Mail hat nur den reinen Text.',
  'Message: code to verify an address': 'Nachricht: Code zur Bestätigung einer Adresse',
  'Contains the code that verifies a new e-mail address or mobile number.':
    'Enthält den Code, der eine neue E-Mail-Adresse oder Mobilnummer bestätigt.',
  'Message: link to verify an address': 'Nachricht: Link zur Bestätigung einer Adresse',
  'Contains the link and the code that verify an e-mail address for registration.':
    'Enthält den Link und den Code, die eine E-Mail-Adresse für die Registrierung bestätigen.',
  'the link': 'der Link',
  'Message: address in use': 'Nachricht: Adresse schon verwendet',
  'Tells an account owner that a person tried to use their address for another account.':
    'Sagt einem Kontoinhaber, dass eine Person seine Adresse für ein anderes Konto verwenden wollte.',
  'Message: address changed': 'Nachricht: Adresse geändert',
  'Tells the old e-mail address or mobile number that the account has another one now.':
    'Sagt der alten E-Mail-Adresse oder Mobilnummer, dass das Konto jetzt eine andere hat.',
  'Message: address verified': 'Nachricht: Adresse bestätigt',
  'Tells the e-mail address of an account that its mobile number was set or changed, and the mobile number that the e-mail address was. Both are verified.':
    'Sagt der E-Mail-Adresse eines Kontos, dass seine Mobilnummer gesetzt oder geändert wurde, und der Mobilnummer dasselbe von der E-Mail-Adresse. Beide sind bestätigt.',
  'Message: addresses changed by an administrator': 'Nachricht: Adressen von einem Administrator geändert',
  'Tells every verified address that an account had that an administrator changed its verified e-mail address or mobile number.':
    'Sagt jeder bisher bestätigten Adresse eines Kontos, dass ein Administrator die bestätigte E-Mail-Adresse oder Mobilnummer geändert hat.',
  'Message: password or name changed by an administrator':
    'Nachricht: Passwort oder Name von einem Administrator geändert',
  'Tells every verified address of an account that an administrator set a new password, changed the user name or an address that is not verified, or linked an external sign-in.':
    'Sagt jeder bestätigten Adresse eines Kontos, dass ein Administrator ein neues Passwort gesetzt, den Benutzernamen oder eine nicht bestätigte Adresse geändert oder eine externe Anmeldung verknüpft hat.',
  'Message: several changes': 'Nachricht: mehrere Änderungen',
  'Tells a verified address what else was changed after the last message. The service sends it when changes follow each other, or when the number has got its messages of the day.':
    'Sagt einer bestätigten Adresse, was nach der letzten Nachricht noch geändert wurde. Der Dienst sendet sie, wenn Änderungen aufeinander folgen oder die Nummer schon alle Nachrichten des Tages erhalten hat.',
  'Message: password changed': 'Nachricht: Passwort geändert',
  'Tells the verified e-mail address of an account that its owner changed the password.':
    'Sagt der bestätigten E-Mail-Adresse eines Kontos, dass der Inhaber das Passwort geändert hat.',
  'Message: security questions changed': 'Nachricht: Sicherheitsfragen geändert',
  'Tells every verified address of an account that the answers to its security questions were replaced.':
    'Sagt jeder bestätigten Adresse eines Kontos, dass die Antworten auf die Sicherheitsfragen ersetzt wurden.',
  'Message: external sign-in linked': 'Nachricht: externe Anmeldung verknüpft',
  'Tells every verified address of an account that it was linked to an external provider.':
    'Sagt jeder bestätigten Adresse eines Kontos, dass es mit einem externen Anbieter verknüpft wurde.',
  'Message: sign-in to an application ended': 'Nachricht: Anmeldung bei einer Anwendung beendet',
  'Tells every verified address of an account that a code or refresh token of an application was used a second time.':
    'Sagt jeder bestätigten Adresse eines Kontos, dass ein Code oder Refresh-Token einer Anwendung ein zweites Mal benutzt wurde.',
  'Message: second factors changed': 'Nachricht: zweite Faktoren geändert',
  'Tells every verified address of an account that its second factors or passkeys were changed.':
    'Sagt jeder bestätigten Adresse eines Kontos, dass sich die zweiten Faktoren oder Passkeys geändert haben.',
  'what was changed, in English': 'was sich geändert hat, auf Englisch',
  'Message: external sign-in removed': 'Nachricht: externe Anmeldung entfernt',
  'Tells every verified address of an account that its link to an external provider was removed.':
    'Sagt jeder bestätigten Adresse eines Kontos, dass die Verknüpfung mit einem externen Anbieter entfernt wurde.',
  'Message: recovery code used': 'Nachricht: Wiederherstellungscode verwendet',
  'Tells every verified address of an account that a recovery code replaced its second factor.':
    'Sagt jeder bestätigten Adresse eines Kontos, dass ein Wiederherstellungscode den zweiten Faktor ersetzt hat.',
  'the number of unused recovery codes': 'die Anzahl der unbenutzten Wiederherstellungscodes',
  'Message: link to reset the password': 'Nachricht: Link zum Zurücksetzen des Passworts',
  'Contains the link that resets a password, and a code to type on another device.':
    'Enthält den Link, der ein Passwort zurücksetzt, und einen Code für ein anderes Gerät.',
  'the code in the link, for an address of your own': 'der Code im Link, für eine eigene Adresse',
  'Message: code to reset the password': 'Nachricht: Code zum Zurücksetzen des Passworts',
  'Contains the code that resets a password.': 'Enthält den Code, der ein Passwort zurücksetzt.',
  'Message: invitation': 'Nachricht: Einladung',
  'Contains the link with which the owner of a new account sets the first password.':
    'Enthält den Link, mit dem der Inhaber eines neuen Kontos das erste Passwort festlegt.',
  'Message: invitation in German': 'Nachricht: Einladung auf Deutsch',
  'The German text of the message “invitation”.': 'Der deutsche Text der Nachricht „Einladung“.',
  'Message: invitation in French': 'Nachricht: Einladung auf Französisch',
  'The French text of the message “invitation”.': 'Der französische Text der Nachricht „Einladung“.',
  'Message: password was reset': 'Nachricht: Passwort zurückgesetzt',
  'Tells every verified address of an account that its password was reset.':
    'Sagt jeder bestätigten Adresse eines Kontos, dass das Passwort zurückgesetzt wurde.',
  'Message: test': 'Nachricht: Test',
  'Tells an administrator that messages of this kind arrive.':
    'Sagt einem Administrator, dass Nachrichten dieser Art ankommen.',

  Links: 'Links',
  'Links in messages': 'Links in Nachrichten',
  'Where links in messages may lead, besides the pages of this service. A link can set a new password, so allow only your own applications.':
    'Wohin Links in Nachrichten führen dürfen, außer zu den Seiten dieses Dienstes. Mit einem Link lässt sich ein neues Passwort festlegen. Erlauben Sie daher nur Ihre eigenen Anwendungen.',
  'Allowed origins': 'Erlaubte Ursprünge',
  'Origins of your own applications, such as https://app.example.com. The base address of links of each front end must have one of these origins.':
    'Ursprünge Ihrer eigenen Anwendungen, zum Beispiel https://app.example.com. Die Basisadresse der Links jedes Frontends muss einen dieser Ursprünge haben.',
  'Base address of links': 'Basisadresse der Links',
  'The beginning of links in messages to users of this front end, such as https://app.example.com/account. Its origin must be allowed in the general settings. Empty: links lead to the pages of this service.':
    'Der Anfang von Links in Nachrichten an Benutzer dieses Frontends, zum Beispiel https://app.example.com/account. Der Ursprung muss in den allgemeinen Einstellungen erlaubt sein. Leer: Links führen zu den Seiten dieses Dienstes.',
  'Sign-in page for applications': 'Anmeldeseite für Anwendungen',
  'Applications of this front end send people to its own sign-in page: the path /login below the base address of links. The page must be on the same site as the service, and its origin in LATCHKEY_CORS_ORIGINS. Off: people sign in on the pages of this service.':
    'Anwendungen dieses Frontends leiten Benutzer zu seiner eigenen Anmeldeseite weiter: dem Pfad /login unter der Basisadresse der Links. Die Seite muss zur selben Site wie der Dienst gehören, und ihr Ursprung in LATCHKEY_CORS_ORIGINS stehen. Aus: Benutzer melden sich auf den Seiten dieses Dienstes an.',

  Registration: 'Registrierung',
  'Whether users can register an account themselves, and how.':
    'Ob Benutzer selbst ein Konto registrieren können, und wie.',
  'How a user who registers proves an address.': 'Womit ein Benutzer bei der Registrierung eine Adresse nachweist.',
  'Registration is off': 'Registrierung ist ausgeschaltet',
  'With a verified e-mail address': 'Mit einer bestätigten E-Mail-Adresse',
  'With a verified mobile number': 'Mit einer bestätigten Mobilnummer',
  'E-mail address as user name': 'E-Mail-Adresse als Benutzername',
  'The e-mail address becomes the user name of the new account. The service ignores a chosen name.':
    'Die E-Mail-Adresse wird zum Benutzernamen des neuen Kontos. Einen gewählten Namen beachtet der Dienst nicht.',
  'Page after registration': 'Seite nach der Registrierung',
  'The path on their site that front ends open after a registration.':
    'Der Pfad, den Frontends auf ihrer Website nach einer Registrierung öffnen.',

  Application: 'Anwendung',
  'The name of your application, and the colour of the pages of this service. A front end may have a brand of its own.':
    'Der Name Ihrer Anwendung und die Farbe der Seiten dieses Dienstes. Ein Frontend kann eine eigene Marke haben.',
  Name: 'Name',
  'Shown on the pages and in messages.': 'Steht auf den Seiten und in Nachrichten.',
  Colour: 'Farbe',
  'The colour of buttons and links. Each colour is legible in light and in dark mode.':
    'Die Farbe von Schaltflächen und Links. Jede Farbe ist im hellen und im dunklen Modus lesbar.',
  Blue: 'Blau',
  Cyan: 'Cyan',
  Grape: 'Traubenblau',
  Gray: 'Grau',
  Green: 'Grün',
  Indigo: 'Indigo',
  Orange: 'Orange',
  Pink: 'Pink',
  Red: 'Rot',
  Teal: 'Blaugrün',
  Violet: 'Violett',
  Brand: 'Marke',
  'What the sign-in pages and messages of this front end show. Edit it on the page “Front ends”, which has a preview.':
    'Was die Anmeldeseiten und Nachrichten dieses Frontends zeigen. Bearbeiten Sie sie auf der Seite „Frontends“, mit Vorschau.',
  'Shown on the sign-in pages and in messages. Empty: the name of the application.':
    'Steht auf den Anmeldeseiten und in Nachrichten. Leer: der Name der Anwendung.',
  Logo: 'Logo',
  'The file name of an uploaded logo. Empty: the logo of Default UI.':
    'Der Dateiname eines hochgeladenen Logos. Leer: das Logo von Default UI.',
  'Logo in dark mode': 'Logo im dunklen Modus',
  'The file name of an uploaded logo. Empty: the same logo as in light mode.':
    'Der Dateiname eines hochgeladenen Logos. Leer: dasselbe Logo wie im hellen Modus.',
  'Accent colour': 'Akzentfarbe',
  'The colour of buttons and links, such as #1f5f8b. Pages keep text on it legible.':
    'Die Farbe von Schaltflächen und Links, zum Beispiel #1f5f8b. Die Seiten halten Text darauf lesbar.',
  Background: 'Hintergrund',
  'The colour behind the sign-in form in light mode.': 'Die Farbe hinter dem Anmeldeformular im hellen Modus.',
  'Background in dark mode': 'Hintergrund im dunklen Modus',
  'The colour behind the sign-in form in dark mode.': 'Die Farbe hinter dem Anmeldeformular im dunklen Modus.',
  Terms: 'Nutzungsbedingungen',
  'The web address of the terms of use.': 'Die Webadresse der Nutzungsbedingungen.',
  Privacy: 'Datenschutz',
  'The web address of the privacy notice.': 'Die Webadresse der Datenschutzerklärung.',
  Support: 'Hilfe',
  'A web address, or mailto: and an e-mail address.': 'Eine Webadresse, oder mailto: und eine E-Mail-Adresse.',
  Texts: 'Texte',
  'Title and note of the sign-in form, by language. Other languages get the first entry.':
    'Titel und Hinweis des Anmeldeformulars je Sprache. Für andere Sprachen gilt der erste Eintrag.',
  Language: 'Sprache',
  'A language tag, such as en or de.': 'Ein Sprachkürzel, zum Beispiel en oder de.',
  Title: 'Titel',
  'The heading of the form.': 'Die Überschrift des Formulars.',
  Note: 'Hinweis',
  'Shown below the title.': 'Steht unter dem Titel.',

  'Audit trail': 'Protokoll',
  'How long the service keeps audit entries.': 'Wie lange der Dienst Einträge des Protokolls behält.',
  Retention: 'Aufbewahrung',
  'The service deletes older entries. It always keeps the newest one.':
    'Der Dienst löscht ältere Einträge. Den neuesten behält er immer.',

  Compatibility: 'Kompatibilität',
  'What clients of Shesha and ABP need from this service.':
    'Was Clients von Shesha und ABP von diesem Dienst brauchen.',
  'Settings without a value': 'Einstellungen ohne Wert',
  'The names of settings for which Settings/GetValue answers null instead of 404.':
    'Die Namen der Einstellungen, für die Settings/GetValue mit null statt 404 antwortet.',
  'Status of a refused sign-in': 'Status einer abgelehnten Anmeldung',
  'Clients of ABP reload their page after every 401, and the reason of the refusal disappears. After 400 it stays.':
    'Clients von ABP laden ihre Seite nach jedem 401 neu, und der Grund der Ablehnung verschwindet. Nach 400 bleibt er.',
  '401 Unauthorized': '401 Unauthorized',
  '400 Bad Request: for clients of ABP': '400 Bad Request: für Clients von ABP',
};
