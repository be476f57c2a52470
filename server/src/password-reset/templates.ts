// The words with which a forgotten password is replaced.
import { defineMessage } from '../delivery/index.ts';

export const resetLinkMessage = defineMessage({
  name: 'PasswordResetLink',
  label: 'Message: link to reset the password',
  description: 'Brings the link that resets a password, and a code to type on another device.',
  order: 340,
  allowed: ['pin', 'minutes', 'link', 'name', 'application'],
  needed: ['link', 'pin'],
  words: {
    subject: 'Reset your password for {{application}}',
    text: `Hello {{name}},

somebody, hopefully you, wants to set a new password for your account with {{application}}. To do so, open

{{link}}

or type this code where you asked for it:

    {{pin}}

Both are valid for {{minutes}} minutes, and once. Never give them to anybody who asks for them.

It was not you? Then you need do nothing: your password stays as it is.
`,
    html: `<p>Hello {{name}},</p>
<p>somebody, hopefully you, wants to set a new password for your account with {{application}}. To do so,
<a href="{{link}}">open this page</a>, or type this code where you asked for it:</p>
<p style="font-size:1.8em;letter-spacing:.2em"><strong>{{pin}}</strong></p>
<p>Both are valid for {{minutes}} minutes, and once. Never give them to anybody who asks for them.</p>
<p>It was not you? Then you need do nothing: your password stays as it is.</p>
`,
  },
});

export const resetPinMessage = defineMessage({
  name: 'PasswordResetPin',
  label: 'Message: one-time password to reset the password',
  description: 'Brings the one-time password that resets a password.',
  order: 341,
  allowed: ['pin', 'minutes', 'name', 'application'],
  needed: ['pin'],
  words: {
    sms: '{{pin}} resets your {{application}} password, valid for {{minutes}} min. Never give it to anybody who asks for it. Not you? Do nothing.',
  },
});

export const passwordChangedMessage = defineMessage({
  name: 'PasswordChanged',
  label: 'Message: password was reset',
  description: 'Tells every verified address of an account that its password was reset.',
  order: 342,
  allowed: ['name', 'application'],
  needed: [],
  words: {
    sms: '{{application}}: your password was just reset, and you were signed out everywhere. It was not you? Reset it again, and tell an administrator.',
    subject: 'Your password for {{application}} was reset',
    text: `Hello {{name}},

your password for {{application}} was just reset, and you were signed out everywhere.

It was not you? Then reset it again at once, change the password of this mailbox, and tell an administrator.
`,
    html: `<p>Hello {{name}},</p>
<p>your password for {{application}} was just reset, and you were signed out everywhere.</p>
<p>It was not you? Then reset it again at once, change the password of this mailbox, and tell an administrator.</p>
`,
  },
});
