// The messages that tell an owner of an external login that was linked or removed.
import { defineMessage } from '../delivery/index.ts';

export const externalLoginLinkedMessage = defineMessage({
  name: 'ExternalLoginLinked',
  label: 'Message: external sign-in linked',
  description: 'Tells every verified address of an account that it was linked to an external provider.',
  order: 332,
  allowed: ['name', 'application'],
  needed: [],
  words: {
    sms: '{{application}}: an external sign-in was linked to your account, and opens it from now on. It was not you? Change your password, remove the link, and tell an administrator.',
    subject: 'An external sign-in was linked to your account with {{application}}',
    text: `Hello {{name}},

somebody who gave your password has linked an external sign-in to your account with {{application}}: it opens the account
from now on, without the password.

It was you? Then you need do nothing.

It was not you? Change your password at once, which signs out everybody else, then remove the link, and tell an
administrator.
`,
    html: `<p>Hello {{name}},</p>
<p>somebody who gave your password has linked an external sign-in to your account with {{application}}: it opens the
account from now on, without the password.</p>
<p>It was you? Then you need do nothing.</p>
<p>It was not you? Change your password at once, which signs out everybody else, then remove the link, and tell an
administrator.</p>
`,
  },
});

export const externalLoginUnlinkedMessage = defineMessage({
  name: 'ExternalLoginUnlinked',
  label: 'Message: external sign-in removed',
  description: 'Tells every verified address of an account that its link to an external provider was removed.',
  order: 333,
  allowed: ['name', 'application'],
  needed: [],
  words: {
    sms: '{{application}}: an external sign-in was removed from your account, and opens it no more. It was not you? Tell an administrator.',
    subject: 'An external sign-in was removed from your account with {{application}}',
    text: `Hello {{name}},

an external sign-in was removed from your account with {{application}}: it does not open the account any more, and you
were signed out elsewhere.

It was neither you nor an administrator whom you know of? Sign in, end all other sessions, and tell an administrator.
`,
    html: `<p>Hello {{name}},</p>
<p>an external sign-in was removed from your account with {{application}}: it does not open the account any more, and you
were signed out elsewhere.</p>
<p>It was neither you nor an administrator whom you know of? Sign in, end all other sessions, and tell an
administrator.</p>
`,
  },
});
