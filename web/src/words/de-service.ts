// The service's own texts in German: the reasons of refusals, and the faults of fields.
import type { Reason } from 'latchkey-sdk';

export const reasons: Readonly<Record<Reason, string>> = {
  'account.duplicate': 'Ein anderes Konto hat diesen Benutzernamen, diese E-Mail-Adresse oder diese Mobilnummer.',
  'account.erasureNotOffered':
    'Hier können Sie Ihr Konto nicht selbst löschen. Bitte wenden Sie sich an einen Administrator.',
  'account.exportUnderWay':
    'Die Daten dieses Kontos werden bereits heruntergeladen. Bitte warten Sie, bis das abgeschlossen ist.',
  'account.lastAdministrator':
    'Das ist der letzte aktive Administrator, der sich anmelden kann. Machen Sie zuerst ein anderes Konto zum Administrator.',
  'account.notFound': 'Dieses Konto gibt es nicht.',
  'account.tooManyChanges':
    'Der Schutz dieses Kontos wurde heute zu oft geändert. Bitte versuchen Sie es später noch einmal.',
  'account.userNameTaken': 'Dieser Benutzername ist vergeben. Bitte wählen Sie einen anderen.',
  'application.clientIdTaken': 'Eine andere Anwendung hat diese Client-ID. Bitte wählen Sie eine andere.',
  'application.notFound': 'Es gibt keine Anwendung mit dieser ID.',
  'application.redirectUriInvalid':
    'Diese Adresse kann keine Redirect-URI dieser Anwendung sein. Verwenden Sie eine genaue https-Adresse ohne Fragment.',
  'application.tooMany': 'Es gibt so viele Anwendungen, wie der Dienst zulässt. Bitte löschen Sie zuerst eine.',
  'application.withoutSecret':
    'Diese Anwendung hat kein Client-Geheimnis. Ihre Art oder ihre Authentifizierung verwendet keines.',
  'authorization.notFound':
    'Diese Anmeldung bei einer Anwendung ist abgelaufen oder abgeschlossen. Bitte beginnen Sie noch einmal in der Anwendung.',
  'authorization.denied': 'Ihr Konto darf diese Anwendung nicht verwenden. Bitten Sie einen Administrator um Zugang.',
  'authorization.loginRequired': 'Die Anwendung bittet Sie, sich noch einmal anzumelden.',
  'authorization.levelRequired': 'Die Anwendung verlangt einen zweiten Faktor.',
  'consent.notFound': 'Unter dieser ID teilen Sie nichts mit einer Anwendung.',
  'device.notFound': 'Kein Gerät wartet mit diesem Code. Bitte prüfen Sie ihn, oder beginnen Sie am Gerät noch einmal.',
  'delivery.notOffered': 'Dieser Dienst sendet solche Nachrichten nicht. Bitte wählen Sie einen anderen Weg.',
  'external.couldNotValidate': 'Der Anbieter bestätigt diese Anmeldung nicht. Bitte beginnen Sie von vorn.',
  'external.emailInUse':
    'Mit dieser E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich dort auf andere Weise an, und verknüpfen Sie es mit dem Anbieter.',
  'external.incompleteProfile':
    'Der Anbieter hat Ihren Namen oder Ihre E-Mail-Adresse nicht gesendet. Bitte wenden Sie sich an einen Administrator.',
  'external.lastWayToSignIn':
    'Das ist die einzige Möglichkeit, sich bei diesem Konto anzumelden. Legen Sie zuerst ein Passwort fest, oder bestätigen Sie eine Adresse.',
  'external.linkedElsewhere': 'Diese Anmeldung gehört schon zu einem anderen Konto.',
  'external.registrationRefused':
    'Hier wird kein Konto für Sie angelegt. Bitte wenden Sie sich an einen Administrator.',
  'external.unavailable':
    'Der Anbieter hat keine brauchbare Antwort gegeben. Bitte versuchen Sie es gleich noch einmal. Wenn das nicht hilft, wenden Sie sich an einen Administrator.',
  'external.unknownProvider': 'Diesen Anbieter gibt es nicht. Wählen Sie einen, der angeboten wird.',
  'externalLogin.notFound': 'Das Konto hat diese externe Anmeldung nicht. Bitte laden Sie die Liste neu.',
  'externalProvider.hasLogins':
    'Mit diesem Anbieter sind Benutzer verknüpft. Bei einem anderen könnten deren Schlüssel anderen Personen gehören.',
  'externalProvider.nameTaken': 'Ein anderer externer Anbieter hat diesen Namen. Bitte wählen Sie einen anderen.',
  'externalProvider.notFound': 'Es gibt keinen externen Anbieter mit dieser ID.',
  'externalProvider.tooMany':
    'Es gibt so viele externe Anbieter, wie der Dienst zulässt. Bitte löschen Sie zuerst einen.',
  'feed.cursorGone': 'Dieser Cursor gilt nicht mehr. Lesen Sie den Feed noch einmal, ohne `after`.',
  'feed.cursorInvalid':
    'Der Wert von `after` ist kein Cursor dieses Feeds. Senden Sie einen Cursor, den der Feed geliefert hat, oder keinen.',
  'forwardAuth.levelTooLow':
    'Diese Adresse verlangt einen zweiten Faktor. Bitte authentifizieren Sie sich noch einmal, mit einem zweiten Faktor.',
  'frontEnd.duplicate': 'Ein anderes Frontend hat diesen Schlüssel. Bitte wählen Sie einen anderen.',
  'frontEnd.notFound': 'Dieses Frontend gibt es nicht.',
  'frontEnd.protected': 'Das Standard-Frontend kann weder gelöscht noch umbenannt werden.',
  'factor.challengeInvalid': 'Diese Anmeldung ist abgelaufen. Bitte melden Sie sich noch einmal an.',
  'factor.deviceNotFound': 'Ihr Konto hat kein vertrauenswürdiges Gerät mit dieser ID.',
  'factor.disabled': 'Diese Art von zweitem Faktor ist ausgeschaltet. Bitte wählen Sie eine andere.',
  'factor.enrollmentEnded':
    'Diese Einrichtung ist beendet: Sie hat länger als 5 Minuten gedauert, eine neuere wurde begonnen, oder Ihre Faktoren oder Ihr Passwort wurden geändert. Bitte beginnen Sie von vorn.',
  'factor.enrollmentRequired': 'Richten Sie zuerst einen zweiten Faktor ein.',
  'factor.invalid': 'Dieser Code oder Passkey ist falsch. Bitte versuchen Sie es noch einmal.',
  'factor.notEnrolled': 'Ihr Konto hat keinen zweiten Faktor. Richten Sie zuerst einen ein.',
  'factor.secondFactorRequired':
    'Bestätigen Sie zuerst mit Ihrem zweiten Faktor: mit einem Code Ihrer Authenticator-App, einem Passkey oder einem Wiederherstellungscode.',
  'factor.reauthenticationRequired':
    'Bestätigen Sie noch einmal, dass Sie es sind: mit Ihrem Passwort oder einem Passkey, oder indem Sie sich neu anmelden.',
  'import.administrator':
    'Das Konto wäre ein Administrator. Erlauben Sie Administratoren, oder importieren Sie es ohne seine Rollen.',
  'import.newRole':
    'Das Konto hat Rollen, die es hier nicht gibt. Erstellen Sie diese zuerst, oder erlauben Sie neue Rollen.',
  'invitation.hasPassword':
    'Das Konto hat ein Passwort. Ein vergessenes Passwort kann der Benutzer auf der Anmeldeseite zurücksetzen.',
  'invitation.noAddress': 'Das Konto hat keine E-Mail-Adresse. Fügen Sie zuerst eine hinzu.',
  'invitation.notActive': 'Das Konto ist deaktiviert. Aktivieren Sie es zuerst.',
  'invitation.tooMany':
    'An diese Adresse wurden zu viele Nachrichten gesendet. Bitte warten Sie einige Minuten, oder versuchen Sie es morgen noch einmal.',
  'message.noOwnAddress':
    'Ein Test geht an Ihre eigene bestätigte Adresse. Bitte bestätigen Sie zuerst eine unter „Mein Konto“.',
  'message.tooManyTests': 'Sie haben sich heute zu viele Tests gesendet. Bitte versuchen Sie es später noch einmal.',
  'passkey.duplicate':
    'Dieser Passkey ist schon registriert. Bitte wählen Sie ein anderes Gerät oder einen anderen Sicherheitsschlüssel.',
  'passkey.lastWayToSignIn':
    'Dieser Passkey ist die einzige Möglichkeit, sich bei Ihrem Konto anzumelden. Legen Sie zuerst ein Passwort fest, oder bestätigen Sie eine Adresse.',
  'passkey.notFound': 'Sie haben diesen Passkey nicht. Bitte laden Sie die Liste neu.',
  'passkey.tooMany': 'Sie haben so viele Passkeys, wie ein Konto haben kann. Entfernen Sie zuerst einen.',
  'password.changeRequired': 'Bevor Sie fortfahren können, müssen Sie Ihr Passwort ändern.',
  'password.incorrect': 'Das aktuelle Passwort ist falsch.',
  'password.policy': 'Das neue Passwort erfüllt die Anforderungen nicht.',
  'permission.denied': 'Sie sind dazu nicht berechtigt.',
  'pin.cooldown': 'Gerade erst wurde eine Nachricht angefordert. Bitte warten Sie, bevor Sie die nächste anfordern.',
  'pin.dailyLimit': 'Heute wurden zu viele Nachrichten angefordert. Bitte versuchen Sie es später noch einmal.',
  'pin.invalid':
    'Dieser Code ist falsch oder nicht mehr gültig. Bitte prüfen Sie ihn, oder fordern Sie einen neuen an.',
  'rateLimit.exceeded':
    'Von Ihrer Netzwerkadresse kamen zu viele Anfragen. Bitte warten Sie einen Moment, und versuchen Sie es noch einmal.',
  'registration.addressNotProven':
    'Diese Adresse ist nicht bestätigt, oder die Bestätigung ist abgelaufen. Bitte bestätigen Sie die Adresse, und erstellen Sie dann das Konto.',
  'registration.disabled':
    'Auf diese Weise können Sie kein Konto erstellen. Bitte wenden Sie sich an einen Administrator.',
  'request.crossSite':
    'Die Seite einer anderen Website hat diese Anfrage gesendet. Bitte verwenden Sie die Seiten dieses Dienstes.',
  'request.invalid': 'Die Anfrage ist nicht gültig.',
  'request.methodNotAllowed': 'Diese Adresse unterstützt diese HTTP-Methode nicht.',
  'request.notFound': 'Unter dieser Adresse gibt es nichts. Bitte prüfen Sie sie.',
  'request.tooLarge': 'Die Anfrage ist zu groß.',
  'request.tooSlow': 'Die Anfrage ist zu langsam angekommen. Bitte senden Sie sie noch einmal.',
  'request.unsupportedMediaType': 'Die Anfrage muss als application/json gesendet werden.',
  'reset.invalidToken': 'Sie können das Passwort damit nicht mehr zurücksetzen. Bitte beginnen Sie von vorn.',
  'reset.methodNotAllowed':
    'Diese Methode zum Zurücksetzen des Passworts ist ausgeschaltet. Bitte wählen Sie eine andere.',
  'role.duplicate': 'Eine andere Rolle hat diesen Namen. Bitte wählen Sie einen anderen.',
  'role.notFound': 'Diese Rolle gibt es nicht.',
  'role.protected': 'Diese Rolle gehört zum Dienst. Sie kann nicht gelöscht werden.',
  'service.error':
    'Im Dienst ist ein Fehler aufgetreten. Bitte versuchen Sie es noch einmal. Geschieht es wieder, nennen Sie einem Administrator die Trace-ID.',
  'service.unavailable': 'Der Dienst kann zurzeit nicht antworten. Bitte versuchen Sie es gleich noch einmal.',
  'serviceKey.duplicate': 'Ein anderer Dienstschlüssel hat diesen Namen. Bitte wählen Sie einen anderen.',
  'serviceKey.forbidden': 'Dieser Dienstschlüssel erlaubt den Aufruf nicht. Verwenden Sie einen, der ihn erlaubt.',
  'serviceKey.invalid':
    'Dieser Aufruf verlangt einen gültigen Dienstschlüssel. Bitte wenden Sie sich an einen Administrator.',
  'serviceKey.notFound': 'Es gibt keinen Dienstschlüssel mit diesem Namen.',
  'session.notFound': 'Sie haben keine offene Sitzung mit dieser ID.',
  'setting.conflict':
    'Diese Einstellung wurde inzwischen geändert. Es wurde nichts gespeichert. Bitte laden Sie sie neu.',
  'setting.notFound': 'Es gibt keine Einstellung mit diesem Namen.',
  'signIn.invalidCredentials': 'Der Benutzername oder das Passwort ist falsch.',
  'signIn.lockedOut': 'Es gab zu viele Fehlversuche. Bitte warten Sie, und versuchen Sie es dann noch einmal.',
  'signIn.notActive': 'Dieses Konto ist deaktiviert. Bitte wenden Sie sich an einen Administrator.',
  'token.expired': 'Ihre Anmeldung ist abgelaufen. Bitte melden Sie sich erneut an.',
  'token.invalid': 'Ihre Anmeldung ist nicht gültig. Bitte melden Sie sich erneut an.',
  'token.missing': 'Bitte melden Sie sich zuerst an.',
  'token.revoked': 'Ihre Sitzung ist beendet. Bitte melden Sie sich erneut an.',
  'webhook.deliveryNotFound':
    'Es gibt keine Zustellung mit dieser ID. Aufbewahrt werden die letzten 100 jedes Webhooks.',
  'webhook.disabled': 'Dieser Webhook ist deaktiviert. Bitte aktivieren Sie ihn zuerst.',
  'webhook.notFound': 'Es gibt keinen Webhook mit dieser ID.',
  'webhook.tooMany': 'Es gibt so viele Webhooks, wie der Dienst zulässt. Bitte löschen Sie zuerst einen.',
};

