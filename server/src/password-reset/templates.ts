// The messages of password reset.
import { defineMessage, defineNotice } from '../delivery/index.ts';

export const resetLinkMessage = defineMessage({
  name: 'PasswordResetLink',
  label: 'Message: link to reset the password',
  description: 'Contains the link that resets a password, and a code to type on another device.',
  order: 340,
  allowed: ['pin', 'minutes', 'link', 'code', 'name', 'username', 'application'],
  needed: [['link', 'code'], 'pin'],
  words: {
    subject: 'Reset your password for {{application}}',
    text: `Hello {{name}},

you can set a new password for your account with {{application}}. Open

{{link}}

or type this code where you asked for it:

    {{pin}}

Both are valid for {{minutes}} minutes, and work once. Never share them with anyone.

If you did not ask for this, you do not need to do anything: your password stays as it is.
`,
    html: `<p>Hello {{name}},</p>
<p>you can set a new password for your account with {{application}}.
<a href="{{link}}">Open this page</a>, or type this code where you asked for it:</p>
<p style="font-size:1.8em;letter-spacing:.2em"><strong>{{pin}}</strong></p>
<p>Both are valid for {{minutes}} minutes, and work once. Never share them with anyone.</p>
<p>If you did not ask for this, you do not need to do anything: your password stays as it is.</p>
`,
  },
});

export const resetPinMessage = defineMessage({
  name: 'PasswordResetPin',
  label: 'Message: code to reset the password',
  description: 'Contains the code that resets a password.',
  order: 341,
  allowed: ['pin', 'minutes', 'name', 'username', 'application'],
  needed: ['pin'],
  words: {
    sms: '{{pin}} resets your {{application}} password, valid for {{minutes}} min. Never share it with anyone. Not you? Do nothing.',
  },
});

export const passwordChangedMessage = defineNotice({
  name: 'PasswordChanged',
  label: 'Message: password was reset',
  description: 'Tells every verified address of an account that its password was reset.',
  order: 342,
  allowed: ['name', 'username', 'application'],
  needed: [],
  change: 'The password was reset.',
  isUrgent: true,
  words: {
    sms: '{{application}}: your password was just reset, and all of your sessions have ended. Not you? Reset it again, and tell an administrator.',
    subject: 'Your password for {{application}} was reset',
    text: `Hello {{name}},

your password for {{application}} was just reset, and all of your sessions have ended.

If you did not do this, reset it again at once, change the password of this mailbox, and tell an administrator.
`,
    html: `<p>Hello {{name}},</p>
<p>your password for {{application}} was just reset, and all of your sessions have ended.</p>
<p>If you did not do this, reset it again at once, change the password of this mailbox, and tell an administrator.</p>
`,
  },
});
