// The service's own texts in French: the reasons of refusals, and the faults of fields. `de-service.ts` says what stands for what.
import type { Reason } from 'latchkey-sdk';

export const reasons: Readonly<Record<Reason, string>> = {
  'account.duplicate': 'Un autre compte a ce nom d’utilisateur, cette adresse e-mail ou ce numéro de mobile.',
  'account.erasureNotOffered':
    'Vous ne pouvez pas supprimer vous-même votre compte ici. Veuillez vous adresser à un administrateur.',
  'account.exportUnderWay': 'Les données de ce compte sont déjà en cours de téléchargement. Veuillez attendre la fin.',
  'account.lastAdministrator':
    'C’est le dernier administrateur actif qui peut se connecter. Faites d’abord d’un autre compte un administrateur.',
  'account.notFound': 'Ce compte n’existe pas.',
  'account.tooManyChanges':
    'La protection de ce compte a été modifiée trop souvent aujourd’hui. Veuillez réessayer plus tard.',
  'account.userNameTaken': 'Ce nom d’utilisateur est déjà pris. Veuillez en choisir un autre.',
  'application.clientIdTaken': 'Une autre application a cet identifiant client. Veuillez en choisir un autre.',
  'application.notFound': 'Il n’y a pas d’application avec cet identifiant.',
  'application.redirectUriInvalid':
    'Cette adresse ne peut pas être une URI de redirection de cette application. Utilisez une adresse https exacte, sans fragment.',
  'application.tooMany': 'Il y a autant d’applications que le service en permet. Veuillez d’abord en supprimer une.',
  'application.withoutSecret':
    'Cette application n’a pas de secret client. Son type ou son authentification n’en utilise pas.',
  'authorization.notFound':
    'Cette connexion à une application a expiré ou a abouti. Veuillez recommencer dans l’application.',
  'authorization.denied': 'Votre compte ne peut pas utiliser cette application. Demandez l’accès à un administrateur.',
  'authorization.loginRequired': 'L’application vous demande de vous reconnecter.',
  'authorization.levelRequired': 'L’application exige un second facteur.',
  'consent.notFound': 'Vous ne partagez rien avec une application sous cet identifiant.',
  'device.notFound': 'Aucun appareil n’attend avec ce code. Veuillez le vérifier, ou recommencer sur l’appareil.',
  'delivery.notOffered': 'Ce service n’envoie pas de tels messages. Veuillez choisir un autre moyen.',
  'external.couldNotValidate': 'Le fournisseur ne confirme pas cette connexion. Veuillez recommencer.',
  'external.emailInUse':
    'Il y a déjà un compte avec cette adresse e-mail. Connectez-vous-y autrement, puis liez-le au fournisseur.',
  'external.incompleteProfile':
    'Le fournisseur n’a pas envoyé votre nom ou votre adresse e-mail. Veuillez vous adresser à un administrateur.',
  'external.lastWayToSignIn':
    'C’est le seul moyen de se connecter à ce compte. Définissez d’abord un mot de passe, ou vérifiez une adresse.',
  'external.linkedElsewhere': 'Cette connexion appartient déjà à un autre compte.',
  'external.registrationRefused': 'Aucun compte n’est créé pour vous ici. Veuillez vous adresser à un administrateur.',
  'external.unavailable':
    'Le fournisseur n’a pas donné de réponse utilisable. Veuillez réessayer dans un instant. Si cela n’aide pas, adressez-vous à un administrateur.',
  'external.unknownProvider': 'Ce fournisseur n’existe pas. Choisissez l’un de ceux qui sont proposés.',
  'externalLogin.notFound': 'Le compte n’a pas cette connexion externe. Veuillez recharger la liste.',
  'externalProvider.hasLogins':
    'Des personnes sont liées à ce fournisseur. Chez un autre, leurs clés pourraient appartenir à d’autres personnes.',
  'externalProvider.nameTaken': 'Un autre fournisseur externe a ce nom. Veuillez en choisir un autre.',
  'externalProvider.notFound': 'Il n’y a pas de fournisseur externe avec cet identifiant.',
  'externalProvider.tooMany':
    'Il y a autant de fournisseurs externes que le service en permet. Veuillez d’abord en supprimer un.',
  'feed.cursorGone': 'Ce curseur n’est plus valable. Relisez le flux, sans `after`.',
  'feed.cursorInvalid':
    'La valeur de `after` n’est pas un curseur de ce flux. Envoyez un curseur que le flux a donné, ou aucun.',
  'forwardAuth.levelTooLow':
    'Cette adresse exige un second facteur. Veuillez vous authentifier de nouveau, avec un second facteur.',
  'frontEnd.duplicate': 'Un autre front-end a cette clé. Veuillez en choisir une autre.',
  'frontEnd.notFound': 'Ce front-end n’existe pas.',
  'frontEnd.protected': 'Le front-end par défaut ne peut être ni supprimé ni renommé.',
  'factor.challengeInvalid': 'Cette connexion a expiré. Veuillez vous reconnecter.',
  'factor.deviceNotFound': 'Votre compte n’a pas d’appareil de confiance avec cet identifiant.',
  'factor.disabled': 'Ce type de second facteur est désactivé. Veuillez en choisir un autre.',
  'factor.enrollmentEnded':
    'Cette configuration est terminée : elle a pris plus de 5 minutes, une plus récente a commencé, ou vos facteurs ou votre mot de passe ont changé. Veuillez recommencer.',
  'factor.enrollmentRequired': 'Configurez d’abord un second facteur.',
  'factor.invalid': 'Ce code ou cette clé d’accès est inexact. Veuillez réessayer.',
  'factor.notEnrolled': 'Votre compte n’a pas de second facteur. Configurez-en d’abord un.',
  'factor.secondFactorRequired':
    'Confirmez d’abord avec votre second facteur : un code de votre application d’authentification, une clé d’accès ou un code de récupération.',
  'factor.reauthenticationRequired':
    'Prouvez de nouveau que c’est bien vous : avec votre mot de passe ou une clé d’accès, ou en vous reconnectant.',
  'import.administrator':
    'Le compte serait administrateur. Autorisez les administrateurs, ou importez-le sans ses rôles.',
  'import.newRole': 'Le compte a des rôles qui n’existent pas ici. Créez-les d’abord, ou autorisez les nouveaux rôles.',
  'invitation.hasPassword':
    'Le compte a un mot de passe. S’il est oublié, l’utilisateur peut le réinitialiser sur la page de connexion.',
  'invitation.noAddress': 'Le compte n’a pas d’adresse e-mail. Ajoutez-en d’abord une.',
  'invitation.notActive': 'Le compte est désactivé. Activez-le d’abord.',
  'invitation.tooMany':
    'Trop de messages ont été envoyés à cette adresse. Veuillez attendre quelques minutes, ou réessayer demain.',
  'message.noOwnAddress':
    'Un test est envoyé à votre propre adresse vérifiée. Veuillez d’abord en vérifier une dans « Mon compte ».',
  'message.tooManyTests': 'Vous vous êtes envoyé trop de tests aujourd’hui. Veuillez réessayer plus tard.',
  'passkey.duplicate':
    'Cette clé d’accès est déjà enregistrée. Veuillez choisir un autre appareil ou une autre clé de sécurité.',
  'passkey.lastWayToSignIn':
    'Cette clé d’accès est le seul moyen de vous connecter à votre compte. Définissez d’abord un mot de passe, ou vérifiez une adresse.',
  'passkey.notFound': 'Vous n’avez pas cette clé d’accès. Veuillez recharger la liste.',
  'passkey.tooMany': 'Vous avez autant de clés d’accès qu’un compte peut en avoir. Retirez-en d’abord une.',
  'password.changeRequired': 'Vous devez changer votre mot de passe avant de continuer.',
  'password.incorrect': 'Le mot de passe actuel est inexact.',
  'password.policy': 'Le nouveau mot de passe ne respecte pas les règles.',
  'permission.denied': 'Vous n’y êtes pas autorisé.',
  'pin.cooldown': 'Un message vient d’être demandé. Veuillez attendre avant de demander le suivant.',
  'pin.dailyLimit': 'Trop de messages ont été demandés aujourd’hui. Veuillez réessayer plus tard.',
  'pin.invalid': 'Ce code est inexact, ou n’est plus valable. Veuillez le vérifier, ou en demander un nouveau.',
  'rateLimit.exceeded':
    'Trop de requêtes sont venues de votre adresse réseau. Veuillez patienter un instant, puis réessayer.',
  'registration.addressNotProven':
    'Cette adresse n’est pas vérifiée, ou la vérification a expiré. Veuillez vérifier l’adresse, puis créer le compte.',
  'registration.disabled':
    'Vous ne pouvez pas créer de compte de cette manière. Veuillez vous adresser à un administrateur.',
  'request.crossSite': 'La page d’un autre site a envoyé cette requête. Veuillez utiliser les pages de ce service.',
  'request.invalid': 'La requête n’est pas valide.',
  'request.methodNotAllowed': 'Cette adresse ne prend pas en charge cette méthode HTTP.',
  'request.notFound': 'Il n’y a rien à cette adresse. Veuillez la vérifier.',
  'request.tooLarge': 'La requête est trop grande.',
  'request.tooSlow': 'La requête est arrivée trop lentement. Veuillez la renvoyer.',
  'request.unsupportedMediaType': 'La requête doit être envoyée en application/json.',
  'reset.invalidToken':
    'Ce lien, ce code ou ces réponses ne permettent plus de réinitialiser le mot de passe. Veuillez recommencer.',
  'reset.methodNotAllowed':
    'Cette méthode de réinitialisation du mot de passe est désactivée. Veuillez en choisir une autre.',
  'role.duplicate': 'Un autre rôle a ce nom. Veuillez en choisir un autre.',
  'role.notFound': 'Ce rôle n’existe pas.',
  'role.protected': 'Ce rôle appartient au service. Il ne peut pas être supprimé.',
  'service.error':
    'Une erreur s’est produite dans le service. Veuillez réessayer. Si cela se reproduit, donnez l’identifiant de suivi à un administrateur.',
  'service.unavailable': 'Le service ne peut pas répondre pour le moment. Veuillez réessayer dans un instant.',
  'serviceKey.duplicate': 'Une autre clé de service a ce nom. Veuillez en choisir un autre.',
  'serviceKey.forbidden': 'Cette clé de service ne permet pas l’appel. Utilisez-en une qui le permet.',
  'serviceKey.invalid': 'Cet appel exige une clé de service valide. Veuillez vous adresser à un administrateur.',
  'serviceKey.notFound': 'Il n’y a pas de clé de service de ce nom.',
  'session.notFound': 'Vous n’avez pas de session ouverte avec cet identifiant.',
  'setting.conflict': 'Ce paramètre a été modifié entre-temps. Rien n’a été enregistré. Veuillez le recharger.',
  'setting.notFound': 'Il n’y a pas de paramètre de ce nom.',
  'signIn.invalidCredentials': 'Le nom d’utilisateur ou le mot de passe est inexact.',
  'signIn.lockedOut': 'Il y a eu trop de tentatives infructueuses. Veuillez patienter, puis réessayer.',
  'signIn.notActive': 'Ce compte est désactivé. Veuillez vous adresser à un administrateur.',
  'token.expired': 'Votre connexion a expiré. Veuillez vous reconnecter.',
  'token.invalid': 'Votre connexion n’est pas valide. Veuillez vous reconnecter.',
  'token.missing': 'Veuillez d’abord vous connecter.',
  'token.revoked': 'Votre session est terminée. Veuillez vous reconnecter.',
  'webhook.deliveryNotFound':
    'Il n’y a pas de livraison avec cet identifiant. Les 100 dernières de chaque webhook sont conservées.',
  'webhook.disabled': 'Ce webhook est désactivé. Veuillez d’abord l’activer.',
  'webhook.notFound': 'Il n’y a pas de webhook avec cet identifiant.',
  'webhook.tooMany': 'Il y a autant de webhooks que le service en permet. Veuillez d’abord en supprimer un.',
};