/**
 * By the service's English text. `…` stands for the name of a field, `#` for a number, `"…"` for quoted text,
 * `https://…` for an address, and `{{…}}` for placeholders.
 */
/** Second sentences of refusals, in place of those of their reasons. */
export const details: Readonly<Record<string, string>> = {
  'The provider has not verified your e-mail address. Verify it there, and begin again.':
    'Der Anbieter hat Ihre E-Mail-Adresse nicht bestätigt. Bestätigen Sie sie dort, und beginnen Sie von vorn.',
  'The provider sent an e-mail address or a name that no account can have. Please ask an administrator.':
    'Der Anbieter hat eine E-Mail-Adresse oder einen Namen gesendet, den kein Konto haben kann. Bitte wenden Sie sich an einen Administrator.',
};

export const faults: Readonly<Record<string, string>> = {
  'A client id does not change. Register another application.':
    'Eine Client-ID ändert sich nicht. Registrieren Sie eine andere Anwendung.',
  'A client id has # to # of these characters: A-Z a-z #-# . _ -':
    'Eine Client-ID hat # bis # dieser Zeichen: A-Z a-z #-# . _ -',
  'A key cannot be read. Send it as a JWK of RSA or an elliptic curve.':
    'Ein Schlüssel ist nicht lesbar. Senden Sie ihn als JWK von RSA oder einer elliptischen Kurve.',
  'A key has a curve that cannot be used. Use P-#, P-#, P-# or Ed#.':
    'Die Kurve eines Schlüssels ist nicht verwendbar. Verwenden Sie P-#, P-#, P-# oder Ed#.',
  'A private key was sent. Replace it, and send only the public key.':
    'Das war ein privater Schlüssel. Ersetzen Sie ihn, und senden Sie nur den öffentlichen.',
  'An RSA key is too short. Use at least # bits.': 'Ein RSA-Schlüssel ist zu kurz. Verwenden Sie mindestens # Bit.',
  'Give the public keys as jwks, or their address as jwksUri.':
    'Geben Sie die öffentlichen Schlüssel als jwks an oder ihre Adresse als jwksUri.',
  'Nobody signs in to a machine, so it has no address for sign-outs.':
    'Bei einer Maschine meldet sich niemand an, daher hat sie keine Adresse für Abmeldungen.',
  'Only an application that authenticates with private_key_jwt has keys.':
    'Nur eine Anwendung, die sich mit private_key_jwt authentifiziert, hat Schlüssel.',
  'The client id of a machine must not look like the id of an account. Add a letter.':
    'Die Client-ID einer Maschine darf nicht wie die ID eines Kontos aussehen. Fügen Sie einen Buchstaben hinzu.',
  'There is no role "…". Add it first.': 'Es gibt keine Rolle "…". Erstellen Sie sie zuerst.',
  'This kind of application cannot have "…" here.': 'Diese Art von Anwendung kann hier nicht "…" haben.',
  '"…" cannot be a redirect URI: it has no proper host name.':
    '"…" kann keine Redirect-URI sein: Sie hat keinen richtigen Hostnamen.',
  '"…" cannot be a redirect URI: it must begin with https://.':
    '"…" kann keine Redirect-URI sein: Sie muss mit https:// beginnen.',
  '"…" cannot be a redirect URI: it must begin with https://. Only a host on the same machine, such as localhost, may use http.':
    '"…" kann keine Redirect-URI sein: Sie muss mit https:// beginnen. Nur ein Host auf demselben Rechner, zum Beispiel localhost, darf http verwenden.',
  '"…" cannot be a redirect URI: it must have no user name and password.':
    '"…" kann keine Redirect-URI sein: Sie darf weder Benutzernamen noch Passwort haben.',
  '"…" cannot be a redirect URI: its own scheme must have a dot, such as com.example.app:/callback.':
    '"…" kann keine Redirect-URI sein: Das eigene Schema braucht einen Punkt, zum Beispiel com.example.app:/callback.',
  '"…" cannot be a redirect URI: nobody signs in to a machine.':
    '"…" kann keine Redirect-URI sein: Bei einer Maschine meldet sich niemand an.',
  '"…" cannot be a redirect URI: write a whole address of ASCII characters, without a fragment.':
    '"…" kann keine Redirect-URI sein: Geben Sie eine vollständige Adresse aus ASCII-Zeichen ohne Fragment an.',
  '"…" cannot be a scope. Use ASCII characters without spaces, quotes and backslashes.':
    '"…" kann kein Scope sein. Verwenden Sie ASCII-Zeichen ohne Leerzeichen, Anführungszeichen und umgekehrte Schrägstriche.',
  '"…" cannot be a resource. Use ASCII characters without spaces, quotes, backslashes and #.':
    '"…" kann keine Ressource sein. Verwenden Sie ASCII-Zeichen ohne Leerzeichen, Anführungszeichen, umgekehrte Schrägstriche und #.',
  'Write a whole address, such as https://….': 'Geben Sie eine vollständige Adresse an, zum Beispiel https://….',
  'The address must begin with https://.': 'Die Adresse muss mit https:// beginnen.',
  'The address has no proper host name.': 'Die Adresse hat keinen richtigen Hostnamen.',
  'The address must have no user name, password or fragment.':
    'Die Adresse darf weder Benutzername noch Passwort oder Fragment enthalten.',
  'This host is not on the public internet. If the service may call it, list it in LATCHKEY_EGRESS_ALLOW.':
    'Dieser Host ist nicht im öffentlichen Internet. Wenn der Dienst ihn aufrufen darf, führen Sie ihn in LATCHKEY_EGRESS_ALLOW auf.',
  'No event is named "…". Name events as the audit trail does, such as signIn.password, or signIn.* for all of a group.':
    'Kein Ereignis heißt "…". Nennen Sie Ereignisse wie das Protokoll, zum Beispiel signIn.password, oder signIn.* für alle einer Gruppe.',
  '… must not have more than # characters.': 'Höchstens # Zeichen.',
  '… has characters or a form that is not accepted.':
    'Das enthält unzulässige Zeichen oder hat nicht die richtige Form.',
  '… is required.': 'Bitte füllen Sie dieses Feld aus.',
  'Use at least # characters.': 'Verwenden Sie mindestens # Zeichen.',
  'Use at most # characters.': 'Verwenden Sie höchstens # Zeichen.',
  'Use at least one digit.': 'Verwenden Sie mindestens eine Ziffer.',
  'Use at least one lowercase letter.': 'Verwenden Sie mindestens einen Kleinbuchstaben.',
  'Use at least one uppercase letter.': 'Verwenden Sie mindestens einen Großbuchstaben.',
  'Use at least one character that is neither a letter nor a digit.':
    'Verwenden Sie mindestens ein Zeichen, das weder Buchstabe noch Ziffer ist.',
  'Use a password that is harder to guess: this one is too common.':
    'Verwenden Sie ein Passwort, das schwerer zu erraten ist: Dieses ist zu weit verbreitet.',
  'Use a password without your name, user name or e-mail address in it.':
    'Verwenden Sie ein Passwort, in dem weder Ihr Name noch Ihr Benutzername oder Ihre E-Mail-Adresse vorkommt.',
  'Use a password that differs from the current one.':
    'Verwenden Sie ein Passwort, das sich vom aktuellen unterscheidet.',
  'Type the same password twice.': 'Bitte geben Sie zweimal dasselbe Passwort ein.',
  'Give one e-mail address, such as thandi@example.org.':
    'Geben Sie eine E-Mail-Adresse an, zum Beispiel thandi@example.org.',
  'Give an e-mail address of ordinary characters, such as ann@example.com.':
    'Geben Sie eine E-Mail-Adresse aus gewöhnlichen Zeichen an, zum Beispiel anna@example.com.',
  'Give the mobile number with its country code, in international form, such as +# # # #.':
    'Geben Sie die Mobilnummer mit Ländervorwahl in internationaler Form an, zum Beispiel +# # # #.',
  'Give the mobile number with its country code, in international form, such as +# # # #. Or set the default region in the setting “Phone numbers”: the service then reads national numbers of that country.':
    'Geben Sie die Mobilnummer mit Ländervorwahl in internationaler Form an, zum Beispiel +# # # #. Oder legen Sie die Standardregion in der Einstellung „Telefonnummern“ fest: Der Dienst liest dann nationale Nummern dieses Landes.',
  'Messages are not sent to numbers of this country. Give a number of another one.':
    'An Nummern aus diesem Land werden keine Nachrichten gesendet. Geben Sie eine Nummer aus einem anderen Land an.',
  'Give the passkey a name, such as Phone.': 'Geben Sie dem Passkey einen Namen, zum Beispiel Telefon.',
  'Choose a shorter user name.': 'Wählen Sie einen kürzeren Benutzernamen.',
  'A user name that looks like an e-mail address or phone number must be your own.':
    'Ein Benutzername, der wie eine E-Mail-Adresse oder Telefonnummer aussieht, muss Ihnen gehören.',
  'A user name that looks like an e-mail address or phone number must be the account’s own.':
    'Ein Benutzername, der wie eine E-Mail-Adresse oder Telefonnummer aussieht, muss zu diesem Konto gehören.',
  'The roles are too many or too long, because every token carries them. Remove some or shorten them.':
    'Es sind zu viele oder zu lange Rollen, denn jedes Token enthält sie. Entfernen oder kürzen Sie einige.',
  'Password hashes may be imported with the permission pages:maintenance only. Leave the column out.':
    'Passwort-Hashes dürfen nur mit der Berechtigung pages:maintenance importiert werden. Lassen Sie die Spalte weg.',
  'The hash has an unknown format. Leave it out, and let the owner set a new password.':
    'Der Hash hat ein unbekanntes Format. Lassen Sie ihn weg, und lassen Sie den Benutzer ein neues Passwort festlegen.',
  'The service cannot verify hashes of the kind "…". Leave the hash out, and let the owner set a new password.':
    'Der Dienst kann Hashes der Art "…" nicht prüfen. Lassen Sie den Hash weg, und lassen Sie den Benutzer ein neues Passwort festlegen.',
  'The hash is not a well-formed "…" hash.': 'Der Hash ist kein gültiger Hash der Art "…".',
  'The "…" hash would cost too much to verify: at most cost # is accepted.':
    'Die Prüfung dieses Hashs der Art "…" wäre zu aufwendig: Höchstens Kosten von # sind erlaubt.',
  'The "…" hash would cost too much to verify: at most #,#,# iterations are accepted.':
    'Die Prüfung dieses Hashs der Art "…" wäre zu aufwendig: Höchstens #.#.# Iterationen sind erlaubt.',
  'The "…" hash would cost too much to verify: at most #,#,# rounds are accepted.':
    'Die Prüfung dieses Hashs der Art "…" wäre zu aufwendig: Höchstens #.#.# Runden sind erlaubt.',
  'The "…" hash would cost too much to verify: at most #^# rounds are accepted.':
    'Die Prüfung dieses Hashs der Art "…" wäre zu aufwendig: Höchstens #^# Runden sind erlaubt.',
  'The "…" hash would cost too much to verify: at most N = #^#, r = #, p = # and # MiB over all lanes are accepted.':
    'Die Prüfung dieses Hashs der Art "…" wäre zu aufwendig: Höchstens N = #^#, r = #, p = # und # MiB über alle Bahnen sind erlaubt.',
  'The "…" hash would cost too much to verify: at most # MiB, # passes and # lanes are accepted.':
    'Die Prüfung dieses Hashs der Art "…" wäre zu aufwendig: Höchstens # MiB, # Durchläufe und # Bahnen sind erlaubt.',
  '… must be boolean.': 'Wählen Sie Ja oder Nein.',
  'There is no such question.': 'Diese Frage gibt es nicht.',
  'Answer each question once.': 'Beantworten Sie jede Frage nur einmal.',
  'Answer in words: punctuation does not count.': 'Antworten Sie mit Worten: Satzzeichen zählen nicht.',
  'Give an answer that is not in the question.': 'Geben Sie eine Antwort, die nicht in der Frage steht.',
  'Give each question an answer of its own.': 'Geben Sie auf jede Frage eine eigene Antwort.',
  '… must be integer.': 'Geben Sie eine ganze Zahl ein.',
  '… must be string.': 'Geben Sie einen Text ein.',
  '… must be array.': 'Geben Sie eine Liste ein.',
  '… must be object.': 'Geben Sie ein Objekt ein.',
  '… must be <= #.': 'Höchstens # ist erlaubt.',
  '… must be >= #.': 'Mindestens # ist nötig.',
  '… must be equal to one of the allowed values.': 'Wählen Sie einen der erlaubten Werte.',
  '… must have required properties id, question.': 'Jede Frage braucht eine ID und einen Text.',
  '… must match pattern "…".': 'Das enthält unzulässige Zeichen oder hat nicht die richtige Form.',
  '… must not have fewer than # characters.': 'Mindestens # Zeichen sind nötig.',
  '… must not have fewer than # items.': 'Mindestens # Einträge sind nötig.',
  '… must not have more than # items.': 'Höchstens # Einträge sind erlaubt.',
  'Turn on passkeys or the authenticator app, so that accounts can enroll what you require.':
    'Schalten Sie Passkeys oder die Authenticator-App ein, damit Konten einrichten können, was Sie verlangen.',
  'Name each character only once.': 'Nennen Sie jedes Zeichen nur einmal.',
  'Use more characters or longer pins: at least # pins must be possible.':
    'Verwenden Sie mehr Zeichen oder längere Codes: Mindestens # Codes müssen möglich sein.',
  '"…" is not a country with phone numbers. Use a two-letter code such as ZA.':
    '"…" ist kein Land mit Telefonnummern. Verwenden Sie einen Code aus zwei Buchstaben, zum Beispiel ZA.',
  '… must hold {{…}}.': 'Der Text muss {{…}} enthalten.',
  '… holds {{…}}, but may hold only {{…}}.': '{{…}} gibt es hier nicht. Erlaubt sind nur {{…}}.',
  '… has double braces that hold no placeholder.': 'Zwischen doppelten Klammern muss ein Platzhalter stehen.',
  '… holds {{…}} in an address whose origin is not allowed. Add the origin to the allowed origins of Latchkey.Links, or put spaces around it.':
    'Der Text enthält {{…}} in einer Adresse, deren Ursprung nicht erlaubt ist. Fügen Sie den Ursprung zu den erlaubten Ursprüngen von Latchkey.Links hinzu, oder setzen Sie Leerzeichen um den Platzhalter.',
  '… holds {{…}} in a word with other signs, which could become an address. Put spaces around it.':
    'Der Text enthält {{…}} in einem Wort mit anderen Zeichen, das zu einer Adresse werden könnte. Setzen Sie Leerzeichen um den Platzhalter.',
  '… holds {{…}} inside a tag. Only the href of a link may hold it.':
    'Der Text enthält {{…}} in einem Tag. Nur das href eines Links darf den Platzhalter enthalten.',
  '… has "…". With a secret, it may have only simple tags with quoted attributes, and no comments.':
    'Der Text enthält "…". Mit einem Geheimnis sind nur einfache Tags mit Attributen in Anführungszeichen erlaubt, und keine Kommentare.',
  '"…" is not a web address. Write it like https://….':
    '"…" ist keine Webadresse. Schreiben Sie sie zum Beispiel so: https://….',
  'https://… is not encrypted: attackers on the network could take over accounts. Use https://.':
    'https://… ist nicht verschlüsselt: Angreifer im Netzwerk könnten Konten übernehmen. Verwenden Sie HTTPS.',
  'https://… has no host name that can exist. Check it.':
    'https://… hat keinen Hostnamen, den es geben kann. Bitte prüfen Sie ihn.',
  'https://… has a wildcard. Name each origin.': 'https://… hat einen Platzhalter. Nennen Sie jeden Ursprung.',
  'Write "…" exactly as https://….': 'Schreiben Sie "…" genau so: https://….',
  'Links may not lead to https://…. Add it to the allowed origins of Latchkey.Links.':
    'Links dürfen nicht zu https://… führen. Fügen Sie den Ursprung in den allgemeinen Einstellungen unter „Links in Nachrichten“ hinzu.',
  'Give each question an id of its own.': 'Geben Sie jeder Frage eine eigene ID.',
  'Write a question in words.': 'Formulieren Sie die Frage in Worten.',
  'This question is already in the list.': 'Diese Frage steht schon in der Liste.',
  'Write the address of terms like https://….': 'Geben Sie die Adresse der Nutzungsbedingungen so ein: https://….',
  'Write the address of privacy like https://….': 'Geben Sie die Adresse der Datenschutzerklärung so ein: https://….',
  'Write the address of support like https://… or mailto:help@example.com.':
    'Geben Sie die Adresse der Hilfe so ein: https://… oder mailto:help@example.com.',
  'A name begins with a letter or a digit. After it may come more, spaces, and . _ -':
    'Ein Name beginnt mit einem Buchstaben oder einer Ziffer. Danach dürfen weitere kommen, Leerzeichen und . _ -',
  'A provider of the type "…" has no "…". Leave it out.':
    'Ein Anbieter der Art "…" hat kein Feld "…". Lassen Sie es weg.',
  'A provider of the type "…" needs "…".': 'Ein Anbieter der Art "…" braucht das Feld "…".',
  'Add the scope "…": without it the provider does not say who signs in.':
    'Fügen Sie den Scope "…" hinzu: Ohne ihn sagt der Anbieter nicht, wer sich anmeldet.',
  'An issuer has no query and no fragment.': 'Ein Issuer hat weder Abfrage noch Fragment.',
  'At most # parameters are sent.': 'Höchstens # Parameter werden gesendet.',
  'Give a time such as #-#-#T#:#:#Z.': 'Geben Sie eine Zeit an wie #-#-#T#:#:#Z.',
  'The client secret has a blank at its end, or a line break. Copy it again.':
    'Das Client-Geheimnis hat am Rand ein Leerzeichen oder einen Zeilenumbruch. Kopieren Sie es erneut.',
  'The stored secret is not sent to another address. Write the secret for it too.':
    'Das gespeicherte Geheimnis wird an keine andere Adresse gesendet. Geben Sie auch das Geheimnis für die neue Adresse ein.',
  'The name of a parameter has # to # of these characters: A-Z a-z #-# . _ -':
    'Der Name eines Parameters hat # bis # dieser Zeichen: A-Z a-z #-# . _ -',
  'The service itself sets "…". Leave it out.': 'Der Dienst selbst setzt "…". Lassen Sie es weg.',
  'This id has ten capital letters and digits, as Apple shows it.':
    'Diese ID hat zehn Großbuchstaben und Ziffern, wie Apple sie zeigt.',
  'This is no key of the curve P-#. Send the file with the key from Apple.':
    'Das ist kein Schlüssel der Kurve P-#. Senden Sie die Datei mit dem Schlüssel von Apple.',
  'This is no private key. Send the whole file with the key from Apple, as text.':
    'Das ist kein privater Schlüssel. Senden Sie die ganze Datei mit dem Schlüssel von Apple als Text.',
  'Type and name of a provider do not change. Register another provider.':
    'Art und Name eines Anbieters ändern sich nicht. Registrieren Sie einen anderen Anbieter.',
  'Write the directory (tenant) id of Entra ID, which is a GUID.':
    'Geben Sie die ID des Verzeichnisses (Mandanten) von Entra ID an, eine GUID.',
  'Write the issuer alone: its address without /.well-known/ and what follows.':
    'Geben Sie nur den Issuer an: seine Adresse ohne /.well-known/ und was darauf folgt.',
  '"…" is no domain. Write what follows the @, such as example.com.':
    '"…" ist keine Domain. Geben Sie an, was auf das @ folgt, zum Beispiel example.com.',
  '"…" stands for the accounts of all organizations, whose administrators could sign in as anybody. Register one provider for each tenant, with its directory id.':
    '"…" steht für die Konten aller Organisationen, deren Administratoren sich als beliebige Personen anmelden könnten. Registrieren Sie für jeden Mandanten einen Anbieter mit der ID seines Verzeichnisses.',
  'Give each language one entry.': 'Geben Sie jeder Sprache einen Eintrag.',
};
