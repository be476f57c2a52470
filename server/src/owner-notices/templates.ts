// The message that tells an account owner several changes at once.
import { defineMessage } from '../delivery/index.ts';

export const accountChangesMessage = defineMessage({
  name: 'AccountChanges',
  label: 'Message: several changes',
  description:
    'Tells a verified address what else was changed after the last message. The service sends it when changes follow each other, or when the number has got its messages of the day.',
  order: 337,
  allowed: ['change', 'name', 'username', 'application'],
  needed: ['change'],
  words: {
    sms: '{{application}}: your account was changed. {{change}} Not you? Change your password, and tell an administrator.',
    subject: 'More changes to your account with {{application}}',
    text: `Hello {{name}},

after our last message, these changes were made to your account with {{application}}:

{{change}}

If you made them or asked for them, you do not need to do anything.

If you did not, change your password at once: this ends all other sessions. Then tell an administrator.
`,
    html: `<p>Hello {{name}},</p>
<p>after our last message, these changes were made to your account with {{application}}:</p>
<p style="white-space:pre-line"><strong>{{change}}</strong></p>
<p>If you made them or asked for them, you do not need to do anything.</p>
<p>If you did not, change your password at once: this ends all other sessions. Then tell an administrator.</p>
`,
  },
});
