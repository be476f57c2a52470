// The messages that tell an owner that an external login was linked or removed.
import { defineNotice } from '../delivery/index.ts';

export const externalLoginLinkedMessage = defineNotice({
  name: 'ExternalLoginLinked',
  label: 'Message: external sign-in linked',
  description: 'Tells every verified address of an account that it was linked to an external provider.',
  order: 332,
  allowed: ['name', 'username', 'application'],
  needed: [],
  change: 'An external sign-in was linked.',
  words: {
    sms: '{{application}}: an external sign-in was linked to your account. It opens the account without your password. Not you? Change your password, remove the link, and tell an administrator.',
    subject: 'An external sign-in was linked to your account with {{application}}',
    text: `Hello {{name}},

an external sign-in was linked to your account with {{application}}, with your password. From now on it opens the account
without the password.

If you did this, you do not need to do anything.

If you did not, change your password at once: this ends all other sessions. Then remove the link, and tell an
administrator.
`,
    html: `<p>Hello {{name}},</p>
<p>an external sign-in was linked to your account with {{application}}, with your password. From now on it opens the
account without the password.</p>
<p>If you did this, you do not need to do anything.</p>
<p>If you did not, change your password at once: this ends all other sessions. Then remove the link, and tell an
administrator.</p>
`,
  },
});

export const externalLoginUnlinkedMessage = defineNotice({
  name: 'ExternalLoginUnlinked',
  label: 'Message: external sign-in removed',
  description: 'Tells every verified address of an account that its link to an external provider was removed.',
  order: 333,
  allowed: ['name', 'username', 'application'],
  needed: [],
  change: 'An external sign-in was removed.',
  words: {
    sms: '{{application}}: an external sign-in was removed from your account. It no longer opens the account. Not you? Tell an administrator.',
    subject: 'An external sign-in was removed from your account with {{application}}',
    text: `Hello {{name}},

an external sign-in was removed from your account with {{application}}. It no longer opens the account, and your other
sessions have ended.

If you or an administrator did this, you do not need to do anything.

If not, sign in, end all other sessions, and tell an administrator.
`,
    html: `<p>Hello {{name}},</p>
<p>an external sign-in was removed from your account with {{application}}. It no longer opens the account, and your other
sessions have ended.</p>
<p>If you or an administrator did this, you do not need to do anything.</p>
<p>If not, sign in, end all other sessions, and tell an administrator.</p>
`,
  },
});
