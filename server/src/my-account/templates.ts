// The messages that tell an account owner about a change: to the old address, or to the account's verified addresses.
import { defineNotice } from '../delivery/index.ts';

export const addressChangedMessage = defineNotice({
  name: 'AddressChanged',
  label: 'Message: address changed',
  description: 'Tells the old e-mail address or mobile number that the account has another one now.',
  order: 330,
  allowed: ['name', 'username', 'application'],
  needed: [],
  change: 'Another e-mail address or mobile number has replaced this one.',
  isUrgent: true,
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

export const addressVerifiedMessage = defineNotice({
  name: 'AddressVerified',
  label: 'Message: address verified',
  description:
    'Tells the e-mail address of an account that its mobile number was set or changed, and the mobile number that the e-mail address was. Both are verified.',
  order: 330,
  allowed: ['name', 'username', 'application'],
  needed: [],
  change: 'Another e-mail address or mobile number was set.',
  isUrgent: true,
  words: {
    sms: '{{application}}: another e-mail address was verified for your account. Not you? Change your password, and tell an administrator.',
    subject: 'Your mobile number for {{application}} was set',
    text: `Hello {{name}},

another mobile number was verified for your account with {{application}}, with your password. Whoever has its phone may be
able to sign in, or to set a new password.

If you did this, you do not need to do anything.

If you did not, change your password at once: this ends all other sessions. Then tell an administrator, because the number
stays.
`,
    html: `<p>Hello {{name}},</p>
<p>another mobile number was verified for your account with {{application}}, with your password. Whoever has its phone may
be able to sign in, or to set a new password.</p>
<p>If you did this, you do not need to do anything.</p>
<p>If you did not, change your password at once: this ends all other sessions. Then tell an administrator, because the
number stays.</p>
`,
  },
});

export const questionsChangedMessage = defineNotice({
  name: 'SecurityQuestionsChanged',
  label: 'Message: security questions changed',
  description: 'Tells every verified address of an account that the answers to its security questions were replaced.',
  order: 331,
  allowed: ['name', 'username', 'application'],
  needed: [],
  change: 'The answers to the security questions were replaced.',
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

/** By e-mail alone: a change that asks for the current password is not worth the cost of an SMS. */
export const ownPasswordChangedMessage = defineNotice({
  name: 'OwnPasswordChanged',
  label: 'Message: password changed',
  description: 'Tells the verified e-mail address of an account that its owner changed the password.',
  order: 336,
  allowed: ['name', 'username', 'application'],
  needed: [],
  change: 'The password was changed with the former one.',
  words: {
    subject: 'Your password for {{application}} was changed',
    text: `Hello {{name}},

the password of your account with {{application}} was changed, with the former password. All other sessions have ended.

If you did this, you do not need to do anything.

If you did not, reset your password at once on the sign-in page: this ends all sessions. Then tell an administrator.
`,
    html: `<p>Hello {{name}},</p>
<p>the password of your account with {{application}} was changed, with the former password. All other sessions have
ended.</p>
<p>If you did this, you do not need to do anything.</p>
<p>If you did not, reset your password at once on the sign-in page: this ends all sessions. Then tell an administrator.</p>
`,
  },
});
