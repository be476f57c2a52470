// Other words under which readers look for a setting, in all languages of the pages: those of the settings themselves are few.

/** By the beginning of the names of settings. */
const synonyms: Readonly<Record<string, string>> = {
  'Abp.Zero.UserManagement.PasswordComplexity':
    'password policy strength rules special character | kennwort passwortrichtlinie sonderzeichen stärke | mot de passe politique règles caractère spécial',
  'Abp.Zero.UserManagement.UserLockOut':
    'brute force lock block ban attempts | sperre sperren blockieren fehlversuche | verrouillage bloquer tentatives force brute',
  'Abp.Zero.UserManagement.UserLockOut.DefaultAccountLockoutSeconds':
    'time duration length period minutes | zeit dauer sperrdauer sperrzeit minuten | temps durée minutes',
  'Latchkey.Application':
    'logo name branding theme color colour product title | aussehen farbe titel | nom marque couleur thème',
  'Latchkey.Audit':
    'log logs logging journal history retention gdpr | protokoll aufbewahrung dsgvo | journal conservation rgpd',
  'Latchkey.Brand':
    'logo branding theme color colour look design language terms privacy imprint | aussehen farbe sprache impressum datenschutz nutzungsbedingungen | marque couleur thème langue conditions confidentialité mentions légales',
  'Latchkey.Compatibility': 'abp shesha aspnet boilerplate legacy null 404 401 400',
  'Latchkey.Factors':
    '2fa mfa 2sv totp webauthn fido fido2 yubikey two factor multi factor authentication authenticator security key passwordless remember device | zwei faktor mehrfaktor authentifizierung sicherheitsschlüssel passwortlos gerät merken | double authentification deux facteurs multifacteur clé de sécurité sans mot de passe appareil',
  'Latchkey.Links':
    'url redirect link domain host cors origin base address sso sign-in page | adresse domäne weiterleitung ursprung anmeldeseite | lien domaine origine redirection page de connexion',
  'Latchkey.Messages':
    'email e-mail mail sms text template templates notification wording | vorlage vorlagen benachrichtigung nachricht | modèle modèles courriel notification message',
  'Latchkey.OwnErasure':
    'gdpr erase delete account right to be forgotten self service | dsgvo löschen konto | rgpd effacer supprimer compte droit à l’oubli',
  'Latchkey.PhoneNumbers':
    'sms phone mobile number country region toll fraud | telefon handy rufnummer land vorwahl | téléphone portable numéro pays indicatif',
  'Latchkey.RateLimiting':
    'throttle throttling limit flood brute force dos 429 too many requests ip | drosselung begrenzung anfragen | limitation débit requêtes',
  'Latchkey.SecurityQuestions':
    'secret question recovery answer | geheimfrage wiederherstellung | question secrète récupération',
  'Latchkey.Tokens':
    'jwt session cookie expiry expiration timeout refresh lifetime sso stay signed in audience | sitzung ablauf gültigkeit angemeldet bleiben | jeton session expiration durée rester connecté',
  'Shesha.Otp':
    '2fa otp pin code one-time password verification resend cooldown | einmalcode einmalpasswort bestätigungscode | code à usage unique vérification',
  'Shesha.Security':
    'idle timeout inactivity logout log out sign out session password reset forgotten recovery | inaktivität abmelden abmeldung zurücksetzen vergessen wiederherstellung | inactivité déconnexion réinitialisation mot de passe oublié récupération',
  'Shesha.UserManagement':
    'sign up signup self registration onboarding create account | registrieren selbstregistrierung konto anlegen | inscription enregistrement créer un compte',
};

/** Returns the other words for a setting. */
export const synonymsOf = (setting: string): string =>
  Object.entries(synonyms)
    .filter(([beginning]) => setting.startsWith(beginning))
    .map(([, words]) => words)
    .join(' ');
