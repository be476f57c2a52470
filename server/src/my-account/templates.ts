// The messages that tell an account owner about a change: to the old address, or to the account's verified addresses.
import { defineMessage } from '../delivery/index.ts';

export const addressChangedMessage = defineMessage({
  name: 'AddressChanged',
  label: 'Message: address changed',
  description: 'Tells the old e-mail address or mobile number that the account has another one now.',
  order: 330,
  allowed: ['name', 'username', 'application'],
  needed: [],
  words: {
    sms: '{{application}}: another number was verified for your account and has replaced this one. Not you? Change your password, and tell an administrator.',
    subject: 'Your e-mail address for {{application}} was changed',
    text: `Hello {{name}},

the e-mail address of your account with {{application}} was changed, with your password. The new address has replaced this
one: messages about your account go there, and you sign in with it.

If you did this, you do not need to do anything.

If you did not, change your password at once: this ends all other sessions. Then tell an administrator.
`,
    html: `<p>Hello {{name}},</p>
<p>the e-mail address of your account with {{application}} was changed, with your password. The new address has replaced
this one: messages about your account go there, and you sign in with it.</p>
<p>If you did this, you do not need to do anything.</p>
<p>If you did not, change your password at once: this ends all other sessions. Then tell an administrator.</p>
`,
  },
});

export const questionsChangedMessage = defineMessage({
  name: 'SecurityQuestionsChanged',
  label: 'Message: security questions changed',
  description: 'Tells every verified address of an account that the answers to its security questions were replaced.',
  order: 331,
  allowed: ['name', 'username', 'application'],
  needed: [],
  words: {
    sms: '{{application}}: the answers to your security questions were changed. Not you? Change your password, answer them again, and tell an administrator.',
    subject: 'Your security questions for {{application}} were changed',
    text: `Hello {{name}},

the answers to the security questions of your account with {{application}} were changed, with your password. A person who
knows these answers may be able to set a new password.

If you did this, you do not need to do anything.

If you did not, change your password at once: this ends all other sessions. Then answer the questions again, and tell an
administrator.
`,
    html: `<p>Hello {{name}},</p>
<p>the answers to the security questions of your account with {{application}} were changed, with your password. A person
who knows these answers may be able to set a new password.</p>
<p>If you did this, you do not need to do anything.</p>
<p>If you did not, change your password at once: this ends all other sessions. Then answer the questions again, and tell
an administrator.</p>
`,
  },
});
