// The messages of invitations, one for each language that an administrator can choose.
import { defineMessage } from '../delivery/index.ts';

const shape = {
  allowed: ['minutes', 'link', 'code', 'name', 'username', 'application'],
  needed: [['link', 'code']],
} as const;

export const invitationMessages = {
  en: defineMessage({
    ...shape,
    name: 'Invitation',
    label: 'Message: invitation',
    description: 'Contains the link with which the owner of a new account sets the first password.',
    order: 343,
    words: {
      subject: 'Your account with {{application}}',
      text: `Hello {{name}},

an administrator has created an account for you with {{application}}. Your user name is {{username}}.

Open this link to set your password:

{{link}}

The link is valid for {{minutes}} minutes, and works once. Never share it with anyone. If it has expired, ask the administrator for another.

If you do not know {{application}}, you do not need to do anything.
`,
      html: `<p>Hello {{name}},</p>
<p>an administrator has created an account for you with {{application}}. Your user name is <strong>{{username}}</strong>.</p>
<p><a href="{{link}}">Set your password</a></p>
<p>The link is valid for {{minutes}} minutes, and works once. Never share it with anyone. If it has expired, ask the administrator for another.</p>
<p>If you do not know {{application}}, you do not need to do anything.</p>
`,
    },
  }),
  de: defineMessage({
    ...shape,
    name: 'InvitationGerman',
    label: 'Message: invitation in German',
    description: 'The German text of the message “invitation”.',
    order: 344,
    words: {
      subject: 'Ihr Konto bei {{application}}',
      text: `Guten Tag {{name}},

für Sie wurde ein Konto bei {{application}} angelegt. Ihr Benutzername ist {{username}}.

Öffnen Sie diesen Link, um Ihr Passwort festzulegen:

{{link}}

Der Link gilt {{minutes}} Minuten und funktioniert einmal. Geben Sie ihn nie weiter. Ist er abgelaufen, bitten Sie die Administratorin oder den Administrator um einen neuen.

Wenn Sie {{application}} nicht kennen, brauchen Sie nichts zu tun.
`,
      html: `<p>Guten Tag {{name}},</p>
<p>für Sie wurde ein Konto bei {{application}} angelegt. Ihr Benutzername ist <strong>{{username}}</strong>.</p>
<p><a href="{{link}}">Passwort festlegen</a></p>
<p>Der Link gilt {{minutes}} Minuten und funktioniert einmal. Geben Sie ihn nie weiter. Ist er abgelaufen, bitten Sie die Administratorin oder den Administrator um einen neuen.</p>
<p>Wenn Sie {{application}} nicht kennen, brauchen Sie nichts zu tun.</p>
`,
    },
  }),
  fr: defineMessage({
    ...shape,
    name: 'InvitationFrench',
    label: 'Message: invitation in French',
    description: 'The French text of the message “invitation”.',
    order: 345,
    words: {
      subject: 'Votre compte {{application}}',
      text: `Bonjour {{name}},

un compte {{application}} a été créé pour vous. Votre nom d’utilisateur est {{username}}.

Ouvrez ce lien pour définir votre mot de passe :

{{link}}

Le lien est valable {{minutes}} minutes et ne sert qu’une fois. Ne le transmettez à personne. S’il a expiré, demandez-en un autre à l’administrateur.

Si vous ne connaissez pas {{application}}, vous n’avez rien à faire.
`,
      html: `<p>Bonjour {{name}},</p>
<p>un compte {{application}} a été créé pour vous. Votre nom d’utilisateur est <strong>{{username}}</strong>.</p>
<p><a href="{{link}}">Définir votre mot de passe</a></p>
<p>Le lien est valable {{minutes}} minutes et ne sert qu’une fois. Ne le transmettez à personne. S’il a expiré, demandez-en un autre à l’administrateur.</p>
<p>Si vous ne connaissez pas {{application}}, vous n’avez rien à faire.</p>
`,
    },
  }),
};
