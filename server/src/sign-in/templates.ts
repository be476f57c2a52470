// The messages of signing in: the pin, and the notice that a recovery code was used.
import { defineMessage, defineNotice } from '../delivery/index.ts';

export const signInPinMessage = defineMessage({
  name: 'SignInPin',
  label: 'Message: code to sign in',
  description: 'Contains the code of a sign-in without password.',
  order: 310,
  allowed: ['pin', 'minutes', 'name', 'username', 'application'],
  needed: ['pin'],
  words: {
    sms: '{{pin}} is your {{application}} code to sign in, valid for {{minutes}} min. Never share it with anyone.',
    subject: 'Your code to sign in to {{application}}',
    text: `Hello {{name}},

your code to sign in to {{application}} is

    {{pin}}

It is valid for {{minutes}} minutes, and works once. Never share it with anyone.

If you did not ask for it, another person has typed your name. You do not need to do anything.
`,
    html: `<p>Hello {{name}},</p>
<p>your code to sign in to {{application}} is</p>
<p style="font-size:1.8em;letter-spacing:.2em"><strong>{{pin}}</strong></p>
<p>It is valid for {{minutes}} minutes, and works once. Never share it with anyone.</p>
<p>If you did not ask for it, another person has typed your name. You do not need to do anything.</p>
`,
  },
});

export const recoveryCodeUsedMessage = defineNotice({
  name: 'RecoveryCodeUsed',
  label: 'Message: recovery code used',
  description: 'Tells every verified address of an account that a recovery code replaced its second factor.',
  order: 334,
  allowed: ['left', 'name', 'username', 'application'],
  needed: [],
  change: 'A recovery code replaced the second factor.',
  isUrgent: true,
  words: {
    sms: '{{application}}: a recovery code replaced your second factor. Codes left: {{left}}. Not you? Change your password, and tell an administrator.',
    subject: 'A recovery code was used at {{application}}',
    text: `Hello {{name}},

a recovery code replaced the second factor of your account with {{application}}, to sign in or to confirm a change.

    Recovery codes left: {{left}}

If this was you, you do not need to do anything. Create new recovery codes on your account page before you have used them all.

If it was not you, change your password at once: this ends all other sessions. Then create new recovery codes, and tell an administrator.
`,
    html: `<p>Hello {{name}},</p>
<p>a recovery code replaced the second factor of your account with {{application}}, to sign in or to confirm a change.</p>
<p><strong>Recovery codes left: {{left}}</strong></p>
<p>If this was you, you do not need to do anything. Create new recovery codes on your account page before you have used them all.</p>
<p>If it was not you, change your password at once: this ends all other sessions. Then create new recovery codes, and tell an administrator.</p>
`,
  },
});