/** Second sentences of refusals, in place of those of their reasons. */
export const details: Readonly<Record<string, string>> = {
  'The provider has not verified your e-mail address. Verify it there, and begin again.':
    'Le fournisseur n’a pas vérifié votre adresse e-mail. Vérifiez-la là-bas, puis recommencez.',
  'The provider sent an e-mail address or a name that no account can have. Please ask an administrator.':
    'Le fournisseur a envoyé une adresse e-mail ou un nom qu’aucun compte ne peut avoir. Veuillez vous adresser à un administrateur.',
};

export const faults: Readonly<Record<string, string>> = {
  'A client id does not change. Register another application.':
    'Un identifiant client ne change pas. Enregistrez une autre application.',
  'A client id has # to # of these characters: A-Z a-z #-# . _ -':
    'Un identifiant client a # à # de ces caractères : A-Z a-z #-# . _ -',
  'A key cannot be read. Send it as a JWK of RSA or an elliptic curve.':
    'Une clé n’est pas lisible. Envoyez-la comme JWK, RSA ou à courbe elliptique.',
  'A key has a curve that cannot be used. Use P-#, P-#, P-# or Ed#.':
    'La courbe d’une clé n’est pas utilisable. Utilisez P-#, P-#, P-# ou Ed#.',
  'A private key was sent. Replace it, and send only the public key.':
    'C’était une clé privée. Remplacez-la, et n’envoyez que la clé publique.',
  'An RSA key is too short. Use at least # bits.': 'Une clé RSA est trop courte. Utilisez au moins # bits.',
  'Give the public keys as jwks, or their address as jwksUri.':
    'Donnez les clés publiques comme jwks, ou leur adresse comme jwksUri.',
  'Nobody signs in to a machine, so it has no address for sign-outs.':
    'Personne ne se connecte à une machine, elle n’a donc pas d’adresse pour les déconnexions.',
  'Only an application that authenticates with private_key_jwt has keys.':
    'Seule une application qui s’authentifie avec private_key_jwt a des clés.',
  'The client id of a machine must not look like the id of an account. Add a letter.':
    'L’identifiant client d’une machine ne doit pas ressembler à celui d’un compte. Ajoutez une lettre.',
  'There is no role "…". Add it first.': 'Il n’y a pas de rôle "…". Créez-le d’abord.',
  'This kind of application cannot have "…" here.': 'Ce type d’application ne peut pas avoir "…" ici.',
  '"…" cannot be a redirect URI: it has no proper host name.':
    '"…" ne peut pas être une URI de redirection : elle n’a pas de nom d’hôte correct.',
  '"…" cannot be a redirect URI: it must begin with https://.':
    '"…" ne peut pas être une URI de redirection : elle doit commencer par https://.',
  '"…" cannot be a redirect URI: it must begin with https://. Only a host on the same machine, such as localhost, may use http.':
    '"…" ne peut pas être une URI de redirection : elle doit commencer par https://. Seul un hôte de la même machine, comme localhost, peut utiliser http.',
  '"…" cannot be a redirect URI: it must have no user name and password.':
    '"…" ne peut pas être une URI de redirection : elle ne doit avoir ni nom d’utilisateur ni mot de passe.',
  '"…" cannot be a redirect URI: its own scheme must have a dot, such as com.example.app:/callback.':
    '"…" ne peut pas être une URI de redirection : son propre schéma doit avoir un point, comme com.example.app:/callback.',
  '"…" cannot be a redirect URI: nobody signs in to a machine.':
    '"…" ne peut pas être une URI de redirection : personne ne se connecte à une machine.',
  '"…" cannot be a redirect URI: write a whole address of ASCII characters, without a fragment.':
    '"…" ne peut pas être une URI de redirection : écrivez une adresse complète en caractères ASCII, sans fragment.',
  '"…" cannot be a scope. Use ASCII characters without spaces, quotes and backslashes.':
    '"…" ne peut pas être un scope. Utilisez des caractères ASCII, sans espaces, guillemets ni barres obliques inverses.',
  '"…" cannot be a resource. Use ASCII characters without spaces, quotes, backslashes and #.':
    '"…" ne peut pas être une ressource. Utilisez des caractères ASCII, sans espaces, guillemets, barres obliques inverses ni #.',
  'Write a whole address, such as https://….': 'Écrivez une adresse complète, comme https://….',
  'The address must begin with https://.': 'L’adresse doit commencer par https://.',
  'The address has no proper host name.': 'L’adresse n’a pas de nom d’hôte correct.',
  'The address must have no user name, password or fragment.':
    'L’adresse ne doit avoir ni nom d’utilisateur, ni mot de passe, ni fragment.',
  'This host is not on the public internet. If the service may call it, list it in LATCHKEY_EGRESS_ALLOW.':
    'Cet hôte n’est pas sur l’internet public. Si le service peut l’appeler, indiquez-le dans LATCHKEY_EGRESS_ALLOW.',
  'No event is named "…". Name events as the audit trail does, such as signIn.password, or signIn.* for all of a group.':
    'Aucun événement ne s’appelle "…". Nommez les événements comme le journal d’audit, par exemple signIn.password, ou signIn.* pour tout un groupe.',
  '… must not have more than # characters.': 'Au plus # caractères.',
  '… has characters or a form that is not accepted.':
    'Cette valeur a des caractères ou une forme qui ne sont pas acceptés.',
  '… is required.': 'Veuillez remplir ce champ.',
  'Use at least # characters.': 'Utilisez au moins # caractères.',
  'Use at most # characters.': 'Utilisez au plus # caractères.',
  'Use at least one digit.': 'Utilisez au moins un chiffre.',
  'Use at least one lowercase letter.': 'Utilisez au moins une minuscule.',
  'Use at least one uppercase letter.': 'Utilisez au moins une majuscule.',
  'Use at least one character that is neither a letter nor a digit.':
    'Utilisez au moins un caractère qui n’est ni une lettre ni un chiffre.',
  'Use a password that is harder to guess: this one is too common.':
    'Utilisez un mot de passe plus difficile à deviner : celui-ci est trop courant.',
  'Use a password without your name, user name or e-mail address in it.':
    'Utilisez un mot de passe qui ne contient ni votre nom, ni votre nom d’utilisateur, ni votre adresse e-mail.',
  'Use a password that differs from the current one.': 'Utilisez un mot de passe différent de l’actuel.',
  'Type the same password twice.': 'Saisissez deux fois le même mot de passe.',
  'Give one e-mail address, such as thandi@example.org.': 'Indiquez une adresse e-mail, comme thandi@example.org.',
  'Give an e-mail address of ordinary characters, such as ann@example.com.':
    'Indiquez une adresse e-mail en caractères ordinaires, comme anne@example.com.',
  'Give the mobile number with its country code, in international form, such as +# # # #.':
    'Indiquez le numéro de mobile avec l’indicatif du pays, sous forme internationale, comme +# # # #.',
  'Give the mobile number with its country code, in international form, such as +# # # #. Or set the default region in the setting “Phone numbers”: the service then reads national numbers of that country.':
    'Indiquez le numéro de mobile avec l’indicatif du pays, sous forme internationale, comme +# # # #. Ou définissez la région par défaut dans le paramètre « Numéros de téléphone » : le service lit alors les numéros nationaux de ce pays.',
  'Messages are not sent to numbers of this country. Give a number of another one.':
    'Aucun message n’est envoyé aux numéros de ce pays. Indiquez un numéro d’un autre pays.',
  'Give the passkey a name, such as Phone.': 'Donnez un nom à la clé d’accès, par exemple Téléphone.',
  'Choose a shorter user name.': 'Choisissez un nom d’utilisateur plus court.',
  'A user name that looks like an e-mail address or phone number must be your own.':
    'Un nom d’utilisateur qui ressemble à une adresse e-mail ou à un numéro de téléphone doit être le vôtre.',
  'A user name that looks like an e-mail address or phone number must be the account’s own.':
    'Un nom d’utilisateur qui ressemble à une adresse e-mail ou à un numéro de téléphone doit être celui du compte.',
  'The roles are too many or too long, because every token carries them. Remove some or shorten them.':
    'Les rôles sont trop nombreux ou trop longs, car chaque jeton les porte. Retirez-en ou raccourcissez-les.',
  'Password hashes may be imported with the permission pages:maintenance only. Leave the column out.':
    'Les empreintes de mots de passe ne peuvent être importées qu’avec l’autorisation pages:maintenance. Laissez la colonne de côté.',
  'The hash has an unknown format. Leave it out, and let the owner set a new password.':
    'L’empreinte a un format inconnu. Laissez-la de côté, et laissez l’utilisateur définir un nouveau mot de passe.',
  'The service cannot verify hashes of the kind "…". Leave the hash out, and let the owner set a new password.':
    'Le service ne peut pas vérifier les empreintes du type "…". Laissez l’empreinte de côté, et laissez l’utilisateur définir un nouveau mot de passe.',
  'The hash is not a well-formed "…" hash.': 'L’empreinte n’est pas une empreinte "…" bien formée.',
  'The "…" hash would cost too much to verify: at most cost # is accepted.':
    'La vérification de cette empreinte "…" coûterait trop : un coût de # au plus est accepté.',
  'The "…" hash would cost too much to verify: at most #,#,# iterations are accepted.':
    'La vérification de cette empreinte "…" coûterait trop : au plus # # # itérations sont acceptées.',
  'The "…" hash would cost too much to verify: at most #,#,# rounds are accepted.':
    'La vérification de cette empreinte "…" coûterait trop : au plus # # # tours sont acceptés.',
  'The "…" hash would cost too much to verify: at most #^# rounds are accepted.':
    'La vérification de cette empreinte "…" coûterait trop : au plus #^# tours sont acceptés.',
  'The "…" hash would cost too much to verify: at most N = #^#, r = #, p = # and # MiB over all lanes are accepted.':
    'La vérification de cette empreinte "…" coûterait trop : au plus N = #^#, r = #, p = # et # Mio sur toutes les voies sont acceptés.',
  'The "…" hash would cost too much to verify: at most # MiB, # passes and # lanes are accepted.':
    'La vérification de cette empreinte "…" coûterait trop : au plus # Mio, # passes et # voies sont acceptées.',
  '… must be boolean.': 'Choisissez oui ou non.',
  'There is no such question.': 'Cette question n’existe pas.',
  'Answer each question once.': 'Répondez une seule fois à chaque question.',
  'Answer in words: punctuation does not count.': 'Répondez avec des mots : la ponctuation ne compte pas.',
  'Give an answer that is not in the question.': 'Donnez une réponse qui ne figure pas dans la question.',
  'Give each question an answer of its own.': 'Donnez à chaque question sa propre réponse.',
  '… must be integer.': 'Saisissez un nombre entier.',
  '… must be string.': 'Saisissez un texte.',
  '… must be array.': 'Saisissez une liste.',
  '… must be object.': 'Saisissez un objet.',
  '… must be <= #.': 'Utilisez # au plus.',
  '… must be >= #.': 'Utilisez # au moins.',
  '… must be equal to one of the allowed values.': 'Choisissez l’une des valeurs permises.',
  '… must have required properties id, question.': 'Chaque question a besoin d’un identifiant et d’un texte.',
  '… must match pattern "…".': 'Cette valeur a des caractères ou une forme qui ne sont pas acceptés.',
  '… must not have fewer than # characters.': 'Au moins # caractères.',
  '… must not have fewer than # items.': 'Il faut au moins # entrées.',
  '… must not have more than # items.': 'Au plus # entrées sont permises.',
  'Turn on passkeys or the authenticator app, so that accounts can enroll what you require.':
    'Activez les clés d’accès ou l’application d’authentification, afin que les utilisateurs puissent configurer ce que vous exigez.',
  'Name each character only once.': 'Indiquez chaque caractère une seule fois.',
  'Use more characters or longer pins: at least # pins must be possible.':
    'Utilisez plus de caractères ou des codes plus longs : au moins # codes doivent être possibles.',
  '"…" is not a country with phone numbers. Use a two-letter code such as ZA.':
    '"…" n’est pas un pays avec des numéros de téléphone. Utilisez un code de deux lettres, comme ZA.',
  '… must hold {{…}}.': 'Le texte doit contenir {{…}}.',
  '… holds {{…}}, but may hold only {{…}}.': '{{…}} n’existe pas ici. Utilisez seulement {{…}}.',
  '… has double braces that hold no placeholder.': 'Les accolades doubles doivent contenir une variable.',
  '… holds {{…}} in an address whose origin is not allowed. Add the origin to the allowed origins of Latchkey.Links, or put spaces around it.':
    'Le texte contient {{…}} dans une adresse dont l’origine n’est pas autorisée. Ajoutez l’origine aux origines autorisées de Latchkey.Links, ou mettez des espaces autour de la variable.',
  '… holds {{…}} in a word with other signs, which could become an address. Put spaces around it.':
    'Le texte contient {{…}} dans un mot avec d’autres signes, qui pourrait devenir une adresse. Mettez des espaces autour de la variable.',
  '… holds {{…}} inside a tag. Only the href of a link may hold it.':
    'Le texte contient {{…}} dans une balise. Seul le href d’un lien peut contenir la variable.',
  '… has "…". With a secret, it may have only simple tags with quoted attributes, and no comments.':
    'Le texte contient "…". Avec un secret, seules des balises simples aux attributs entre guillemets sont permises, sans commentaires.',
  '"…" is not a web address. Write it like https://….': '"…" n’est pas une adresse web. Écrivez-la comme https://….',
  'https://… is not encrypted: attackers on the network could take over accounts. Use https://.':
    'https://… n’est pas chiffré : des attaquants sur le réseau pourraient s’emparer de comptes. Utilisez https://.',
  'https://… has no host name that can exist. Check it.':
    'https://… n’a pas de nom d’hôte qui puisse exister. Vérifiez-le.',
  'https://… has a wildcard. Name each origin.': 'https://… a un caractère générique. Nommez chaque origine.',
  'Write "…" exactly as https://….': 'Écrivez "…" exactement ainsi : https://….',
  'Links may not lead to https://…. Add it to the allowed origins of Latchkey.Links.':
    'Les liens ne peuvent pas mener à https://…. Ajoutez l’origine dans les paramètres généraux, sous « Liens dans les messages ».',
  'Give each question an id of its own.': 'Donnez à chaque question son propre identifiant.',
  'Write a question in words.': 'Formulez la question avec des mots.',
  'This question is already in the list.': 'Cette question est déjà dans la liste.',
  'Write the address of terms like https://….': 'Écrivez l’adresse des conditions comme https://….',
  'Write the address of privacy like https://….':
    'Écrivez l’adresse de la politique de confidentialité comme https://….',
  'Write the address of support like https://… or mailto:help@example.com.':
    'Écrivez l’adresse de l’aide comme https://… ou mailto:help@example.com.',
  'A name begins with a letter or a digit. After it may come more, spaces, and . _ -':
    'Un nom commence par une lettre ou un chiffre. D’autres peuvent suivre, ainsi que des espaces et . _ -',
  'A provider of the type "…" has no "…". Leave it out.':
    'Un fournisseur du type "…" n’a pas de "…". Laissez-le de côté.',
  'A provider of the type "…" needs "…".': 'Un fournisseur du type "…" a besoin de "…".',
  'Add the scope "…": without it the provider does not say who signs in.':
    'Ajoutez le scope "…" : sans lui, le fournisseur ne dit pas qui se connecte.',
  'An issuer has no query and no fragment.': 'Un émetteur n’a ni requête ni fragment.',
  'At most # parameters are sent.': 'Au plus # paramètres sont envoyés.',
  'Give a time such as #-#-#T#:#:#Z.': 'Indiquez une heure comme #-#-#T#:#:#Z.',
  'The client secret has a blank at its end, or a line break. Copy it again.':
    'Le secret client a une espace à son bord, ou un saut de ligne. Copiez-le de nouveau.',
  'The stored secret is not sent to another address. Write the secret for it too.':
    'Le secret enregistré n’est pas envoyé à une autre adresse. Saisissez aussi le secret pour la nouvelle.',
  'The name of a parameter has # to # of these characters: A-Z a-z #-# . _ -':
    'Le nom d’un paramètre a # à # de ces caractères : A-Z a-z #-# . _ -',
  'The service itself sets "…". Leave it out.': 'Le service définit lui-même "…". Laissez-le de côté.',
  'This id has ten capital letters and digits, as Apple shows it.':
    'Cet identifiant a dix majuscules et chiffres, comme Apple l’affiche.',
  'This is no key of the curve P-#. Send the file with the key from Apple.':
    'Ce n’est pas une clé de la courbe P-#. Envoyez le fichier de la clé d’Apple.',
  'This is no private key. Send the whole file with the key from Apple, as text.':
    'Ce n’est pas une clé privée. Envoyez tout le fichier de la clé d’Apple, sous forme de texte.',
  'Type and name of a provider do not change. Register another provider.':
    'Le type et le nom d’un fournisseur ne changent pas. Enregistrez un autre fournisseur.',
  'Write the directory (tenant) id of Entra ID, which is a GUID.':
    'Indiquez l’identifiant d’annuaire (locataire) d’Entra ID, un GUID.',
  'Write the issuer alone: its address without /.well-known/ and what follows.':
    'N’indiquez que l’émetteur : son adresse sans /.well-known/ et ce qui suit.',
  '"…" is no domain. Write what follows the @, such as example.com.':
    '"…" n’est pas un domaine. Indiquez ce qui suit le @, comme example.com.',
  '"…" stands for the accounts of all organizations, whose administrators could sign in as anybody. Register one provider for each tenant, with its directory id.':
    '"…" désigne les comptes de toutes les organisations, dont les administrateurs pourraient se connecter comme n’importe qui. Enregistrez un fournisseur par locataire, avec son identifiant d’annuaire.',
  'Give each language one entry.': 'Donnez une seule entrée à chaque langue.',
};
