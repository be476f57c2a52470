// The labels, descriptions and warnings of the service's settings in French, by the English text.

export const definitions: Readonly<Record<string, string>> = {
  Security: 'Sécurité',
  'Security Settings': 'Paramètres de sécurité',
  'Automatic log-off, and how users can reset a forgotten password.':
    'Déconnexion automatique, et comment les utilisateurs peuvent réinitialiser un mot de passe oublié.',
  'Use auto logoff': 'Déconnexion automatique',
  'The service signs users out after a time without activity in any tab.':
    'Le service déconnecte les utilisateurs après un certain temps sans activité, tous onglets confondus.',
  'Auto logoff timeout': 'Délai avant la déconnexion automatique',
  'How long a session may be idle before the user is signed out. Open pages keep the token valid until then.':
    'Combien de temps une session peut rester inactive avant que l’utilisateur soit déconnecté. Les pages ouvertes maintiennent le jeton valable jusque-là.',
  'Use reset password via email link': 'Réinitialiser le mot de passe par un lien par e-mail',
  'Users can reset a password with a link that the service mails to the verified address.':
    'Les utilisateurs peuvent réinitialiser un mot de passe avec un lien que le service envoie à l’adresse vérifiée.',
  'Reset password email link lifetime': 'Validité du lien par e-mail',
  'How long the link stays valid.': 'Combien de temps le lien reste valable.',
  'Use reset password via SMS OTP': 'Réinitialiser le mot de passe par un code par SMS',
  'Users can reset a password with a one-time pin that the service sends to the verified mobile number.':
    'Les utilisateurs peuvent réinitialiser un mot de passe avec un code à usage unique que le service envoie au numéro de mobile vérifié.',
  'Reset password SMS OTP lifetime': 'Validité du code par SMS',
  'How long the code stays valid.': 'Combien de temps le code reste valable.',
  'Mobile login pin lifetime': 'Validité du code de connexion',
  'How long the code of a sign-in without password stays valid.':
    'Combien de temps reste valable le code d’une connexion sans mot de passe.',
  'Use reset password via security questions': 'Réinitialiser le mot de passe par des questions de sécurité',
  'Users can reset a password with answers to security questions. Off by default, because other people often know or guess the answers (OWASP ASVS 6.4.2, NIST SP 800-63B-4).':
    'Les utilisateurs peuvent réinitialiser un mot de passe avec des réponses à des questions de sécurité. Désactivé par défaut, car d’autres personnes connaissent ou devinent souvent les réponses (OWASP ASVS 6.4.2, NIST SP 800-63B-4).',
  'Other people often know or guess the answers, and can take over the account with them.':
    'D’autres personnes connaissent ou devinent souvent les réponses, et peuvent ainsi s’emparer du compte.',
  'Number of security questions': 'Nombre de questions de sécurité',
  'How many questions a user must answer, all of them correctly. While the list has fewer questions, they reset no password.':
    'À combien de questions un utilisateur doit répondre. Toutes les réponses doivent être exactes. Tant que la liste en contient moins, elles ne réinitialisent aucun mot de passe.',
  'Own accounts': 'Comptes personnels',
  'What account owners may do with their whole account.':
    'Ce que les personnes peuvent faire de l’ensemble de leur compte.',
  'Delete the own account': 'Supprimer son propre compte',
  'Account owners, except administrators, may delete their account with all personal data, after they have proven who they are. Nothing can bring it back.':
    'Les personnes, sauf les administrateurs, peuvent supprimer leur compte avec toutes leurs données personnelles, après avoir prouvé leur identité. Rien ne peut le rétablir.',
  'Rate limiting': 'Limitation de débit',
  'Rate limits per IP address': 'Limites de débit par adresse IP',
  'How often one IP address may try to sign in, and may request one-time pins and links. All clients behind one address, or in one IPv6 /64 network, share one budget. All /64 networks of an IPv6 /48 network together have 16 times that budget.':
    'Combien de fois une adresse IP peut tenter de se connecter, et demander des codes à usage unique et des liens. Tous les clients derrière une même adresse, ou dans un même réseau IPv6 /64, partagent un budget. Tous les réseaux /64 d’un réseau IPv6 /48 ont ensemble 16 fois ce budget.',
  'Sign-in requests': 'Tentatives de connexion',
  'How many sign-in requests one address may make in a window. It may begin 30 times as many sign-ins to applications, and answer security questions 30 times as often.':
    'Combien de tentatives de connexion une adresse peut faire dans une fenêtre. Elle peut commencer 30 fois plus de connexions à des applications, et répondre 30 fois plus souvent aux questions de sécurité.',
  'One address can try common passwords on many accounts, before a limit stops it.':
    'Une adresse peut essayer des mots de passe courants sur de nombreux utilisateurs avant qu’une limite ne l’arrête.',
  'Sign-in window': 'Fenêtre pour les connexions',
  'How long the window lasts. It starts with its first request.':
    'Combien de temps dure la fenêtre. Elle commence à la première requête.',
  'Requests for pins and links': 'Demandes de codes et de liens',
  'How many requests for a one-time pin or a link one address may make in a window.':
    'Combien de codes à usage unique ou de liens une adresse peut demander dans une fenêtre.',
  'Window for pins and links': 'Fenêtre pour les codes et les liens',
  'Shortest wait when over the limit': 'Attente minimale au-delà de la limite',
  'How long a client waits after its first refused request. Further requests do not extend it. 0: until the window ends.':
    'Combien de temps un client attend après sa première requête refusée. D’autres requêtes ne prolongent pas cette attente. 0 : jusqu’à la fin de la fenêtre.',
  'Is user lockout enabled': 'Verrouillage des comptes activé',
  'The service locks an account after repeated failed attempts. 100 failures in a row lock it in any case.':
    'Le service verrouille un compte après plusieurs tentatives infructueuses. 100 échecs de suite le verrouillent dans tous les cas.',
  'Attackers get more than 100 attempts a day at the codes of one account.':
    'Les attaquants ont plus de 100 essais par jour sur les codes d’un compte.',
  'One address gets its budget again so soon that it hardly stops attackers.':
    'Une adresse retrouve son quota si vite qu’il n’arrête guère les attaquants.',
  'Attackers get up to 100 attempts in a row at a password, instead of a few.':
    'Les attaquants ont jusqu’à 100 tentatives de suite pour deviner un mot de passe, au lieu de quelques-unes.',
  'Max failed login attempts before lockout': 'Tentatives infructueuses avant le verrouillage',
  'How many failed attempts in a row lock the account.': 'Combien d’échecs de suite verrouillent le compte.',
  'User lockout (sec)': 'Durée du verrouillage',
  'How long a locked account stays locked.': 'Combien de temps un compte verrouillé le reste.',
  'Second factors and passkeys': 'Seconds facteurs et clés d’accès',
  'What users can enroll. The sign-in asks for a second factor if the account has one. If you turn off a kind, the service no longer asks for it or offers it. It keeps what users have enrolled.':
    'Ce que les utilisateurs peuvent configurer. La connexion demande un second facteur si le compte en a un. Si vous désactivez un type, le service ne le demande plus et ne le propose plus. Il conserve ce que les utilisateurs ont configuré.',
  Passkeys: 'Clés d’accès',
  'Users can sign in with a passkey or a security key, alone or as a second factor.':
    'Les utilisateurs peuvent se connecter avec une clé d’accès ou une clé de sécurité, seule ou comme second facteur.',
  'Authenticator app': 'Application d’authentification',
  'Users can enroll an app that shows codes of six digits, as a second factor.':
    'Les utilisateurs peuvent configurer comme second facteur une application qui affiche des codes de six chiffres.',
  'Trusted devices': 'Appareils de confiance',
  'How long the service skips the second factor on a device that the user trusts. 0: never.':
    'Combien de temps le service ne demande pas le second facteur sur un appareil de confiance. 0 : il le demande toujours.',
  'Required for accounts with permissions': 'Exigé pour les comptes avec autorisations',
  'An account with any permission must enroll a second factor before it can do anything else.':
    'Un compte avec une autorisation quelconque doit configurer un second facteur avant de pouvoir faire autre chose.',
  'Second factor': 'Second facteur',
  'Whether users of the front end must enroll a second factor. If Default UI requires one, all front ends do.':
    'Indique si les utilisateurs du front-end doivent configurer un second facteur. Si Default UI en exige un, tous les front-ends l’exigent.',
  Optional: 'Facultatif',
  Required: 'Obligatoire',
  'Users without a second factor can only enroll one until they have done so.':
    'Les utilisateurs sans second facteur ne peuvent qu’en configurer un tant qu’ils ne l’ont pas fait.',
  'Tokens and sessions': 'Jetons et sessions',
  'How long tokens and sessions last. A change applies to new tokens.':
    'Combien de temps durent les jetons et les sessions. Une modification s’applique aux nouveaux jetons.',
  'Access token lifetime': 'Validité d’un jeton',
  'How long a token is valid. Clients refresh it before it expires, while the session is in use.':
    'Combien de temps un jeton est valable. Les clients le renouvellent avant son expiration, tant que la session est utilisée.',
  'Session lifetime': 'Durée d’une session',
  'How long after a sign-in clients can refresh its tokens.':
    'Combien de temps après une connexion les clients peuvent renouveler ses jetons.',
  'A stolen token can be refreshed for more than 30 days, without a new sign-in.':
    'Un jeton volé peut être renouvelé pendant plus de 30 jours, sans nouvelle connexion.',
  Audience: 'Audience',
  'The aud claim of new tokens. Services that verify tokens check it.':
    'Le claim aud des nouveaux jetons. Les services qui vérifient les jetons le comparent.',
  'Header type': 'Type dans l’en-tête',
  'The typ header of tokens. Choose JWT only if your verifiers refuse at+jwt. A change applies after the next start of the service, because each signing key has one type. Older tokens stay valid.':
    'L’en-tête typ des jetons. Ne choisissez JWT que si vos services refusent at+jwt. Une modification s’applique après le prochain démarrage du service, car chaque clé de signature a un seul type. Les jetons plus anciens restent valables.',
  'Security questions': 'Questions de sécurité',
  'Questions that users can choose from. The answers reset a forgotten password. Answers to a question that you remove no longer count. If you change the meaning of a question, remove it and add a new one.':
    'Questions parmi lesquelles les utilisateurs peuvent choisir. Les réponses réinitialisent un mot de passe oublié. Les réponses à une question retirée ne comptent plus. Si le sens d’une question change, retirez-la et ajoutez-en une nouvelle.',
  Id: 'Identifiant',
  'A UUID in lower case. Each question has its own.': 'Un UUID en minuscules. Chaque question a le sien.',
  Question: 'Question',
  'The question as users see it, in one line.': 'La question telle que la voient les utilisateurs, sur une ligne.',
  'Password complexity': 'Règles des mots de passe',
  'Require digit': 'Exiger un chiffre',
  'A new password must contain at least one digit.': 'Un nouveau mot de passe doit contenir au moins un chiffre.',
  'Require lowercase': 'Exiger une minuscule',
  'A new password must contain at least one lowercase letter.':
    'Un nouveau mot de passe doit contenir au moins une lettre minuscule.',
  'Require upper case': 'Exiger une majuscule',
  'A new password must contain at least one uppercase letter.':
    'Un nouveau mot de passe doit contenir au moins une lettre majuscule.',
  'Require non alphanumeric': 'Exiger un caractère non alphanumérique',
  'A new password must contain at least one character that is neither a letter nor a digit.':
    'Un nouveau mot de passe doit contenir au moins un caractère qui n’est ni une lettre ni un chiffre.',
  'Require length': 'Longueur minimale',
  'The minimum number of characters of a new password.': 'Le nombre minimal de caractères d’un nouveau mot de passe.',
  characters: 'caractères',
  'Passwords of fewer than 8 characters are too easy to guess.':
    'Les mots de passe de moins de 8 caractères sont trop faciles à deviner.',
  'Such a rule makes passwords easier to guess, because many people meet it in the same way. Require a greater length instead.':
    'Une telle règle rend les mots de passe plus faciles à deviner, car beaucoup de personnes la satisfont de la même manière. Exigez plutôt une plus grande longueur.',
  'One-time pins': 'Codes à usage unique',
  'The form of the codes, and how often users can request and try them.':
    'La forme des codes, et combien de fois les utilisateurs peuvent les demander et les essayer.',
  'Pin length': 'Longueur du code',
  'How many characters a code has.': 'Combien de caractères a un code.',
  Characters: 'Caractères',
  'The letters and digits of codes, each once. Length and characters must allow a million codes or more.':
    'Les lettres et chiffres des codes, chacun une seule fois. Longueur et caractères doivent permettre au moins un million de codes.',
  'Attempts per pin': 'Tentatives par code',
  'How many attempts one code allows. After the last one, the code is invalid.':
    'Combien de tentatives permet un code. Après la dernière, le code n’est plus valable.',
  'Wait before another pin': 'Attente avant un autre code',
  'How long a user must wait before another code or link.':
    'Combien de temps un utilisateur doit attendre avant un autre code ou lien.',
  'Messages per day': 'Messages par jour',
  'How many codes and links a user can request for one name, and the service sends to one address, per day. Every other SMS counts too.':
    'Combien de codes et de liens un utilisateur peut demander par jour pour un nom, et le service envoyer à une adresse. Tous les autres SMS comptent aussi.',
  'Wrong pins per day': 'Codes inexacts par jour',
  'After this many wrong codes for one account or address, the service accepts no code for it until the day ends.':
    'Après autant de codes inexacts pour un compte ou une adresse, le service n’accepte plus aucun code jusqu’à la fin de la journée.',
  'Verification pin lifetime': 'Validité du code de vérification',
  'How long the code or link that verifies a new e-mail address or mobile number stays valid.':
    'Combien de temps reste valable le code ou le lien qui vérifie une nouvelle adresse e-mail ou un nouveau numéro de mobile.',
  Messages: 'Messages',
  'Phone numbers': 'Numéros de téléphone',
  'How the service reads phone numbers, and to which countries it sends messages.':
    'Comment le service lit les numéros de téléphone, et vers quels pays il envoie des messages.',
  'Default region': 'Région par défaut',
  'The country of numbers without a country code: two letters (ISO 3166-1), such as ZA. Empty: none.':
    'Le pays des numéros sans indicatif : deux lettres (ISO 3166-1), comme ZA. Vide : aucun.',
  'Allowed countries': 'Pays autorisés',
  'The service sends messages only to numbers of these countries. Empty: all countries.':
    'Le service n’envoie des messages qu’aux numéros de ces pays. Vide : tous les pays.',
  'Message: code to sign in': 'Message : code de connexion',
  'Contains the code of a sign-in without password.': 'Contient le code d’une connexion sans mot de passe.',
  'the code': 'le code',
  'the minutes for which the code or link is valid': 'les minutes pendant lesquelles le code ou le lien est valable',
  'the name of the account owner': 'le nom du titulaire du compte',
  'the user name': 'le nom d’utilisateur',
  'the name of this application': 'le nom de cette application',
  SMS: 'SMS',
  'The text of the SMS.': 'Le texte du SMS.',
  Subject: 'Objet',
  'The subject of the e-mail.': 'L’objet de l’e-mail.',
  Text: 'Texte',
  'The e-mail as plain text.': 'L’e-mail en texte brut.',
  HTML: 'HTML',
  'The e-mail as HTML. The service escapes the values of placeholders. Empty: the e-mail has plain text only.':
    'L’e-mail en HTML. Le service échappe les valeurs des variables. Vide : l’e-mail n’a que le texte brut.',
  'Message: code to verify an address': 'Message : code de vérification d’une adresse',
  'Contains the code that verifies a new e-mail address or mobile number.':
    'Contient le code qui vérifie une nouvelle adresse e-mail ou un nouveau numéro de mobile.',
  'Message: link to verify an address': 'Message : lien de vérification d’une adresse',
  'Contains the link and the code that verify an e-mail address for registration.':
    'Contient le lien et le code qui vérifient une adresse e-mail pour l’inscription.',
  'the link': 'le lien',
  'Message: address in use': 'Message : adresse déjà utilisée',
  'Tells an account owner that a person tried to use their address for another account.':
    'Signale au titulaire d’un compte qu’une personne a voulu utiliser son adresse pour un autre compte.',
  'Message: address changed': 'Message : adresse changée',
  'Tells the old e-mail address or mobile number that the account has another one now.':
    'Signale à l’ancienne adresse e-mail ou à l’ancien numéro de mobile que le compte en a désormais un autre.',
  'Message: address verified': 'Message : adresse vérifiée',
  'Tells the e-mail address of an account that its mobile number was set or changed, and the mobile number that the e-mail address was. Both are verified.':
    'Signale à l’adresse e-mail d’un compte que son numéro de mobile a été défini ou changé, et au numéro de mobile que l’adresse e-mail l’a été. Les deux sont vérifiés.',
  'Message: addresses changed by an administrator': 'Message : adresses changées par un administrateur',
  'Tells every verified address that an account had that an administrator changed its verified e-mail address or mobile number.':
    'Signale à chaque adresse vérifiée qu’avait un compte qu’un administrateur a changé son adresse e-mail ou son numéro de mobile vérifiés.',
  'Message: password or name changed by an administrator': 'Message : mot de passe ou nom changé par un administrateur',
  'Tells every verified address of an account that an administrator set a new password, changed the user name or an address that is not verified, or linked an external sign-in.':
    'Signale à chaque adresse vérifiée d’un compte qu’un administrateur a défini un nouveau mot de passe, changé le nom d’utilisateur ou une adresse non vérifiée, ou lié une connexion externe.',
  'Message: several changes': 'Message : plusieurs modifications',
  'Tells a verified address what else was changed after the last message. The service sends it when changes follow each other, or when the number has got its messages of the day.':
    'Signale à une adresse vérifiée ce qui a encore été modifié après le dernier message. Le service l’envoie lorsque des modifications se suivent, ou lorsque le numéro a reçu tous ses messages du jour.',
  'Message: password changed': 'Message : mot de passe changé',
  'Tells the verified e-mail address of an account that its owner changed the password.':
    'Signale à l’adresse e-mail vérifiée d’un compte que son titulaire a changé le mot de passe.',
  'Message: security questions changed': 'Message : questions de sécurité modifiées',
  'Tells every verified address of an account that the answers to its security questions were replaced.':
    'Signale à chaque adresse vérifiée d’un compte que les réponses à ses questions de sécurité ont été remplacées.',
  'Message: external sign-in linked': 'Message : connexion externe liée',
  'Tells every verified address of an account that it was linked to an external provider.':
    'Signale à chaque adresse vérifiée d’un compte qu’il a été lié à un fournisseur externe.',
  'Message: sign-in to an application ended': 'Message : connexion à une application terminée',
  'Tells every verified address of an account that a code or refresh token of an application was used a second time.':
    'Signale à chaque adresse vérifiée d’un compte qu’un code ou un jeton de renouvellement d’une application a été utilisé une seconde fois.',
  'Message: second factors changed': 'Message : seconds facteurs modifiés',
  'Tells every verified address of an account that its second factors or passkeys were changed.':
    'Signale à chaque adresse vérifiée d’un compte que ses seconds facteurs ou ses clés d’accès ont été modifiés.',
  'what was changed, in English': 'ce qui a été modifié, en anglais',
  'Message: external sign-in removed': 'Message : connexion externe retirée',
  'Tells every verified address of an account that its link to an external provider was removed.':
    'Signale à chaque adresse vérifiée d’un compte que sa liaison à un fournisseur externe a été retirée.',
  'Message: recovery code used': 'Message : code de récupération utilisé',
  'Tells every verified address of an account that a recovery code replaced its second factor.':
    'Signale à chaque adresse vérifiée d’un compte qu’un code de récupération a remplacé son second facteur.',
  'the number of unused recovery codes': 'le nombre de codes de récupération non utilisés',
  'Message: link to reset the password': 'Message : lien de réinitialisation du mot de passe',
  'Contains the link that resets a password, and a code to type on another device.':
    'Contient le lien qui réinitialise un mot de passe, et un code à saisir sur un autre appareil.',
  'the code in the link, for an address of your own': 'le code dans le lien, pour composer votre propre adresse',
  'Message: code to reset the password': 'Message : code de réinitialisation du mot de passe',
  'Contains the code that resets a password.': 'Contient le code qui réinitialise un mot de passe.',
  'Message: invitation': 'Message : invitation',
  'Contains the link with which the owner of a new account sets the first password.':
    'Contient le lien avec lequel le titulaire d’un nouveau compte définit son premier mot de passe.',
  'Message: invitation in German': 'Message : invitation en allemand',
  'The German text of the message “invitation”.': 'Le texte allemand du message « invitation ».',
  'Message: invitation in French': 'Message : invitation en français',
  'The French text of the message “invitation”.': 'Le texte français du message « invitation ».',
  'Message: password was reset': 'Message : mot de passe réinitialisé',
  'Tells every verified address of an account that its password was reset.':
    'Signale à chaque adresse vérifiée d’un compte que son mot de passe a été réinitialisé.',
  'Message: test': 'Message : test',
  'Tells an administrator that messages of this kind arrive.':
    'Signale à un administrateur que les messages de ce type arrivent.',
  Links: 'Liens',
  'Links in messages': 'Liens dans les messages',
  'Where links in messages may lead, besides the pages of this service. A link can set a new password, so allow only your own applications.':
    'Où peuvent mener les liens dans les messages, en plus des pages de ce service. Un lien peut définir un nouveau mot de passe : n’autorisez donc que vos propres applications.',
  'Allowed origins': 'Origines autorisées',
  'Origins of your own applications, such as https://app.example.com. The base address of links of each front end must have one of these origins.':
    'Les origines de vos propres applications, comme https://app.example.com. L’adresse de base des liens de chaque front-end doit avoir l’une de ces origines.',
  'Base address of links': 'Adresse de base des liens',
  'The beginning of links in messages to users of this front end, such as https://app.example.com/account. Its origin must be allowed in the general settings. Empty: links lead to the pages of this service.':
    'Le début des liens dans les messages aux utilisateurs de ce front-end, comme https://app.example.com/account. Son origine doit être autorisée dans les paramètres généraux. Vide : les liens mènent aux pages de ce service.',
  'Sign-in page for applications': 'Page de connexion pour les applications',
  'Applications of this front end send people to its own sign-in page: the path /login below the base address of links. The page must be on the same site as the service, and its origin in LATCHKEY_CORS_ORIGINS. Off: people sign in on the pages of this service.':
    'Les applications de ce front-end envoient les personnes à sa propre page de connexion : le chemin /login sous l’adresse de base des liens. La page doit être sur le même site que le service, et son origine dans LATCHKEY_CORS_ORIGINS. Désactivé : les personnes se connectent sur les pages de ce service.',
  Registration: 'Inscription',
  'Whether users can register an account themselves, and how.':
    'Indique si les utilisateurs peuvent créer eux-mêmes un compte, et comment.',
  'How a user who registers proves an address.': 'Comment une personne qui s’inscrit prouve une adresse.',
  'Registration is off': 'L’inscription est désactivée',
  'With a verified e-mail address': 'Avec une adresse e-mail vérifiée',
  'With a verified mobile number': 'Avec un numéro de mobile vérifié',
  'E-mail address as user name': 'Adresse e-mail comme nom d’utilisateur',
  'The e-mail address becomes the user name of the new account. The service ignores a chosen name.':
    'L’adresse e-mail devient le nom d’utilisateur du nouveau compte. Le service ignore un nom choisi.',
  'Page after registration': 'Page après l’inscription',
  'The path on their site that front ends open after a registration.':
    'Le chemin que les front-ends ouvrent sur leur site après une inscription.',
  Application: 'Application',
  'The name of your application, and the colour of the pages of this service. A front end may have a brand of its own.':
    'Le nom de votre application, et la couleur des pages de ce service. Un front-end peut avoir sa propre marque.',
  Name: 'Nom',
  'Shown on the pages and in messages.': 'Affiché sur les pages et dans les messages.',
  Colour: 'Couleur',
  'The colour of buttons and links. Each colour is legible in light and in dark mode.':
    'La couleur des boutons et des liens. Chaque couleur est lisible en mode clair et en mode sombre.',
  Blue: 'Bleu',
  Cyan: 'Cyan',
  Grape: 'Raisin',
  Gray: 'Gris',
  Green: 'Vert',
  Indigo: 'Indigo',
  Orange: 'Orange',
  Pink: 'Rose',
  Red: 'Rouge',
  Teal: 'Sarcelle',
  Violet: 'Violet',
  Brand: 'Marque',
  'What the sign-in pages and messages of this front end show. Edit it on the page “Front ends”, which has a preview.':
    'Ce qu’affichent les pages de connexion et les messages de ce front-end. Modifiez-la sur la page « Front-ends », qui a un aperçu.',
  'Shown on the sign-in pages and in messages. Empty: the name of the application.':
    'Affiché sur les pages de connexion et dans les messages. Vide : le nom de l’application.',
  Logo: 'Logo',
  'The file name of an uploaded logo. Empty: the logo of Default UI.':
    'Le nom de fichier d’un logo téléversé. Vide : le logo de Default UI.',
  'Logo in dark mode': 'Logo en mode sombre',
  'The file name of an uploaded logo. Empty: the same logo as in light mode.':
    'Le nom de fichier d’un logo téléversé. Vide : le même logo qu’en mode clair.',
  'Accent colour': 'Couleur d’accent',
  'The colour of buttons and links, such as #1f5f8b. Pages keep text on it legible.':
    'La couleur des boutons et des liens, comme #1f5f8b. Les pages gardent le texte lisible par-dessus.',
  Background: 'Fond',
  'The colour behind the sign-in form in light mode.': 'La couleur derrière le formulaire de connexion en mode clair.',
  'Background in dark mode': 'Fond en mode sombre',
  'The colour behind the sign-in form in dark mode.': 'La couleur derrière le formulaire de connexion en mode sombre.',
  Terms: 'Conditions',
  'The web address of the terms of use.': 'L’adresse web des conditions d’utilisation.',
  Privacy: 'Confidentialité',
  'The web address of the privacy notice.': 'L’adresse web de la politique de confidentialité.',
  Support: 'Aide',
  'A web address, or mailto: and an e-mail address.': 'Une adresse web, ou mailto: et une adresse e-mail.',
  Texts: 'Textes',
  'Title and note of the sign-in form, by language. Other languages get the first entry.':
    'Le titre et la remarque du formulaire de connexion, par langue. Les autres langues reçoivent la première entrée.',
  Language: 'Langue',
  'A language tag, such as en or de.': 'Un code de langue, comme en ou de.',
  Title: 'Titre',
  'The heading of the form.': 'Le titre du formulaire.',
  Note: 'Remarque',
  'Shown below the title.': 'Affichée sous le titre.',
  'Audit trail': 'Journal d’audit',
  'How long the service keeps audit entries.': 'Combien de temps le service conserve les entrées du journal d’audit.',
  Retention: 'Conservation',
  'The service deletes older entries. It always keeps the newest one.':
    'Le service supprime les entrées plus anciennes. Il conserve toujours la plus récente.',
  Compatibility: 'Compatibilité',
  'What clients of Shesha and ABP need from this service.':
    'Ce dont les clients de Shesha et d’ABP ont besoin de ce service.',
  'Settings without a value': 'Paramètres sans valeur',
  'The names of settings for which Settings/GetValue answers null instead of 404.':
    'Les noms des paramètres pour lesquels Settings/GetValue répond null au lieu de 404.',
  'Status of a refused sign-in': 'Statut d’une connexion refusée',
  'Clients of ABP reload their page after every 401, and the reason of the refusal disappears. After 400 it stays.':
    'Les clients d’ABP rechargent leur page après chaque 401, et la raison du refus disparaît. Après 400, elle reste.',
  '401 Unauthorized': '401 Unauthorized',
  '400 Bad Request: for clients of ABP': '400 Bad Request : pour les clients d’ABP',
};
