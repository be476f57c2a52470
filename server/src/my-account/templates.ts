// The words that tell an owner what was changed: to an address that is not the account's any more, or to those that are.
import { defineMessage } from '../delivery/index.ts';

export const addressChangedMessage = defineMessage({
  name: 'AddressChanged',
  label: 'Message: address changed',
  description: 'Tells an e-mail address or mobile number that the account has another one now.',
  order: 330,
  allowed: ['name', 'application'],
  needed: [],
  words: {
    sms: '{{application}}: this number is not the one of your account any more, another one was verified. It was not you? Change your password, and tell an administrator.',
    subject: 'Your e-mail address for {{application}} was changed',
    text: `Hello {{name}},

this is not the e-mail address of your account with {{application}} any more: somebody who gave your password has
verified another one. Messages about your account go there, and you sign in with it instead of this one.

It was you? Then you need do nothing.

It was not you? Change your password at once, which signs out everybody else, and tell an administrator.
`,
    html: `<p>Hello {{name}},</p>
<p>this is not the e-mail address of your account with {{application}} any more: somebody who gave your password has
verified another one. Messages about your account go there, and you sign in with it instead of this one.</p>
<p>It was you? Then you need do nothing.</p>
<p>It was not you? Change your password at once, which signs out everybody else, and tell an administrator.</p>
`,
  },
});

export const questionsChangedMessage = defineMessage({
  name: 'SecurityQuestionsChanged',
  label: 'Message: security questions changed',
  description: 'Tells every verified address of an account that its security questions were answered anew.',
  order: 331,
  allowed: ['name', 'application'],
  needed: [],
  words: {
    sms: '{{application}}: your security questions were changed. It was not you? Change your password, answer them anew, and tell an administrator.',
    subject: 'Your security questions for {{application}} were changed',
    text: `Hello {{name}},

somebody who gave your password has answered the security questions of your account with {{application}} anew. Whoever
knows these answers may be able to set a new password.

It was you? Then you need do nothing.

It was not you? Change your password at once, which signs out everybody else, answer the questions anew, and tell an
administrator.
`,
    html: `<p>Hello {{name}},</p>
<p>somebody who gave your password has answered the security questions of your account with {{application}} anew.
Whoever knows these answers may be able to set a new password.</p>
<p>It was you? Then you need do nothing.</p>
<p>It was not you? Change your password at once, which signs out everybody else, answer the questions anew, and tell an
administrator.</p>
`,
  },
});
